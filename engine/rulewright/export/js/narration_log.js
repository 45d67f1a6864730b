// Narration: turns events into data, sentences and weights, in order, with the objects as they were at each event.

import { same } from "./json.js";
import { HIDDEN, article, capital, capitalTerm, ended, isSeveral, phrase, pieces, plain, small, text, PhraseBuilder } from "./phrases.js";

const MINUS = "\u2212";
const SHOWN = "shown.";
const PLAYER = { thing: "player" };
const PLAYERS = { list: PLAYER };
const LONG_OWNER = 3;
const ASIDE = 0, DETAIL = 1, NORMAL = 2, MAJOR = 3;
// The end of the id of a step that stores the result of another step.
const PLACED = ".into";
const WEIGHTS = ["aside", "detail", "normal", "major"];

const inner = (type) => type?.list ?? type;
const present = (type) => (type?.optional === undefined ? type : present(type.optional));
const maybe = (type) => (type?.optional === undefined ? { optional: type } : type);
const procedureOf = ({ rule }) => rule.slice(0, Math.max(0, rule.lastIndexOf(".")));
const isNone = (value) => value === null || (Array.isArray(value) && !value.length);

/** Narrates events in order. `visibility` decides who sees what; `viewer` is the seat, or null to hide nothing. */
export class NarrationLog {
  constructor(module, objects, { visibility = null, viewer = null, begun = false, names = {} } = {}) {
    this.module = module;
    this.objects = new Map(objects.flatMap((thing, number) => (thing === null ? [] : [[number, [...thing]]])));
    // The setup of a single procedure is over before it begins.
    this.setUp = !begun;
    this.beganInSetUp = this.setUp;
    this.visibility = viewer === null || visibility.everything ? null : visibility;
    this.viewer = viewer === 0 ? null : viewer;
    this.seen = this.visibility === null ? this.objects : new Map();
    this.say = new PhraseBuilder(module, this.seen, names);
    this.events = [];
    this.laid = [];
    this.pieces = [];
  }

  /** Adds new events. */
  read(happened) {
    for (const each of happened) this.events.push(this.#event(each));
  }

  /** The current objects by number, without removed ones. */
  get there() {
    return new Map([...this.objects].filter(([number]) => !this.say.gone.has(number)));
  }

  /** Undoes the last events. Only for a log that hides nothing. */
  rewind(happened) {
    for (const { site, details } of [...happened].reverse()) {
      if (site.event === "created") this.objects.delete(details[0]);
      else if (site.event === "removed") this.say.gone.delete(details[0]);
      else if (site.event === "written" && site.thing) this.#change(details[0], site.name, details[1], details[3]);
    }
    for (const list of [this.events, this.laid, this.pieces]) list.length -= happened.length;
    this.setUp = this.events.at(-1)?.set_up ?? this.beganInSetUp;
  }

  #look() {
    this.seen.clear();
    const seen = this.visibility.asSeen(this.there, this.viewer);
    for (const [number, thing] of this.objects) this.seen.set(number, seen.get(number) ?? thing);
  }

