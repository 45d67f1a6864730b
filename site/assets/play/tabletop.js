// The table: everything that the viewer sees of a game, and what can be chosen on it.

import { Board } from "./boards.js";
import { Tray, rollsIn } from "./dice.js";
import { mats, middle } from "./mats.js";
import { Picks, rowKey, thingKey } from "./picks.js";
import { lineups } from "./ranks.js";
import { Signs, make, present } from "./signs.js";
import { say } from "./say.js";

const isOpen = (element) => element.classList.contains("rw-open");

export class Tabletop {
  #picks = null;
  #choices = [];
  #marked = null;
  #view = null;
  #decision = null;
  #elements = new Map();
  #game = null;

  /**
   * Draws into `place`. `rules` are the engine's Rules, and `table` their display data. `pick(indexes, sure)` is called when
   * the reader selects options, one or several; `sure` if they confirm. `point(index)` is called on hover and focus, with
   * null if no single option is meant.
   */
  constructor(place, { rules, table, pick, point }) {
    this.table = table;
    this.data = rules.data;
    this.kinds = table.kinds;
    this.signs = new Signs(table, rules.data);
    this.cardTables = new Set(Object.values(table.decks).map((deck) => deck.table));
    this.columns = new Set(table.boards.filter((board) => board.columns).map(({ id }) => id));
    this.marks = new Set(table.boards.flatMap((board) => (board.marks ? [board.marks] : [])));
    this.draws = new Set(Object.values(rules.data.steps).filter(({ stops }) => stops.some(({ is }) => is === "draw")).map(({ rule }) => rule));
    this.texts = new Map(Object.entries(table.texts).flatMap(([name, rows]) => Object.entries(rows).map(([row, text]) => [rowKey(name, row), text])));
    this.changed = new Set();
    this.fresh = new Set();
    this.pick = pick;
    this.point = point;
    this.holder = null;
    this.boards = table.boards.map((board) => new Board(board, this));
    this.tray = new Tray(rules.data.events.some(({ event }) => event === "rolled"));
    this.parts = make("div", { class: "rw-desk__parts" });
    this.bar = make("div", { class: "rw-desk__bar", role: "group", "aria-label": say("Chosen so far") });
    this.bar.hidden = true;
    this.root = make("div", { class: "rw-desk" }, this.signs.sprite(), this.tray.element, this.parts, this.bar);
    place.replaceChildren(this.root);
    this.#listen();
  }

  // -- services for the parts --------------------------------------------------------------------------

  /** Returns a row of a table: its title and its cells. */
  row(table, id) {
    const found = this.data.tables[table].rows.find((each) => each.id === id);
    return { title: plain(found.title, this.data), cells: found.cells };
  }

  rows(table) {
    return this.data.tables[table].rows.map(({ id }) => id);
  }

  termName(term) {
    return this.data.terms[term]?.name;
  }

  isDrawn(table) {
    return table !== undefined && this.table.boards.some(({ id }) => id === table);
  }

  /** Returns one of a few colours for kinds without an owner, to tell them apart. */
  hue(kind) {
    return Object.keys(this.kinds).indexOf(kind) % 6;
  }

  object(number) {
    return [...this.#view.players, ...this.#view.objects].find((seen) => seen.number === number);
  }

  playerLabel(seat) {
    return this.#view.players.find((player) => player.seat === seat)?.label ?? say("Player %(seat)s", { seat });
  }

  /** Returns the previous value of a field. */
  before(number, name) {
    return this.#before?.get(`${number} ${name}`);
  }

  #before = null;

  /** Returns the field of a kind that holds its owner. */
  ownerField(kind) {
    return this.#fields(kind).find(({ type }) => present(type)?.thing === "player")?.name;
  }

  #fields(kind) {
    return this.data.kinds.find(({ id }) => id === kind).fields;
  }

  /** Returns the field that attaches an object to another one on a mat or in the middle, or null. */
  under(seen) {
    const field = this.#keeper(seen);
    if (field === null) return null;
    const above = [seen];
    // An object that is attached to itself, even indirectly, is not attached.
    for (let next = this.object(field.value); next !== undefined; next = this.object(this.#keeper(next)?.value)) {
      if (above.includes(next)) return null;
      above.push(next);
    }
    const root = above.at(-1), { absent } = this.kinds[root.kind];
    return absent || this.stands(root.kind) || (root.seat === null && this.onBoard(root)) ? null : field;
  }

  #keeper(seen) {
    if (seen.kind === "player" || seen.kind === "game" || this.stands(seen.kind)) return null;
    const found = seen.fields.find(({ type, value }) => {
      const kind = present(type)?.thing;
      return kind !== undefined && kind !== "player" && typeof value === "number" && this.object(value) !== undefined;
    });
    return found ?? null;
  }

