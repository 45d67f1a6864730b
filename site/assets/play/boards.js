// Boards as pictures: all tiles with their pieces. The rules give the positions of tiles.

import { rowKey, thingKey } from "./picks.js";
import { make, present, shape, words } from "./signs.js";
import { say } from "./say.js";

// The number of pieces that fit on a tile. If there are more, the last place shows how many are left.
const ROOM = 4;
// The number of rows of tiles from which a board is scrolled and not made smaller.
const HIGH = 20;
const SEEDS = 24;
const GOLDEN = 2.39996;

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The pieces by tile, each with its picture, owner, name and key. */
export function standing(board, view, desk) {
  const found = new Map(Object.keys(board.tiles).map((tile) => [tile, { pieces: [], marks: [...(board.printed?.[tile] ?? [])], count: null, keys: [] }]));
  const put = (tile, piece) => found.get(tile)?.pieces.push(piece);
  for (const seen of [...view.players, ...view.objects]) {
    const { at, tiles } = desk.findTiles(board.id, seen);
    if (!tiles.length) continue;
    const changed = desk.changed.has(`${seen.number} ${at.name}`) || desk.fresh.has(seen.number);
    const sides = listSides(seen, desk.kinds[seen.kind]);
    const label = sides.length ? `${seen.label} (${sides.map(([, name]) => name).join(", ")})` : seen.label;
    const piece = { term: desk.signs.termOf(seen), name: desk.kinds[seen.kind].name, label, sides, seat: seen.seat, hue: desk.hue(seen.kind), key: thingKey(seen.number), changed };
    // A piece of several tiles has its picture on the first one, and an outline around all of them.
    const [first] = Object.keys(board.tiles).filter((tile) => tiles.includes(tile));
    for (const tile of tiles) put(tile, tiles.length > 1 ? { ...piece, tiles, covered: tile !== first } : piece);
  }
  for (const player of view.players) {
    for (const { name, title, type, value, hidden } of player.fields) {
      if (hidden || present(type)?.list?.row !== board.id) continue;
      for (const tile of value) {
        const { pieces } = found.get(tile);
        // A mark would repeat what a piece of the same player already shows.
        if (pieces.some((piece) => piece.seat === player.seat && !piece.mark)) continue;
        const fresh = desk.changed.has(`${player.number} ${name}`) && !desk.before(player.number, name)?.includes(tile);
        put(tile, { mark: true, name: title, label: `${title}, ${player.label}`, seat: player.seat, key: null, changed: fresh });
      }
    }
  }
  if (board.columns) fill(board, view, found, put);
  else held(board, view, found, desk);
  return found;
}

/** Returns the sides of a thing as it is turned, clockwise from the top, each as a letter, a name and a colour. */
function listSides({ fields }, { picture, sides }) {
  if (!sides) return [];
  const read = (name) => fields.find((field) => field.name === name && !field.hidden)?.value ?? null;
  const own = sides.of[read(picture)] ?? [], start = own.length - (Number(read(sides.turns) ?? 0) % own.length || 0);
  return own.map((_, place) => sides.shown[own[(start + place) % own.length]]);
}

/** Boards whose spaces are numbers. Each player has their own, in columns of a kind's objects. */
function fill(board, view, found, put) {
  const owners = view.objects.filter(({ kind }) => kind === board.id);
  board.columns.forEach((places, at) => {
    if (owners[at] === undefined) return;
    for (const place of places) found.get(place).keys.push(thingKey(owners[at].number));
  });
  for (const player of view.players) {
    const marks = player.fields.find(({ name }) => name === board.marks);
    if (marks === undefined || marks.hidden) continue;
    marks.value.forEach((place, at) => {
      const newest = at === marks.value.length - 1;
      put(String(place), { mark: true, name: marks.title, label: player.label, seat: player.seat, key: null, newest });
    });
  }
}