  #change(thing, name, value, row) {
    const kind = this.module.data.kinds[this.objects.get(thing)[0]];
    const place = kind.fields.findIndex((field) => field.name === name) + 1;
    // A player who was shown the old value does not know the new one. A `shown` event follows if they do.
    const shownField = kind.fields.findIndex((field) => field.name === `${SHOWN}${name}`) + 1;
    if (shownField) this.objects.get(thing)[shownField] = [];
    if (row === undefined) {
      this.objects.get(thing)[place] = value;
      return;
    }
    const held = [...this.objects.get(thing)[place]];
    held[this.module.rows.get(kind.fields[place - 1].type.map).indexOf(row)] = value;
    this.objects.get(thing)[place] = held;
  }

  /** Returns the details of an event with `HIDDEN` in the place of hidden values. */
  #asTold(site, details) {
    const known = site.seen ? details.slice(0, -1) : details;
    if (this.visibility === null) return known;
    this.#look();
    if (site.event === "written" && site.thing) {
      const [thing, name, old, value, ...row] = details;
      const kind = this.module.data.kinds[this.objects.get(thing)[0]].id;
      const sees = () => this.visibility.maySee(this.there, this.viewer, thing, kind, name);
      const before = sees();
      this.#change(thing, name, value, ...row);
      const after = sees();
      if (name.startsWith(SHOWN)) this.#look();
      // A secret decided the object, and only players who see its field know which one it is.
      const field = name.startsWith(SHOWN) ? name.slice(SHOWN.length) : name;
      if (site.secret && !this.visibility.maySee(this.there, this.viewer, thing, kind, field)) {
        return [HIDDEN, name, HIDDEN, HIDDEN, ...row.map(() => HIDDEN)];
      }
      // Both the entry that changed and its old value are secret.
      if (row.length && !after) return [thing, name, HIDDEN, HIDDEN, HIDDEN];
      return [thing, name, before ? old : HIDDEN, after ? value : HIDDEN, ...row];
    }
    if (site.event === "written") {
      const [thing, name, , , ...row] = details;
      const { hidden } = this.module.procedures.get(this.module.steps.get(site.step).procedure);
      return hidden.includes(name) ? [thing, name, HIDDEN, HIDDEN, ...row.map(() => HIDDEN)] : details;
    }
    if (site.event === "created") return [details[0], this.seen.get(details[0])];
    if (site.event === "announced") return details.map((value, place) => (site.secrets[place] ? HIDDEN : value));
    if (!site.seen) return details;
    const sees = this.visibility.includes(details[details.length - 1], this.viewer, this.objects);
    if (!sees && site.secret) return known.map(() => HIDDEN);
    return sees ? known : [...known.slice(0, -1), HIDDEN];
  }

  #event({ site, details: raw }) {
    const step = this.module.steps.get(site.step);
    const happened = site.event === "written" ? [...(site.thing ? raw.slice(0, 1) : [null]), site.name, ...raw.slice(site.thing ? 1 : 0)] : raw;
    if (site.event === "created") this.objects.set(happened[0], [...happened[1]]);
    const details = this.#asTold(site, happened);
    this.setUp = this.setUp && site.event !== "asked";
    const facts = factsOf(site, details, this.module);
    const sentence = ACCOUNTS[site.event]?.(this.say, step, site, details) ?? [];
    const data = {};
    for (const [name, value, type] of facts) if (value !== HIDDEN) data[name] = plain(value, type, this.module);
    if (site.event === "created") data.fields = this.#fields(details);
    const weight = weigh(step, site, details);
    const found = { rule: step.rule, verb: step.verb, weight: WEIGHTS[weight], set_up: this.setUp, text: text(sentence), data };
    this.pieces.push(pieces(sentence));
    // The story of a setup only counts the objects of each kind.
    this.laid.push(site.event === "created" ? site.kind : null);
    if (site.event === "removed") {
      // Later sentences call a removed object by the last name that the viewer knew.
      if (this.visibility !== null) this.objects.set(happened[0], this.seen.get(happened[0]));
      this.say.gone.add(happened[0]);
    }
    if (site.event === "written" && site.thing) this.#change(happened[0], happened[1], happened[3], happened[4]);
    found.chance = site.event === "rolled" || site.event === "drawn";
    found.unseen = details.at(-1) === HIDDEN;
    found.joins = site.event !== "asked" && (!found.chance || found.unseen);
    found.several = site.event === "drawn" && site.deck && found.unseen ? "%(count)s cards are drawn, face down." : "";
    return found;
  }

  #fields([thing, values]) {
    const kind = this.module.data.kinds[values[0]];
    const held = this.seen.get(thing);
    return Object.fromEntries(
      kind.fields
        .map((field, place) => [field.name, held[place + 1], field.type])
        .filter(([, value]) => value !== HIDDEN)
        .map(([name, value, type]) => [name, plain(value, type, this.module)]),
    );
  }

  /** Returns the log as JSON data. */
  log(since = 0) {
    return this.events.slice(since).map(({ chance, unseen, joins, several, ...event }) => event);
  }

  /** Returns an independent copy. */
  copy() {
    const other = new NarrationLog(this.module, [], { visibility: this.visibility, viewer: this.visibility === null ? null : this.viewer ?? 0, names: this.say.names });
    for (const [number, thing] of this.objects) other.objects.set(number, [...thing]);
    for (const number of this.say.gone) other.say.gone.add(number);
    other.setUp = this.setUp;
    other.events = [...this.events];
    other.laid = [...this.laid];
    other.pieces = [...this.pieces];
    return other;
  }

  /** Returns an event as a line: its text, its pieces, its step, and the number of events up to it. */
  line(place) {
    const { text, rule } = this.events[place];
    return { text, pieces: this.pieces[place], rule, events: place + 1 };
  }

  /** Returns the important events as lines. */
  lines(since = 0) {
    const told = [];
    const silent = this.#placing();
    let laid = new Map();
    const lay = (events) => {
      const text = [...laid].map(([kind, count]) => this.#counted(kind, count)).join(", ");
      if (text) {
        const line = this.say.message("On the table: %(things)s.", { things: text });
        told.push({ text: line, pieces: [line], rule: "", events });
      }
      laid = new Map();
    };
    this.events.forEach((event, place) => {
      if (place < since) return;
      const worth = WEIGHTS.indexOf(event.weight) >= NORMAL;
      if (event.set_up) {
        const kind = this.laid[place];
        if (kind !== null) laid.set(kind, (laid.get(kind) ?? 0) + 1);
        else if (worth && !silent.has(place)) told.push(this.line(place));
        return;
      }
      lay(place);
      if (worth) told.push(this.line(place));
    });
    lay(this.events.length);
    return this.#joined(told.filter(({ text }) => text));
  }

  /** Returns lines with the same words in one procedure as one line, except choices and visible results of chance. */
  #joined(told) {
    const lines = [];
    for (const line of told) {
      const last = lines.at(-1), event = this.events[line.events - 1];
      if (last?.event !== undefined && event?.joins && last.event.text === line.text && procedureOf(last.event) === procedureOf(line)) {
        last.count += 1;
        last.line.events = line.events;
      } else {
        lines.push({ line, count: 1, event: line.rule ? event : undefined });
      }
    }
    return lines.map(({ line, count, event }) => {
      if (count === 1) return line;
      const said = event.several
        ? [this.say.message(event.several, { count })]
        : this.say.build("%(sentence)s (%(count)s times)", { sentence: line.pieces, count: String(count) });
      return { ...line, text: event.several ? said[0] : this.say.message("%(sentence)s (%(count)s times)", { sentence: line.text, count }), pieces: said };
    });
  }

  /** Returns the indexes of setup rolls and draws that the next visible event already implies. */
  #placing() {
    const found = new Set();
    const after = this.events.findIndex((event) => !event.set_up);
    let next = null;
    for (let place = (after < 0 ? this.events.length : after) - 1; place >= 0; place -= 1) {
      const { weight, chance, data, text } = this.events[place];
      if (WEIGHTS.indexOf(weight) < NORMAL) continue;
      if (!chance) next = { created: this.laid[place] !== null, data, text };
      else if (next !== null && (next.created || says(next, data))) found.add(place);
    }
    return found;
  }

  #counted(kind, count) {
    const declared = this.module.kinds.get(kind);
    const term = this.module.data.terms[declared.term];
    const noun = count === 1 ? declared.said.one : declared.said.several;
    const bare = noun === undefined ? kind.replaceAll("_", " ") : text(this.say.words(noun));
    const named = term === undefined ? bare : count === 1 ? term.name : term.plural;
    return `${count} ${named}`;
  }
}