  /** Returns whether objects of a kind are in ranks, or are sides that have ranks. */
  stands(kind) {
    const sides = Object.entries(this.kinds).flatMap(([each, { ranks }]) => (ranks ? [each, present(this.#fields(each).find(({ name }) => name === ranks).type).thing] : []));
    return sides.includes(kind);
  }

  /** Returns whether an object is on a board. */
  onBoard(seen) {
    return this.table.boards.some(({ id }) => this.findTiles(id, seen).tiles.length > 0);
  }

  /** Returns the field that says where an object is on a board, and its tiles: a space, those of a placement, or a list. */
  findTiles(board, { kind, fields }) {
    const placed = (type) => this.data.tables[present(type)?.row]?.placements?.on === board;
    const tests = [(type) => present(type)?.row === board, placed, (type) => kind !== "player" && present(type)?.list?.row === board];
    const at = tests.map((test) => fields.find(({ type }) => test(type))).find((field) => field !== undefined);
    if (at === undefined || at.hidden || at.value === null) return { at, tiles: [] };
    if (placed(at.type)) return { at, tiles: this.row(present(at.type).row, at.value).cells.covers };
    return { at, tiles: Array.isArray(at.value) ? [...new Set(at.value)] : [at.value] };
  }

  /** Returns the position of a kind: as laid out by the rules, then as declared. */
  rank(kind) {
    const asked = this.table.order.indexOf(kind);
    return asked >= 0 ? asked : this.table.order.length + Object.keys(this.kinds).indexOf(kind);
  }

  /** Registers an element for `keys`, so that it can be chosen when an option affects them. */
  register(element, keys, label, board = null) {
    const text = keys.map((key) => this.texts.get(key)).find(Boolean);
    if (text) element.setAttribute("title", text);
    // The decision is not about rows that other players hold.
    const theirs = this.holder !== null && this.holder !== this.#decision?.player;
    this.#elements.set(element, { keys: theirs ? keys.filter((key) => !key.startsWith("row ")) : keys, label, board });
  }

  // -- rendering ------------------------------------------------------------------------------------

  /** Shows a game as the player in `seat` sees it (0: a spectator, null: everything), with the current decision. */
  show({ game, seat, decision, events = [] }) {
    const view = game.view(seat ?? "everything");
    this.#compare(game, view);
    this.#view = view;
    this.#decision = decision;
    const focused = this.#focused();
    this.#elements.clear();
    const asked = game.decision?.player ?? null;
    this.about = this.#cardsAbout(game.decision);
    this.#choices = decision === null ? [] : game.choices;
    this.targets = new Set(this.#choices.flatMap(({ tiles }) => tiles.map(([table, row]) => rowKey(table, row))));
    this.parts.replaceChildren(
      ...this.#laidOut(view),
      make("div", { class: "rw-desk__mats" }, ...mats(view, this, { asked, own: seat || null })),
    );
    if (game.record.length < this.#recorded) this.tray.clear();
    this.#recorded = game.record.length;
    this.tray.fall(rollsIn(events, game.record, this.draws), this.#told);
    const drawn = new Set([...this.#elements.values()].flatMap(({ keys }) => keys));
    this.#picks = new Picks(this.#choices, (key) => drawn.has(key));
    this.#marked = null;
    this.#refresh();
    this.#refocus(focused);
    // The focus scrolls to the last choice, so boards scroll to the next ones after it.
    for (const board of this.boards) board.scroll(isOpen);
  }

  /** Returns the revealed cards that a decision is about, each with its name in the rules. */
  #cardsAbout(decision) {
    if (decision === null) return [];
    const procedure = this.data.procedures.find(({ id }) => id === decision.rule.slice(0, decision.rule.lastIndexOf(".")));
    return decision.about
      .filter(({ kind, name }) => this.cardTables.has(kind) && this.#isDrawnCard(decision.rule, name))
      .map(({ kind, id, name }) => ({ table: kind, row: id, title: plain(procedure?.called[name] || name.replaceAll("_", " "), this.data) }));
  }

  /** Returns whether a name of the deciding procedure is that of a step that draws a card. */
  #isDrawnCard(rule, name) {
    return this.draws.has(`${rule.slice(0, rule.lastIndexOf("."))}.${name}`);
  }

  #laidOut(view) {
    const centre = middle(view, this), boards = this.boards.map((board) => board.drawn(view));
    return [centre, ...lineups(view, this), boards.length ? make("div", { class: "rw-desk__boards" }, ...boards) : null].filter((each) => each !== null);
  }

  /** Returns what has changed since the table was last drawn, of what was and is visible. */
  #compare(game, view) {
    this.changed.clear();
    this.fresh.clear();
    const now = new Map(), there = new Set();
    for (const seen of [{ number: 0, fields: view.game }, ...view.players, ...view.objects]) {
      there.add(`${seen.number}`);
      for (const { name, value, hidden } of seen.fields) if (!hidden) now.set(`${seen.number} ${name}`, value);
    }
    if (this.#game === game && this.#before !== null) {
      for (const [key, value] of now) {
        if (this.#before.has(key) && JSON.stringify(this.#before.get(key)) !== JSON.stringify(value)) this.changed.add(key);
      }
      for (const number of there) if (!this.#there.has(number)) this.fresh.add(Number(number));
    } else this.tray.clear();
    this.#before = this.#game === game ? this.#before : null;
    this.#game = game;
    this.#next = now;
    this.#there = there;
  }

  #next = null;
  #recorded = 0;

  /** Returns the title of a rolled row, and what a roll was for: its procedure, and its own name, if it has one or is not the only roll there. */
  #told = {
    named: (rule, row) => {
      const steps = this.data.events.filter(({ step, table }) => table && this.data.steps[step].rule === rule);
      return steps.length ? this.row(steps[0].table, row).title : row;
    },
    cause: (rule) => {
      const at = rule.lastIndexOf("."), step = rule.slice(at + 1);
      const procedure = this.data.procedures.find(({ id }) => id === rule.slice(0, at));
      const others = this.data.events.filter((each) => each.event === "rolled").map((each) => this.data.steps[each.step].rule);
      const isOneOfSeveral = others.some((other) => other !== rule && other.startsWith(rule.slice(0, at + 1)));
      const name = procedure?.called[step] || (isOneOfSeveral ? step.replaceAll("_", " ") : "");
      return [procedure?.title, name].filter(Boolean).map((words) => plain(words, this.data)).join(": ");
    },
  };

  #there = new Set();

  // -- choosing on the table -------------------------------------------------------------------------

  /** Returns whether an option can be chosen on the table. */
  reaches(index) {
    return (this.#picks?.keys(index).size ?? 0) > 0;
  }

  /** Returns the first of several objects that an option affects, or null. */
  touches(index) {
    const { things, tiles, rows } = this.#choices[index] ?? { things: [], tiles: [], rows: [] };
    if (things.length + tiles.length + rows.length < 2) return null;
    if (things.length) return this.object(things[0])?.label ?? null;
    const [[table, row]] = [...tiles, ...rows];
    return this.row(table, row).title;
  }

  /** Marks what an option would affect; null removes the marks. */
  mark(index) {
    this.#marked = index;
    this.#paint();
  }

  #paint() {
    const keys = this.#marked === null || this.#picks === null ? new Set() : this.#picks.keys(this.#marked);
    const about = new Set((this.#decision?.about ?? []).filter(({ kind }) => !this.cardTables.has(kind)).map(({ kind, id }) => (this.data.tables[kind] === undefined ? thingKey(id.slice(kind.length + 1)) : rowKey(kind, id))));
    for (const [element, { keys: own }] of this.#elements) {
      element.classList.toggle("rw-marked", own.some((key) => keys.has(key)));
      element.classList.toggle("rw-topic", own.some((key) => about.has(key)));
    }
  }

  #refresh() {
    const picks = this.#picks;
    for (const [element, { keys, label, board }] of this.#elements) {
      const options = picks.touching(keys), open = options.length > 0;
      const chosen = keys.filter((key) => picks.chosen.includes(key)).length > 0;
      element.classList.toggle("rw-open", open);
      element.classList.toggle("rw-chosen", chosen);
      const told = options.length === 1 ? say("Choose: %(option)s", { option: options[0].words }) : say("%(count)s options", { count: options.length });
      // The effect is added to text. A drawing needs a complete label.
      element.querySelector(":scope > .rw-desk__told")?.remove();
      if (open) {
        element.setAttribute("role", "button");
        if (board === null) element.append(make("span", { class: "rw-desk__told" }, `. ${told}`));
        else element.setAttribute("aria-label", `${label}. ${told}`);
        if (picks.several) element.setAttribute("aria-pressed", String(chosen));
        else element.removeAttribute("aria-pressed");
        if (board === null) element.setAttribute("tabindex", 0);
      } else {
        element.removeAttribute("aria-pressed");
        if (board === null) for (const name of ["role", "tabindex"]) element.removeAttribute(name);
        else {
          element.setAttribute("role", "img");
          element.setAttribute("aria-label", label);
        }
      }
    }
    for (const board of this.boards) board.rest(isOpen);
    this.#showBar();
    this.#paint();
    this.#before = this.#next;
  }

  #showBar() {
    const picks = this.#picks, { chosen, meant, left } = picks;
    this.bar.hidden = !chosen.length;
    if (!chosen.length) {
      this.bar.replaceChildren();
      return;
    }
    const said = chosen.map((key) => [...this.#elements.values()].find(({ keys }) => keys.includes(key))?.label ?? key);
    const told = make("span", { role: "status" }, [say("Chosen: %(things)s.", { things: said.join("; ") }), ...(meant === null ? [say("%(count)s options are left.", { count: left.length })] : [])].join(" "));
    const buttons = [
      meant === null ? null : button(say("Choose it"), say("Choose it: %(option)s", { option: meant.words }), () => this.pick([meant.index], true), " rw-desk__take"),
      button(say("Back"), say("Undo the last selection"), () => this.#changedPicks(() => picks.back())),
      chosen.length > 1 ? button(say("Start again"), say("Start again"), () => this.#changedPicks(() => picks.clear())) : null,
    ];
    this.bar.replaceChildren(...[told, meant === null ? null : make("b", {}, meant.words), ...buttons].filter(Boolean));
  }

  #changedPicks(change) {
    const focused = document.activeElement;
    change();
    this.#refresh();
    // All options are listed again, or fewer of them. A single one left is confirmed with its button.
    const { indexes } = this.#picks;
    if (indexes.length > 1) this.pick(indexes);
    if (!focused?.isConnected || focused === document.body) (this.bar.querySelector("button") ?? this.#firstOpen())?.focus();
  }

  /** Scrolls to the tiles that can be chosen if `ask`, in front of the table in a small window, covers them. */
  uncover(ask) {
    const { left, top } = ask.getBoundingClientRect();
    const open = [...this.#elements.keys()].filter((each) => isOpen(each) && each.dataset.tile).map((each) => each.getBoundingClientRect());
    if (open.some(({ right }) => right > left)) scrollBy({ top: Math.min(Math.max(0, Math.max(...open.map(({ bottom }) => bottom)) - top), Math.min(...open.map((box) => box.top)) - 60), behavior: "instant" });
  }

  #firstOpen() {
    return [...this.#elements.keys()].find(isOpen);
  }

  #press(element) {
    const { keys, label, board } = this.#elements.get(element), picks = this.#picks;
    board?.say(label);
    if (!picks.open(keys)) return;
    if (!picks.several) {
      this.pick(picks.press(keys));
      return;
    }
    this.#changedPicks(() => picks.press(keys));
  }

  #listen() {
    const found = (event) => {
      for (let element = event.target; element && element !== this.root; element = element.parentNode) {
        if (this.#elements.has(element)) return element;
      }
      return null;
    };
    const reach = (element) => {
      const { keys, label, board } = this.#elements.get(element);
      board?.say(label);
      const options = this.#picks.touching(keys);
      this.point(options.length === 1 ? options[0].index : null);
    };
    this.root.addEventListener("click", (event) => {
      const element = found(event);
      if (element !== null) this.#press(element);
    });
    this.root.addEventListener("keydown", (event) => {
      const element = found(event);
      if (element === null || event.altKey || event.ctrlKey || event.metaKey) return;
      const { board } = this.#elements.get(element);
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        this.#press(element);
      } else if (event.key === "Escape" && this.#picks.chosen.length) {
        event.preventDefault();
        this.#changedPicks(() => this.#picks.back());
      } else if (board !== null && board.go(event.key)) event.preventDefault();
    });
    this.root.addEventListener("focusin", (event) => {
      const element = found(event);
      if (element === null) return;
      const { label, board } = this.#elements.get(element);
      board?.reached(element, label);
      reach(element);
    });
    this.root.addEventListener("pointerover", (event) => {
      const element = found(event);
      if (element !== null) reach(element);
    });
    for (const leaving of ["pointerleave", "focusout"]) this.root.addEventListener(leaving, () => this.point(null));
  }

  /** Returns the focused element, to restore focus after redrawing. */
  #focused() {
    const { activeElement } = document, known = this.#elements.get(activeElement);
    return known === undefined ? null : { keys: known.keys, tile: activeElement.dataset.tile, board: known.board };
  }

  #refocus(focused) {
    if (focused === null) return;
    const same = [...this.#elements].find(([element, { keys, board }]) => (focused.board === null ? keys[0] === focused.keys[0] : board === focused.board && element.dataset.tile === focused.tile));
    same?.[0].focus();
  }
}

function button(words, label, act, name = "") {
  const made = make("button", { type: "button", class: `rw-desk__button${name}`, "aria-label": label }, words);
  made.addEventListener("click", act);
  return made;
}

/** Fills the placeholders in words of the rules with the names of terms. */
function plain(written, data) {
  if (!/[{}]/.test(written)) return written;
  return (data.templates[written] ?? [written]).map(partText).join("");
}

function partText(part) {
  if (typeof part === "string") return part;
  if (part.name !== undefined) return `${part.article ? `${part.article} ` : ""}${part.name.map(partText).join("")}`;
  return String(part.number ?? part.dice ?? part.written ?? "");
}