/** Values of the game for each tile: an owner, a piece with a picture, which belongs to the owner, a count, or a mark. */
function held(board, view, found, desk) {
  const tiles = desk.rows(board.id), isOwner = ({ type }) => present(present(type)?.of)?.thing === "player";
  const fields = [...view.game.filter(isOwner), ...view.game.filter((field) => !isOwner(field))];
  for (const { name, title, type, value, hidden } of fields) {
    const kind = present(type);
    if (!hidden && kind?.row === board.id) found.get(value)?.marks.push(title);
    if (hidden || kind?.map !== board.id) continue;
    const of = present(kind.of), sign = desk.kinds.game.signs[name];
    const before = desk.before(0, name);
    tiles.forEach((tile, place) => {
      const place_ = found.get(tile), each = value[place];
      if (place_ === undefined || each === null) return;
      const changed = before !== undefined && JSON.stringify(before[place]) !== JSON.stringify(each);
      if (of?.thing === "player") place_.pieces.push({ term: sign, name: title, label: `${desk.termName(sign) ?? title}, ${desk.playerLabel(each)}`, seat: each, key: null, changed, flat: true });
      else if (of?.row !== undefined && of.row !== board.id) {
        const term = desk.table.rows[of.row]?.[each], { title: called } = desk.row(of.row, each);
        if (term === undefined) return place_.marks.push(called);
        const owner = place_.pieces.findIndex(({ flat }) => flat), { seat, changed: moved } = place_.pieces[owner] ?? { seat: null };
        if (owner >= 0) place_.pieces.splice(owner, 1);
        place_.pieces.push({ term, name: called, label: seat === null ? called : `${called}, ${desk.playerLabel(seat)}`, seat, hue: "", key: null, changed: changed || moved });
      }
      else if (of === "choice") place_.marks.push(desk.termName(each) ?? each.replaceAll("_", " "));
      else if (of === "number") Object.assign(place_, { count: each, unit: title, moved: changed });
      else if (of === "truth" && each) {
        const [top] = place_.pieces.slice(-1);
        const called = desk.termName(sign) ?? title;
        if (top === undefined) place_.pieces.push({ term: sign, name: called, label: called, seat: null, key: null, changed });
        else Object.assign(top, { crown: sign ?? "", crowned: called, label: `${called}, ${desk.playerLabel(top.seat)}` });
      }
    });
  }
}

/** Draws a board. Registers each tile with `desk`, with its keys, so that readers can point at it. */
export class Board {
  constructor(board, desk) {
    this.board = board;
    this.desk = desk;
    this.at = null;
    this.scrolled = [0, 0];
  }