/** Returns whether a change already reports the chance result: the value becomes it, changes by it, or gains it in a list. */
function says({ data: change, text: sentence }, chance) {
  if (!("field" in change)) return false;
  const came = chance.total ?? chance.card ?? null, before = change.before ?? null, after = change.after ?? null;
  if (Array.isArray(before) && Array.isArray(after) && countOf(came, after) > countOf(came, before)) return true;
  if (Array.isArray(came)) return Array.isArray(after) && came.length === after.length && came.every((each, place) => each === after[place]);
  const counts = [came, before, after].every((each) => typeof each === "number");
  if (counts && (after - before === came || before - after === came)) return (sentence.match(/[0-9]+/g) ?? []).includes(String(came));
  return came === after;
}

function countOf(value, list) {
  const text = JSON.stringify(value);
  return list.filter((each) => JSON.stringify(each) === text).length;
}

function factsOf(site, details, module) {
  switch (site.event) {
    case "asked": return [["player", details[0], PLAYER], ["chosen", details[1], site.type]];
    case "rolled": {
      const made = [["roll", details[0], "dice"], ["total", details[1], "number"]];
      if (site.table === null || details[1] === HIDDEN) return made;
      return [...made, ["row", module.data.tables[site.table].faces[details[1]], { row: site.table }]];
    }
    case "drawn": return [["card", details[0], site.type]];
    case "created": return [["object", details[0], { thing: site.kind }]];
    case "removed": return [["object", details[0], site.type]];
    case "written": {
      const [thing, name, old, value, row] = details, type = maybe(site.type);
      const facts = [["object", thing, maybe({ thing: site.kind })], ["field", name, "text"], ["before", old, type], ["after", value, type]];
      return row === undefined ? facts : [...facts, ["row", row, { row: site.table }]];
    }
    case "revealed": return [["players", details[0], PLAYERS], ["chosen", details[1], site.type]];
    case "announced": return site.names.map((name, place) => [name, details[place], site.details[place]]);
    case "finished": return [["winners", details[0], PLAYERS]];
  }
  return [];
}

function weigh(step, site, details) {
  if (site.event === "written") {
    const [thing, name, old, value] = details;
    const known = old !== HIDDEN || value !== HIDDEN;
    // The setup reports a result only where it is stored, even if it equals the old value.
    const isResult = step.id.endsWith(PLACED) && !name.startsWith(SHOWN);
    const unchanged = known && same(old, value) && !isResult;
    return thing === null || thing === HIDDEN || unchanged ? ASIDE : NORMAL;
  }
  if (site.event === "called" || site.event === "ended") return DETAIL;
  return site.event === "finished" ? MAJOR : NORMAL;
}

// -- sentences -------------------------------------------------------------------------------------

function asked(say, step, site, [who, value]) {
  const sentence = answered(say, step, site, [who, value]);
  return phrase(saysNothing(site, value) ? question(say, step) : [], sentence);
}

/** Returns whether an answer is meaningless without its question. */
function saysNothing({ type }, value) {
  return value !== HIDDEN && (isNone(value) || ["number", "truth"].includes(present(type)));
}

function question(say, { words }) {
  const said = say.words(words.ask || words.title || "");
  return said.length ? phrase(capitalTerm(ended(said)), " ") : [];
}

function answered(say, step, site, [who, value]) {
  const player = say.player(who);
  if (value === HIDDEN) return say.build("%(who)s has chosen.", { who: player });
  const label = isNone(value) ? step.words.none : typeof value === "string" ? site.offers[value] : "";
  if (label) return ended(say.build("%(who)s chooses: %(what)s", { who: player, what: capitalTerm(say.words(label)) }));
  if (isNone(value)) return say.build("%(who)s chooses none.", { who: player });
  const type = present(site.type);
  if (type === "choice") return ended(say.build("%(who)s chooses: %(what)s", { who: player, what: say.choice(value, say.module.procedures.get(step.procedure).called) }));
  return say.build("%(who)s chooses %(what)s.", { who: player, what: say.value(value, type) });
}

function revealed(say, step, site, [who, answers]) {
  const told = who.map((each, place) => text(answered(say, step, site.asked, [each, answers[place]])));
  const asks = answers.every((each) => saysNothing(site.asked, each)) ? question(say, step) : [];
  return told.length ? phrase(asks, say.build("All have chosen."), " ", told.join(" ")) : [];
}

function rolled(say, step, site, [roll, total]) {
  if (roll === HIDDEN) return say.build("Dice are rolled, face down.");
  const dice = say.value(roll, "dice");
  if (total === HIDDEN) return say.build("%(dice)s is rolled, face down.", { dice });
  if (site.table === null) return say.build("%(dice)s comes to %(total)s.", { dice, total: { number: total } });
  const row = say.row(site.table, say.data.tables[site.table].faces[total]);
  return say.build("%(dice)s comes to %(total)s: %(row)s.", { dice, total: { number: total }, row });
}

function drawn(say, step, site, [card]) {
  if (card === HIDDEN) return say.build(site.deck ? "A card is drawn, face down." : "Lots are drawn, face down.");
  return say.build("%(card)s is drawn.", { card: say.value(card, site.type) });
}