  /** Returns the figure of the board in its current state. */
  drawn(view) {
    const { board, desk } = this, lies = standing(board, view, desk);
    this.tiles = new Map();
    const { tiles, left, top, width, height } = findPart(board, lies, desk);
    const svg = shape("svg", { class: `rw-board rw-board--${board.shape}`, viewBox: `${left} ${top} ${width} ${height}`, role: "group", "aria-label": board.title });
    // A tile is never smaller than a fingertip.
    const across = width / board.tile, best = Math.round(across * Math.min(96, Math.max(58, 900 / across)));
    const least = Math.round(across * 27);
    Object.assign(svg.style, { minWidth: `${least}px`, maxWidth: `${best}px`, width: "100%" });
    // The height of the window must not make the tiles of a high board tiny in a wide, empty frame.
    if (height / board.tile > HIGH) svg.style.minHeight = `${Math.round((height / board.tile) * 27)}px`;
    svg.append(shape("g", { class: "rw-board__links" }, ...board.links.map(([one, other]) => line(board.tiles[one], board.tiles[other]))));
    const letters = chooseLetters([...lies.values()].flatMap(({ marks }) => marks));
    const outlines = shape("g", { class: "rw-board__tiles" }), stand = shape("g", { class: "rw-board__stand", "aria-hidden": "true" });
    const covers = shape("g", { class: "rw-board__covers", "aria-hidden": "true" });
    svg.append(outlines, covers, stand);
    const extents = new Map([...lies.values()].flatMap(({ pieces }) => pieces.filter((piece) => piece.tiles).map((piece) => [piece.key, piece])));
    for (const piece of extents.values()) covers.append(this.#extent(piece));
    for (const [tile, [title, x, y]] of tiles) {
      const { pieces, marks, count, unit, keys, moved } = lies.get(tile);
      const said = [...marks, ...grouped(pieces).map(({ piece, many }) => (many > 1 ? `${many} × ${piece.label}` : piece.label)), ...(count === null ? [] : [`${unit}: ${count}`])].join(", ");
      const changed = moved || pieces.some((piece) => piece.changed);
      const element = shape(
        "g", { class: `rw-tile${parity(board, x, y)}${changed ? " rw-changed" : ""}`, transform: `translate(${x} ${y})` },
        this.#outline(),
      );
      element.dataset.tile = tile;
      outlines.append(element);
      // Pieces are drawn above all tiles, and named in the labels of tiles.
      const inside = shape("g", { transform: `translate(${x} ${y})` }, ...this.#inside(pieces.filter(({ covered }) => !covered), count), ...drawnMarks(marks, letters, board));
      inside.dataset.on = tile;
      stand.append(inside);
      const own = board.columns ? keys : [rowKey(board.id, tile), ...pieces.flatMap(({ key }) => (key === null ? [] : [key]))];
      const label = [title, said || (board.columns ? "" : say("empty"))].filter(Boolean).join(": ") || board.title;
      this.tiles.set(tile, { element, x, y, used: pieces.length > 0 });
      desk.register(element, own, label, this);
    }
    svg.append(shape("g", { class: "rw-board__words", "aria-hidden": "true" }, ...(board.grows ? moveWords(board, this.tiles) : board.words).map(([x, y, said]) => words(x, y, said, 11))));
    this.caption = make("p", { class: "rw-board__told" });
    this.#roam();
    this.frame = make("div", { class: "rw-board__frame" }, svg);
    this.frame.addEventListener("scroll", () => (this.scrolled = [this.frame.scrollLeft, this.frame.scrollTop]));
    return make("figure", { class: "rw-desk__board" }, make("figcaption", {}, board.title), this.frame, this.caption, this.#legend(lies, letters));
  }

  /** Returns the legend of the board, or null if nothing needs one. */
  #legend(lies, letters) {
    const { signs } = this.desk, found = new Map(), ground = new Map();
    for (const { pieces } of lies.values()) {
      for (const { sides } of pieces) for (const [letter, name] of sides ?? []) if (letter !== name) ground.set(letter, name);
      for (const { mark, flat, term, name, hue, seat, sides } of pieces) if (!mark && !flat && !sides?.length) found.set(name, { term, hue: seat === null ? hue : "" });
    }
    if (!found.size && !letters.size && !ground.size) return null;
    const items = [...found].sort().map(([name, { term, hue }]) => {
      const icon = signs.icon(term) ?? make("b", { "aria-hidden": "true" }, name.slice(0, 1).toUpperCase());
      icon.classList.add(`rw-hue-${hue}`);
      return make("li", {}, icon, name);
    });
    items.push(...[...[...ground].sort().map(([letter, name]) => [name, letter]), ...letters].map(([text, letter]) => make("li", {}, make("b", { class: "rw-board__mark", "aria-hidden": "true" }, letter), text)));
    return make("ul", { class: "rw-board__legend", "aria-label": say("On the board") }, ...items);
  }

  #outline() {
    const { round, corners } = this.board;
    if (round !== null) return shape("circle", { class: "rw-tile__outline", r: round });
    return shape("polygon", { class: "rw-tile__outline", points: corners.map((corner) => corner.join(",")).join(" ") });
  }

  /** Draws the outline of a piece of several tiles. A side between two of its tiles occurs in both directions. */
  #extent({ tiles, seat, hue }) {
    const { board, desk } = this, { corners, round, links } = board;
    const group = shape("g", { class: `rw-cover rw-hue-${seat === null ? hue : ""}` });
    if (seat !== null) group.style.color = desk.signs.colour(seat);
    const places = tiles.map((tile) => board.tiles[tile]);
    if (round !== null) {
      const joined = links.filter(([one, other]) => tiles.includes(one) && tiles.includes(other));
      group.append(shape("path", { class: "rw-cover__line", d: joined.map(([one, other]) => path([board.tiles[one], board.tiles[other]])).join("") }));
      group.append(...places.map(([, cx, cy]) => shape("circle", { class: "rw-cover__ground", cx, cy, r: round })));
      return group;
    }
    const around = places.map(([, x, y]) => corners.map(([a, b]) => [null, Math.round((x + a) * 10) / 10, Math.round((y + b) * 10) / 10]));
    const sides = around.flatMap((each) => each.map((corner, at) => [corner, each[(at + 1) % each.length]]));
    const known = new Set(sides.map(path));
    const edges = sides.filter(([from, to]) => !known.has(path([to, from])));
    group.append(
      shape("path", { class: "rw-cover__ground", d: around.map((each) => `${path(each)}z`).join("") }),
      shape("path", { class: "rw-cover__edge", d: edges.map(path).join("") }),
    );
    return group;
  }