function created(say, step, site, [thing]) {
  const made = capital(say.newThing(site.kind, thing));
  return say.told(site.kind, thing, "comes", step) ?? say.build(isSeveral(made) ? "%(what)s come into play." : "%(what)s comes into play.", { what: made });
}

function removed(say, step, site, [thing]) {
  const gone = capital(say.value(thing, site.type));
  const words = site.type?.thing === undefined ? null : say.told(site.type.thing, thing, "goes", step);
  return words ?? say.build(isSeveral(gone) ? "%(what)s leave play." : "%(what)s leaves play.", { what: gone });
}

function written(say, step, site, details) {
  const [thing, name, old, value, row] = details, { kind, type } = site;
  if (thing === HIDDEN) return [];
  if (name.startsWith(SHOWN)) return shown(say, site, details);
  if (value === HIDDEN) return hiddenChange(say, site, details);
  if (row !== undefined) return entry(say, step, site, details);
  if (thing === null) return noted(say, name, value, type, step.procedure);
  if (name.startsWith("options.")) {
    const setting = name.slice("options.".length);
    return phrase(say.option(setting), ": ", say.setting(setting, value), ".");
  }
  if (site.by && site.kind !== "game" && old !== HIDDEN) return moved(say, site, details);
  return changed(say, kind, thing, name, old, value, type);
}

/** Returns the first sign of a site that fits a change, or else its first. Both signs fit a change of zero. */
function signOf(site, old, value) {
  const signs = [...site.by];
  return signs.find((sign) => (sign === "+" ? value >= old : value <= old)) ?? signs[0];
}

function entry(say, step, site, [thing, name, old, value, row]) {
  const after = say.value(value, site.type), named = say.row(site.table, row);
  if (thing === null) {
    const called = say.module.procedures.get(step.procedure).called[name];
    const place = say.build("%(value)s for %(row)s", { value: called ? say.words(called) : small(say.kind(name)), row: named });
    return capital(say.build("The %(name)s becomes %(after)s.", { name: place, after }));
  }
  const noun = say.build("%(value)s for %(row)s", { value: say.fieldName(site.kind, name), row: named });
  const who = site.kind === "game" ? [] : capital(say.thing(site.kind, thing));
  if (say.field(site.kind, name).tells.holds === "") return [];
  if (site.by && who.length && old !== HIDDEN) {
    const more = signOf(site, old, value) === "+";
    const count = more ? value - old : old - value;
    const amount = say.field(site.kind, name).unit
      ? say.build("%(value)s for %(row)s", { value: say.amountOf(site.kind, name, count), row: named }) : phrase({ number: count, minus: MINUS }, " ", named);
    return gained(say, more, who, amount, old, value);
  }
  const place = who.length ? belonging(say, who, noun) : say.build("the %(noun)s", { noun });
  return say.build("%(place)s is now %(after)s.", { place: capital(place), after });
}

function shown(say, site, [thing, name, old, value]) {
  const learnt = value.filter((player) => !old.includes(player));
  if (!learnt.length) return [];
  const field = name.slice(SHOWN.length), noun = say.fieldName(site.kind, field);
  const whose = site.kind === "game" ? say.build("the %(noun)s", { noun }) : belonging(say, say.thing(site.kind, thing), noun);
  const held = say.held(site.kind, thing, field);
  const everybody = learnt.length > 1 && [...say.objects].every(([number, [is]]) => is !== 1 || learnt.includes(number));
  const sees = everybody ? say.build("everybody sees %(what)s", { what: whose })
    : say.build(learnt.length > 1 ? "%(who)s see %(what)s" : "%(who)s sees %(what)s", { who: say.value(learnt, PLAYERS), what: whose });
  return capital(held === null ? phrase(sees, ".") : phrase(sees, ": ", held, "."));
}

function hiddenChange(say, site, [thing, name, old, value]) {
  if (thing === null) return [];
  const { tells } = say.field(site.kind, name);
  if (tells.holds !== undefined && tells.holds === tells.fails) return say.toldChange(site.kind, thing, name, old, value);
  const noun = say.fieldName(site.kind, name);
  if (site.kind === "game") return capital(say.build("The %(noun)s may have changed.", { noun }));
  return say.build("%(place)s may have changed.", { place: capital(belonging(say, say.thing(site.kind, thing), noun)) });
}

function moved(say, site, [thing, name, old, value]) {
  const words = say.toldChange(site.kind, thing, name, old, value);
  if (words !== null) return words;
  const more = signOf(site, old, value) === "+";
  const amount = say.amountOf(site.kind, name, more ? value - old : old - value);
  return gained(say, more, capital(say.thing(site.kind, thing)), amount, old, value);
}

function gained(say, more, who, amount, old, value) {
  if (old === value) return say.build(more ? "%(who)s gains nothing." : "%(who)s pays nothing.", { who });
  const message = more ? "%(who)s gains %(amount)s and now has %(new)s." : "%(who)s pays %(amount)s and has %(new)s left.";
  return say.build(message, { who, amount, new: { number: value } });
}

function announced(say, step, site, details) {
  if (details.includes(HIDDEN)) return [];
  return say.sentence(site.text, Object.fromEntries(site.names.map((name, place) => [name, say.value(details[place], site.details[place])])));
}

function finished(say, step, site, [winners]) {
  if (!winners.length) return say.build("The game is over, and nobody has won.");
  const who = winners.flatMap((winner, place) => [...(place ? [` ${say.and} `] : []), ...say.player(winner)]);
  return say.build(winners.length === 1 ? "The game is over: %(who)s wins." : "The game is over: %(who)s win.", { who });
}

const ACCOUNTS = {
  asked, revealed, rolled, drawn, created, removed, written, announced, finished,
  called: (say, step, site) => phrase(say.procedure(site.procedure), "."),
};

function noted(say, name, value, type, procedure) {
  const about = procedure ? say.module.procedures.get(procedure) : null;
  const called = about?.called[name] ?? "";
  const place = capital(called ? say.build("The %(noun)s", { noun: say.words(called) }) : say.kind(name));
  if (typeof value === "boolean") {
    const clauses = about?.clauses[name];
    if (clauses !== undefined) return phrase(capital(say.words(clauses[value ? "holds" : "fails"])), ".");
    return say.build(value ? "%(place)s now holds." : "%(place)s does not hold.", { place });
  }
  const after = say.value(value, type);
  if (type?.list !== undefined) return say.build("%(place)s, now: %(after)s.", { place, after });
  const counted = called ? uncounted(say.words(called)) : [];
  if (counted.length && type === "number" && value !== 1 && value !== -1) {
    return say.build("There are %(count)s %(noun)s.", { count: after, noun: counted });
  }
  return say.build(called ? "%(place)s becomes %(after)s." : "%(place)s is now %(after)s.", { place, after });
}

/** Returns what a noun counts, such as `defectors` of `number of defectors`, or an empty phrase for other nouns. */
function uncounted([first, ...rest]) {
  if (typeof first !== "string" || !first.startsWith(COUNT) || first.length + rest.length <= COUNT.length) return [];
  return first === COUNT ? rest : [first.slice(COUNT.length), ...rest];
}

const COUNT = "number of ";

function changed(say, kind, thing, name, before, value, type) {
  const words = say.toldChange(kind, thing, name, before, value);
  if (words !== null) return words;
  if (type?.list !== undefined && Array.isArray(before) && Array.isArray(value)) return list(say, kind, thing, name, before, value, type);
  if (kind === "game") return ofTheGame(say, name, value, type);
  return capital(ofAThing(say, kind, thing, name, value, type));
}

function ofAThing(say, kind, thing, name, value, type) {
  const field = say.field(kind, name), who = say.thing(kind, thing), noun = say.fieldName(kind, name);
  if (typeof value === "boolean") return say.build(value ? "%(who)s is now %(noun)s." : "%(who)s is no longer %(noun)s.", { who, noun });
  if (value === null) return say.build("%(who)s no longer has %(noun)s.", { who, noun: one(say, noun) });
  if (field.type === "number" && say.counts(kind, name)) return say.build("%(who)s now has %(noun)s.", { who, noun: say.amountOf(kind, name, value) });
  const after = say.value(value, type);
  if (isTile(say, type)) return say.build("%(who)s goes to %(place)s.", { who, place: after });
  if (` ${text(after)}`.toLowerCase().endsWith(` ${text(noun)}`.toLowerCase())) return say.build("%(who)s now has %(noun)s.", { who, noun: one(say, noun) });
  return say.build(agreeing(say, noun), { place: belonging(say, who, noun), after });
}