  #inside(pieces, count) {
    const { board, desk } = this, found = [];
    if (count !== null) {
      if (board.seeds) found.push(...seeds(count));
      else if (count !== 0) found.push(words(0, 6, String(count), 17, "rw-tile__count"));
    }
    // A piece with sides is the ground below the others.
    for (const { sides } of pieces) if (sides?.length) found.push(...drawnSides(sides, board.tile / 2));
    const groups = grouped(pieces.filter(({ sides }) => !sides?.length)), { shift } = board;
    if (!groups.length) return found;
    if (groups.length === 1) {
      const [{ piece, many }] = groups, size = board.tile - board.inset - shift * 2;
      found.push(drawnPiece(piece, many, -size / 2, -size / 2 + shift, size, desk.signs));
    } else {
      // Two pieces overlap along a diagonal, one with an owner above, so that each has more than half of the tile.
      const half = board.tile / 2, two = groups.length === 2, size = two ? (board.tile - shift) * 0.57 : half - 4;
      if (two) groups.sort((a, b) => (a.piece.seat !== null) - (b.piece.seat !== null));
      const shown = groups.length <= ROOM ? groups : groups.slice(0, ROOM - 1);
      shown.forEach(({ piece, many }, place) => {
        const x = two ? (place ? half - size - 1 : 1 - half) : (place % 2) * half - half + (half - size) / 2;
        const y = two ? (place ? half - size - 1 : 1 - half + shift) : Math.floor(place / 2) * (half - shift / 2) - half + (half - size) / 2 + shift;
        found.push(drawnPiece(piece, many, x, y, size, desk.signs));
      });
      const left = groups.slice(shown.length).reduce((sum, { many }) => sum + many, 0);
      if (left) found.push(words(half / 2, half / 2 + 5, `+${left}`, 13, "rw-tile__more"));
    }
    return found;
  }

  /** Tab reaches one tile, and arrow keys the others. */
  #roam() {
    if (!this.tiles.has(this.at)) this.at = this.tiles.keys().next().value;
    for (const [tile, { element }] of this.tiles) element.setAttribute("tabindex", tile === this.at ? 0 : -1);
  }

  /**
   * Scrolls a board that is larger than its frame to where it was before, and on to the tiles that can be chosen, or
   * else to those with pieces, if none of them is in sight.
   */
  scroll(isOpen) {
    const { frame } = this, { clientWidth, clientHeight } = frame;
    if (frame.scrollWidth <= clientWidth && frame.scrollHeight <= clientHeight) return;
    [frame.scrollLeft, frame.scrollTop] = this.scrolled;
    const all = [...this.tiles.values()], open = all.filter(({ element }) => isOpen(element));
    const wanted = open.length ? open : all.filter(({ used }) => used);
    const { left, top } = frame.getBoundingClientRect();
    const spots = wanted.map(({ element }) => {
      const box = element.getBoundingClientRect();
      return [box.left + box.width / 2 - left, box.top + box.height / 2 - top];
    });
    if (!spots.length || spots.some(([x, y]) => x >= 0 && x <= clientWidth && y >= 0 && y <= clientHeight)) return;
    const [x, y] = spots[0];
    frame.scrollBy({ left: x - clientWidth / 2, top: y - clientHeight / 2, behavior: "instant" });
  }

  /** Makes a tile that can be chosen the target of Tab, unless the reader has moved to another one. */
  rest(isOpen) {
    const here = this.tiles.get(this.at);
    if (here !== undefined && (isOpen(here.element) || here.element === document.activeElement)) return;
    for (const [tile, { element }] of this.tiles) {
      if (isOpen(element)) {
        this.at = tile;
        break;
      }
    }
    this.#roam();
  }

  /** Announces the pieces of a focused tile. Arrow keys continue from it. */
  reached(element, label) {
    this.at = element.dataset.tile;
    this.#roam();
    this.say(label);
  }

  say(label) {
    this.caption.textContent = label;
  }

  /** Moves focus to the nearest tile in the direction of an arrow key. Returns whether there is one. */
  go(key) {
    const way = ARROWS[key], from = this.tiles.get(this.at);
    if (way === undefined || from === undefined) return false;
    let best = null, least = Infinity;
    for (const { element, x, y } of this.tiles.values()) {
      const along = (x - from.x) * way[0] + (y - from.y) * way[1];
      const aside = Math.abs((x - from.x) * way[1]) + Math.abs((y - from.y) * way[0]);
      if (along < 1) continue;
      const far = along + aside * 3;
      if (far < least) [best, least] = [element, far];
    }
    best?.focus();
    return true;
  }
}