function ofTheGame(say, name, value, type) {
  const field = say.field("game", name), words = say.words(field.said);
  if (typeof value === "boolean" && field.clauses.holds !== undefined) {
    return phrase(capital(say.words(field.clauses[value ? "holds" : "fails"])), ".");
  }
  if (value !== null && typeof value !== "boolean") {
    const noun = words.length ? words : say.kind(name);
    const place = words.length || say.data.terms[name] !== undefined ? say.build("The %(noun)s", { noun }) : noun;
    return say.build(agreeing(say, noun), { place: capital(place), after: say.value(value, type) });
  }
  return noted(say, name, value, type, "");
}

/** Returns the items of one list that another lacks, with multiplicity. */
function without(more, fewer) {
  const left = [...fewer];
  const counted = new Map();
  for (const each of more) {
    const at = left.findIndex((other) => same(each, other));
    if (at >= 0) left.splice(at, 1);
    else counted.set(JSON.stringify(each), [...(counted.get(JSON.stringify(each)) ?? []), each]);
  }
  const order = [...new Set(more.map((each) => JSON.stringify(each)))];
  return order.flatMap((key) => counted.get(key) ?? []);
}

function list(say, kind, thing, name, before, after, type) {
  const noun = say.fieldName(kind, name);
  const whose = kind === "game" ? say.build("the %(noun)s", { noun }) : belonging(say, say.thing(kind, thing), noun);
  for (const [more, fewer, messages] of [[after, before, ENTERED], [before, after, LEFT]]) {
    const found = without(more, fewer);
    if (found.length && !without(fewer, more).length) {
      const message = messages[(isPlural(say, noun) ? 0 : 2) + (found.length > 1 ? 1 : 0)];
      return say.build(message, { what: capital(say.value(found, type)), list: whose });
    }
  }
  return say.build("%(place)s, now: %(after)s.", { place: capital(whose), after: say.value(after, type) });
}

// The sentences for one element and for several that entered or left a list: one with a plural noun, or any other.
const ENTERED = [
  "%(what)s is now among %(list)s.", "%(what)s are now among %(list)s.",
  "%(what)s is now in %(list)s.", "%(what)s are now in %(list)s.",
];
const LEFT = [
  "%(what)s is no longer among %(list)s.", "%(what)s are no longer among %(list)s.",
  "%(what)s is no longer in %(list)s.", "%(what)s are no longer in %(list)s.",
];

function isPlural(say, noun) {
  const last = (words) => words.toLowerCase().split(" ").pop();
  const word = last(text(noun));
  return word.endsWith("s") || Object.values(say.data.terms).some(({ plural }) => last(plural) === word);
}

/** Returns the sentence for a new value, in the plural if its noun is the plural of a term with another word for one. */
function agreeing(say, noun) {
  const word = text(noun).toLowerCase();
  const several = Object.values(say.data.terms).some(({ name, plural }) => plural.toLowerCase() === word && name.toLowerCase() !== word);
  return several ? "%(place)s are now %(after)s." : "%(place)s is now %(after)s.";
}

function belonging(say, owner, noun) {
  const short = text(owner).split(/\s+/).filter(Boolean).length < LONG_OWNER;
  return say.build(short ? "%(owner)s’s %(noun)s" : "the %(noun)s of %(owner)s", { owner, noun });
}

function one(say, noun) {
  const word = text(noun), small = word.toLowerCase();
  const alike = Object.values(say.data.terms).some((term) => term.name.toLowerCase() === small && term.plural.toLowerCase() === small);
  return alike ? noun : say.build(article(word) === "an" ? "an %(noun)s" : "a %(noun)s", { noun });
}

function isTile(say, type) {
  const table = type?.optional?.row ?? type?.row;
  const columns = table === undefined ? {} : say.data.tables[table].columns;
  return ["column", "row", "neighbours"].every((column) => columns[column] !== undefined);
}