/** Returns the part of a board that is drawn, and its tiles. Of one that grows, these are the tiles with options or pieces, and those around pieces. */
function findPart(board, lies, desk) {
  const tiles = Object.entries(board.tiles), step = board.tile * 1.1;
  const taken = board.grows ? tiles.filter(([tile]) => lies.get(tile).pieces.length) : [];
  if (!taken.length) return { tiles, left: 0, top: 0, width: board.width, height: board.height };
  const wanted = tiles.filter(([tile]) => desk.targets.has(rowKey(board.id, tile)));
  const [[left, right], [top, bottom]] = [1, 2].map((axis) => {
    const around = taken.flatMap(([, place]) => [place[axis] - step, place[axis] + step]), all = [...around, ...wanted.map(([, place]) => place[axis])];
    return [Math.min(...all), Math.max(...all)];
  });
  const drawn = tiles.filter(([, [, x, y]]) => x >= left && x <= right && y >= top && y <= bottom);
  // Half a tile to its edges, and as much for the numbers of rows and columns.
  const [xs, ys] = [1, 2].map((axis) => drawn.map(([, place]) => place[axis])), room = board.tile;
  const from = { left: Math.max(0, Math.min(...xs) - room), top: Math.max(0, Math.min(...ys) - room) };
  return { tiles: drawn, ...from, width: Math.min(board.width, Math.max(...xs) + room) - from.left, height: Math.min(board.height, Math.max(...ys) + room) - from.top };
}

/** Returns the words of a board that grows: the numbers of rows and columns, each beside the first tile that is drawn. */
function moveWords(board, drawn) {
  const tiles = Object.values(board.tiles).map(([, x, y]) => ({ x, y })), shown = [...drawn.values()];
  return board.words.flatMap(([x, y, said]) => {
    for (const [along, across, word] of [["x", "y", y - 4], ["y", "x", x]]) {
      const [first, seen] = [tiles, shown].map((some) => some.filter((tile) => tile[across] === word).sort((one, other) => one[along] - other[along])[0]);
      if (first === undefined) continue;
      if (seen === undefined) return [];
      return [[x + seen.x - first.x, y + seen.y - first.y, said]];
    }
    return [];
  });
}

/** Returns the sign of each mark: a star if there is only one, and else a letter of its text that no other has. */
function chooseLetters(texts) {
  const different = [...new Set(texts)].sort(), letters = new Map();
  for (const text of different) {
    const free = [...text.toLowerCase()].find((letter) => /\p{L}/u.test(letter) && ![...letters.values()].includes(letter));
    letters.set(text, different.length === 1 ? "★" : free ?? "★");
  }
  return letters;
}

/** Draws the marks of a space above its pieces, from the upper left corner on. */
function drawnMarks(marks, letters, { tile }) {
  return marks.slice(0, ROOM).map((text, place) => words(place * 9 - tile * 0.38, tile * -0.3, letters.get(text), 10, "rw-tile__mark"));
}

function parity({ checkered, tile }, x, y) {
  if (!checkered) return "";
  return (Math.round(x / tile) + Math.round(y / tile)) % 2 ? " rw-tile--other" : "";
}

function line(from, to) {
  return shape("path", { d: path([from, to]) });
}

/** Returns the path through some places, each as `[title, x, y]`. */
function path(places) {
  return `M${places.map(([, x, y]) => `${x} ${y}`).join("L")}`;
}

/** Groups identical pieces and counts them. */
function grouped(pieces) {
  const found = new Map();
  for (const piece of pieces) {
    const look = [piece.term, piece.name, piece.seat, piece.mark, piece.crown].join("\n");
    const group = found.get(look);
    if (group === undefined) found.set(look, { piece, many: 1 });
    else {
      group.many += 1;
      if (piece.changed) group.piece = piece;
    }
  }
  return [...found.values()];
}

/** Draws the sides of a piece around the middle of its tile, each as a coloured part with its letter. */
function drawnSides(sides, radius) {
  const many = sides.length, half = Math.PI / many, reach = many > 2 ? radius / Math.cos(half) : radius;
  const first = -Math.PI / 2 + (many === 4 ? 0 : half);
  const point = (angle, length) => [Math.cos(angle) * length, Math.sin(angle) * length].map((each) => Math.round(each * 10) / 10);
  return sides.flatMap(([letter, , colour], place) => {
    const angle = first + place * 2 * half, [x, y] = point(angle, radius * 0.74);
    const corners = [point(angle - half, reach), point(angle + half, reach), point(angle + half, reach / 2), point(angle - half, reach / 2)];
    return [
      shape("polygon", { class: "rw-piece__side", points: corners.map((corner) => corner.join(",")).join(" "), fill: colour }),
      words(x, y + radius * 0.13, letter, radius * 0.38, "rw-piece__letter"),
    ];
  });
}

function drawnPiece(piece, many, x, y, size, signs) {
  const middle = x + size / 2, down = y + size / 2, radius = size / 2 - 1;
  const group = shape("g", { class: `rw-piece rw-hue-${piece.seat === null ? piece.hue : ""}${piece.changed || piece.newest ? " rw-piece--new" : ""}` });
  const colour = piece.seat === null ? null : signs.colour(piece.seat);
  if (colour !== null && (piece.mark || piece.flat || !signs.has(piece.term))) {
    group.append(
      shape("circle", { class: "rw-piece__man", cx: middle, cy: down, r: radius, fill: colour }),
      shape("circle", { class: "rw-piece__rim", cx: middle, cy: down, r: radius * 0.78 }),
      words(middle, down + radius * 0.36, String(piece.seat), radius, "rw-piece__seat"),
    );
    if (piece.crown !== undefined) {
      group.append(shape("circle", { class: "rw-piece__badge", cx: x + size * 0.82, cy: y + size * 0.2, r: size * 0.22 }));
      group.append(signs.sign(piece.crown, piece.crowned, x + size * 0.66, y + size * 0.04, size * 0.32));
    }
  } else {
    const inner = size * (colour === null ? 0.86 : 0.66), at = (size - inner) / 2;
    if (colour !== null) group.append(shape("circle", { class: "rw-piece__plate", cx: middle, cy: down, r: radius, stroke: colour, "stroke-width": Math.max(2, size * 0.07) }));
    group.append(signs.sign(piece.term, piece.name, x + at, y + at, inner));
    if (colour !== null) {
      const badge = Math.max(size * 0.2, 5.5), right = x + size - badge + 1, bottom = y + size - badge + 1;
      group.append(
        shape("circle", { class: "rw-piece__owner", cx: right, cy: bottom, r: badge, fill: colour }),
        words(right, bottom + badge * 0.48, String(piece.seat), badge * 1.4, "rw-piece__seat"),
      );
    }
  }
  if (many > 1) {
    const badge = Math.max(size * 0.21, 6.5), right = x + size - badge + 1, top = y + badge - 1;
    group.append(shape("circle", { class: "rw-piece__many", cx: right, cy: top, r: badge }), words(right, top + badge * 0.48, String(many), badge * 1.35, "rw-piece__number"));
  }
  return group;
}

/** Draws seeds in a pit in a sunflower pattern, with their number. */
function seeds(count) {
  const found = [];
  for (let each = 0; each < Math.min(count, SEEDS); each++) {
    const far = 4.6 * Math.sqrt(each + 0.35), turn = each * GOLDEN;
    found.push(shape("circle", { class: "rw-tile__seed", cx: (far * Math.cos(turn)).toFixed(1), cy: (far * Math.sin(turn) - 4).toFixed(1), r: 3.1 }));
  }
  found.push(words(0, 24.5, String(count), 12, "rw-tile__count"));
  return found;
}
