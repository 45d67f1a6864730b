// Phrases: the names of objects and values of a game. A phrase is a list of parts: words, `{number}`, `{roll}` or
// `{name, of, article}`, as in the engine's narration. Text is made last.

import { rollText } from "./dice.js";

const MINUS = "\u2212";
const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
const MOST_ROWS = 12;

/** The placeholder for a hidden value. */
export const HIDDEN = Symbol("hidden");

/** Joins pieces to one phrase. */
export function phrase(...pieces) {
  return pieces.flatMap((piece) => (Array.isArray(piece) ? piece : piece === "" ? [] : [piece]));
}

/** Returns a phrase as plain text. */
export function text(said) {
  return said.map(partText).join("");
}

/** Returns a phrase in pieces: words, and dice as `{dice: notation}`. */
export function pieces(said) {
  const found = [];
  for (const part of leaves(said)) {
    const dice = part.roll !== undefined ? rollText(part.roll) : part.dice;
    if (dice !== undefined) found.push({ dice });
    else if (typeof found.at(-1) === "string") found.push(found.pop() + pieceText(part));
    else found.push(pieceText(part));
  }
  return found;
}

/** Returns a part as it is displayed: a number below zero has a minus sign. */
const pieceText = (part) => partText(part.number === undefined ? part : { ...part, minus: MINUS });

function partText(part) {
  if (typeof part === "string") return part;
  if (part.number !== undefined) return part.number < 0 ? `${part.minus ?? "-"}${-part.number}` : String(part.number);
  if (part.roll !== undefined) return `🎲 ${rollText(part.roll)}`;
  if (part.dice !== undefined) return `🎲 ${part.dice}`;
  const said = text(part.name);
  return part.article ? `${part.article} ${said}` : said;
}

const upper = (words) => { const [first = ""] = words; return first.toUpperCase() + words.slice(first.length); };
const lower = (words) => { const [first = ""] = words; return first.toLowerCase() + words.slice(first.length); };

/** Returns a phrase with an initial capital. */
export function capital(said) {
  const [first, ...rest] = said;
  if (typeof first === "string") return [upper(first), ...rest];
  if (first?.name !== undefined) {
    return [first.article ? { ...first, article: upper(first.article) } : { ...first, name: capital(first.name) }, ...rest];
  }
  return said;
}

/** Returns a phrase on its own, such as a title: a term at its start has a capital letter, other words stay. */
export function capitalTerm(said) {
  return said[0]?.of?.[0] === "terms" ? capital(said) : said;
}

/** Returns a phrase for use within a sentence: in lower case, unless it begins with a name. */
export function small(said) {
  const [first, ...rest] = said;
  if (typeof first === "string") return [lower(first), ...rest];
  if (first?.name !== undefined && !first.article && first.of[0] === "kinds") return [{ ...first, name: small(first.name) }, ...rest];
  return said;
}

/** Joins phrases to a list: `a`, `a and b`, `a, b and c`. */
export function listed(said, and = "and") {
  return said.flatMap((each, place) => (place ? [place === said.length - 1 ? ` ${and} ` : ", ", ...each] : each));
}

function leaves(said) {
  return said.flatMap((part) =>
    part.name === undefined ? [part] : [...(part.article ? [`${part.article} `] : []), ...leaves(part.name)],
  );
}

/** Returns whether a phrase is plural. */
export function isSeveral(said) {
  const [number, words] = leaves(said);
  return number?.number !== undefined && typeof words === "string" && number.number >= 0 && number.number !== 1 && words.startsWith(" ");
}

/** Returns the indefinite article of a noun. */
export function article(noun) {
  return noun && "aeio".includes(noun[0].toLowerCase()) ? "an" : "a";
}

/** Ends a sentence with a full stop, unless it has its own punctuation. */
export function ended(said) {
  return /[.!?]$/.test(text(said)) ? said : phrase(said, ".");
}

function ordinal(place) {
  if (place <= ORDINALS.length) return ORDINALS[place - 1];
  const tail = [11, 12, 13].includes(place % 100) ? "th" : { 1: "st", 2: "nd", 3: "rd" }[place % 10] ?? "th";
  return `${place}${tail}`;
}

const isNothing = (value) =>
  value === null || value === 0 || value === false || value === "" || value === HIDDEN || (Array.isArray(value) && !value.length);

/** Returns words in lower case with an initial capital, like Python's `capitalize`. */
const capitalized = (words) => upper(words.toLowerCase());
const spaced = (words) => words.replaceAll("_", " ");

/**
 * Phrases for the values of one game. `objects` are the objects by number, each with its kind first. `names` are the
 * players' own names by seat.
 */
export class PhraseBuilder {
  constructor(module, objects, names = {}) {
    this.module = module;
    this.names = names;
    this.data = module.data;
    this.objects = objects;
    this.gone = new Set();
  }

  // -- sentences of the log ------------------------------------------------------------------------

  /** The word before the last item of a list. */
  get and() {
    return this.data.language?.and ?? "and";
  }

  /** Returns a message in the language of the rules, with phrases or parts in place of `%(name)s`. */
  build(message, parts = {}) {
    const said = this.data.language?.messages[message] ?? message;
    return phrase(...said.split(/%\((\w+)\)s/).map((piece, at) => (at % 2 ? parts[piece] : piece)));
  }

  /** Returns a message in the language of the rules as text, with texts in place of `%(name)s`. */
  message(message, values) {
    return this.build(message, values).join("");
  }

  /** Returns an English article, or nothing in another language. */
  #article(word) {
    return this.data.language === undefined ? word : "";
  }

  // -- words of the rules --------------------------------------------------------------------------

  /** Returns a text for readers with its placeholders filled in. */
  words(written) {
    return this.#about(written, null, "", []);
  }

  /** Returns a sentence with the given phrases in it, with a capital letter and a full stop. */
  sentence(written, given) {
    return written ? capital(ended(this.#about(written, null, "", [], given))) : [];
  }

  #about(written, thing, kind, values, given = {}) {
    if (!/[{}]/.test(written)) return written ? [written] : [];
    return this.data.templates[written].flatMap((part, place, parts) => {
      const told = part.own === undefined ? given[part.given] : thing === null ? undefined : this.#own(part, thing, kind, values);
      if (part.own === undefined && part.given === undefined) return [part];
      if (told === undefined) return [part.written];
      const [first, ...rest] = told, before = parts[place - 1];
      // The text may have the article already.
      const again = first?.name !== undefined && typeof before === "string" && before.toLowerCase().endsWith("the ");
      return again ? [{ ...first, article: "" }, ...rest] : first === undefined ? [] : [first, ...rest];
    });
  }

  #own(part, thing, kind, values) {
    if (!part.own) return this.thing(kind, thing);
    const [name, ...path] = part.own.split(".");
    const place = this.place(kind, name);
    if (place < 1) return [part.written];
    return this.value(...path.reduce(([value, type], each) => this.#inside(value, type, each), [values[place], this.field(kind, name).type]));
  }

  /** Returns a column of a row or a part of a record, with its type. A value that is none or hidden stays. */
  #inside(value, type, name) {
    const inner = type.optional ?? type;
    if (inner.row !== undefined && typeof value === "string") {
      const { rows, columns } = this.data.tables[inner.row];
      return [rows.find(({ id }) => id === value).cells[name], columns[name]];
    }
    const at = inner.record !== undefined && Array.isArray(value) ? inner.parts.findIndex(([part]) => part === name) : -1;
    return at < 0 ? [value, type] : [value[at], inner.parts[at][1]];
  }

  field(kind, name) {
    return this.module.kinds.get(kind).fields.find((field) => field.name === name);
  }

  /** Returns the index of a field in an object of a kind, or 0 if it has no such field. */
  place(kind, name) {
    return this.module.kinds.get(kind).fields.findIndex((field) => field.name === name) + 1;
  }

  term(id, form = "name") {
    return [{ name: phrase(this.data.terms[id][form]), of: ["terms", id], article: "" }];
  }

  // -- objects -------------------------------------------------------------------------------------

  player(thing) {
    const named = this.names[thing];
    return [{ name: named === undefined ? this.build("Player %(seat)s", { seat: { number: thing } }) : [named], of: ["objects", `player-${thing}`], article: "" }];
  }

  kind(kind) {
    return this.data.terms[kind] === undefined ? this.#oneOf(kind) : this.term(kind);
  }

  #oneOf(kind) {
    const one = this.module.kinds.get(kind)?.said.one;
    if (one !== undefined) return [{ name: this.words(one), of: ["kinds", kind], article: "" }];
    return this.data.terms[kind] === undefined ? [capitalized(spaced(kind))] : this.term(kind);
  }

  thing(kind, thing) {
    if (kind === "player") return this.player(thing);
    const label = this.#label(kind, thing, this.objects.get(thing));
    return [label.length ? this.#labelled(kind, thing, label) : this.#amongItsKind(kind, thing)];
  }

  /** Returns a thing on its own, such as an option: its label with a capital letter and without an article. */
  titleOf(kind, thing) {
    const label = kind === "player" ? [] : this.#label(kind, thing, this.objects.get(thing));
    return label.length && articleOf(label) ? capital(label) : this.thing(kind, thing);
  }

  #labelled(kind, thing, label) {
    return { name: label, of: ["objects", `${kind}-${thing}`], article: this.#article(articleOf(label)) };
  }

  /** Returns the phrase for a new object. */
  newThing(kind, thing) {
    const label = this.#label(kind, thing, this.objects.get(thing));
    return [label.length ? this.#labelled(kind, thing, label) : this.#one(kind, thing)];
  }

  #one(kind, thing) {
    const one = this.#oneOf(kind);
    return { name: one, of: ["objects", `${kind}-${thing}`], article: this.#article(article(text(one))) };
  }

  #amongItsKind(kind, thing) {
    const { number } = this.module.kinds.get(kind);
    const others = [...this.objects].filter(([each, held]) => held[0] === number && !this.gone.has(each)).map(([each]) => each);
    others.sort((one, other) => one - other);
    const place = others.indexOf(thing);
    if (place < 0) return this.#one(kind, thing);
    const one = this.#oneOf(kind);
    const counted = this.data.language === undefined ? phrase(`${ordinal(place + 1)} `, one) : phrase(one, ` ${place + 1}`);
    return { name: others.length === 1 ? one : counted, of: ["objects", `${kind}-${thing}`], article: this.#article("the") };
  }

  #label(kind, thing, values) {
    const labels = Object.entries(this.module.kinds.get(kind).labels);
    if (!labels.length || values === undefined) return [];
    for (const [name, words] of labels) {
      const place = this.place(kind, name);
      if (this.#hides(words, kind, values)) continue;
      if (!name || place < 1 || !isNothing(values[place])) return this.#about(words, thing, kind, values);
    }
    return [];
  }

  #hides(words, kind, values) {
    if (!values.includes(HIDDEN)) return false;
    return (this.data.named[words] ?? []).some((name) => values[this.place(kind, name)] === HIDDEN);
  }

  // -- values --------------------------------------------------------------------------------------

  row(table, row) {
    const { title } = this.data.tables[table].rows.find((each) => each.id === row);
    return [{ name: this.words(title), of: ["tables", table, row], article: "" }];
  }

  /** Returns the phrase for a value of a type. */
  value(value, type) {
    if (value === null) return this.build("none");
    if (value === HIDDEN) return this.build("hidden");
    if (type?.optional !== undefined) return this.value(value, type.optional);
    if (type?.thing !== undefined && typeof value === "number") return this.thing(type.thing, value);
    if (type?.row !== undefined && typeof value === "string") return this.row(type.row, value);
    if (type === "choice") return phrase(spaced(value));
    if (type?.list !== undefined) return this.#listed(value.map((each) => this.value(each, type.list)));
    if (type?.map !== undefined) return this.#byRow(value, type);
    if (type?.record !== undefined) return this.#record(value, type);
    if (typeof value === "boolean") return this.build(value ? "yes" : "no");
    if (typeof value === "number" || typeof value === "bigint") return [{ number: value }];
    return typeof value === "object" ? [{ roll: value }] : phrase(String(value));
  }

  #byRow(held, type) {
    const rows = this.module.rows.get(type.map).map((row, place) => [row, held[place]]);
    const told = rows.filter(([, value]) => !isNothing(value) || held.length <= MOST_ROWS);
    return this.#listed(told.map(([row, value]) => phrase(this.row(type.map, row), " ", this.value(value, type.of))));
  }

  #listed(said) {
    return said.length ? listed(said, this.and) : this.build("nothing");
  }

  /** Returns the phrase for a record. A part that is none is left out, in a label together with the words before it. */
  #record(held, type) {
    const declared = this.data.records[type.record];
    const told = new Map(type.parts.map(([name, part], place) => [name, held[place] === null ? [] : this.value(held[place], part)]));
    if (declared.label !== null) {
      const parts = [];
      let before = [];
      for (const part of declared.label) {
        if (part.own === undefined) before.push(part);
        else {
          if (told.get(part.own).length) parts.push(...before, ...told.get(part.own));
          before = [];
        }
      }
      return [...parts, ...before];
    }
    const named = [...told].filter(([, said]) => said.length).map(([name, said]) => phrase(this.#partName(type, name), " ", said));
    const inside = named.flatMap((said, place) => (place ? [", ", ...said] : said));
    const one = declared.said.one ? this.words(declared.said.one) : phrase(spaced(type.record));
    return phrase(one, " (", inside, ")");
  }

  #partName(type, name) {
    const said = this.data.records[type.record].called[name];
    if (said) return this.words(said);
    return this.data.terms[name] === undefined ? small(this.kind(name)) : this.kind(name);
  }

  /** Returns the phrase for an option without words of its own. In another language, its words are in `called`. */
  choice(value, called = {}) {
    if (value in called && this.data.language !== undefined) return capital(this.words(called[value]));
    return this.data.terms[value] === undefined ? capital(phrase(spaced(value))) : capital(this.term(value));
  }

  setting(option, choice) {
    return [{ name: capitalTerm(this.words(this.data.options[option].choices[choice])), of: ["options", option, choice], article: "" }];
  }

  option(option) {
    return [{ name: capitalTerm(this.words(this.data.options[option].title)), of: ["options", option], article: "" }];
  }

  procedure(procedure) {
    const { title } = this.module.procedures.get(procedure);
    const words = title ? this.words(title) : phrase(capitalized(spaced(procedure)));
    return [{ name: capitalTerm(words), of: ["procedures", procedure], article: "" }];
  }

  /** Returns the phrase for an amount of a term, or of a field that the rules name so. */
  amount(number, name) {
    if (this.data.terms[name] === undefined) {
      return this.field("player", name) ? this.amountOf("player", name, number) : phrase({ number }, " ", spaced(name));
    }
    return phrase({ number }, " ", this.term(name, number === 1 ? "name" : "plural"));
  }

  // -- fields --------------------------------------------------------------------------------------

  fieldName(kind, name) {
    let words = this.#said(kind, name);
    if (!words.length) words = this.data.terms[name] === undefined ? small(this.kind(name)) : this.kind(name);
    return [{ name: words, of: ["kinds", kind, name], article: "" }];
  }

  /** Returns the phrase for a field with its value, for a list of fields. */
  fieldInWords(kind, thing, name) {
    const values = this.objects.get(thing);
    if (values === undefined) return [];
    const value = values[this.place(kind, name)], named = this.fieldName(kind, name);
    if (value === HIDDEN) return this.build("hidden %(noun)s", { noun: named });
    if (value === null || (Array.isArray(value) && !value.length)) return this.build("no %(noun)s", { noun: named });
    if (typeof value === "boolean") return value ? named : this.build("not %(noun)s", { noun: named });
    return phrase(named, " ", this.value(value, this.field(kind, name).type));
  }

  /** Returns the phrase for the value of a field, or null if it is hidden from the viewer. */
  held(kind, thing, name) {
    const value = this.objects.get(thing)?.[this.place(kind, name)];
    return value === undefined || value === HIDDEN ? null : this.value(value, this.field(kind, name).type);
  }

  amountOf(kind, name, number) {
    const field = this.field(kind, name);
    let unit = this.words(number === 1 ? field.one : field.unit || field.said);
    if (!unit.length) {
      const term = this.data.counted[name];
      unit = term === undefined ? phrase(text(this.kind(name)).toLowerCase()) : this.term(term, number === 1 ? "name" : "plural");
    }
    return phrase({ number, minus: MINUS }, " ", { name: unit, of: ["kinds", kind, name], article: "" });
  }

  counts(kind, name) {
    return Boolean(this.field(kind, name).unit) || this.data.counted[name] !== undefined;
  }

  #said(kind, name) {
    if (!this.module.kinds.has(kind)) return [];
    const field = this.field(kind, name);
    if (field === undefined) return [];
    const term = field.type === "number" && kind !== "game" ? this.data.counted[name] : undefined;
    const said = this.words(field.said);
    return said.length || term === undefined ? said : this.term(term, "plural");
  }

  // -- custom sentences ------------------------------------------------------------------------------

  /** Returns the rules' own sentence for an object that is created or removed, or null. */
  told(kind, thing, way, step) {
    const words = step.words.tells ?? this.module.kinds.get(kind).tells[way];
    if (words === undefined) return null;
    return this.#told(kind, thing, this.objects.get(thing) ?? [], words, null);
  }

  /** Returns the rules' own sentence for a changed field, or null. */
  toldChange(kind, thing, name, before, value) {
    const words = this.field(kind, name).tells[isNothing(value) && value !== HIDDEN ? "fails" : "holds"];
    if (words === undefined) return null;
    const values = [...(this.objects.get(thing) ?? [])], known = [...values], place = this.place(kind, name);
    if (place > 0 && place < values.length) {
      values[place] = value;
      known[place] = before;
    }
    return this.#told(kind, thing, values, words, known);
  }

  #told(kind, thing, values, words, known) {
    if (!words) return [];
    const mirror = new PhraseBuilder(this.module, new Map(this.objects).set(thing, known ?? values), this.names);
    mirror.gone = this.gone;
    return capital(ended(mirror.#about(words, thing, kind, values)));
  }
}

/** Returns the id of a value as an option. */
export function identity(value, type) {
  if (value === null) return "none";
  if (type?.optional !== undefined) return identity(value, type.optional);
  if (type?.thing !== undefined) return `${type.thing}-${value}`;
  if (type?.list !== undefined) return value.map((each) => identity(each, type.list)).join("+") || "nothing";
  if (type?.record !== undefined) return value.map((each, place) => identity(each, type.parts[place][1])).join("/");
  if (typeof value === "boolean") return value ? "True" : "False";
  return typeof value === "object" ? rollText(value) : String(value);
}

// -- labels of options -----------------------------------------------------------------------------

/** Returns the label of each option. */
export function optionLabels(values, type, say, called = {}) {
  const inner = type?.optional !== undefined ? type.optional : type;
  const said = values.map((each) => label(each, inner, say, null, called));
  if (new Set(said).size === said.length) return said;
  const own = thingsApart(values, inner, say);
  return own.size ? values.map((each) => label(each, inner, say, own, called)) : said;
}

/** The elements of a decision whose options are all selections of `at_least` to `at_most` of them. With `in_order`, their
 * order matters. */
class Subset {
  constructor(elements, at_least, at_most, in_order) {
    Object.assign(this, { elements, at_least, at_most, ...(in_order ? { in_order } : {}) });
  }

  /** Returns the index of the option with these elements, by their indexes, or null if their number is wrong. */
  find(chosen) {
    const many = this.elements.length, size = chosen.length;
    if (size < this.at_least || size > this.at_most) return null;
    const ways = this.in_order ? permutations : combinations;
    let place = 0, after = 0;
    for (let fewer = this.at_least; fewer < size; fewer += 1) place += ways(many, fewer);
    if (this.in_order) {
      chosen.forEach((each, at) => {
        const skipped = each - chosen.slice(0, at).filter((earlier) => earlier < each).length;
        place += skipped * permutations(many - 1 - at, size - 1 - at);
      });
      return place;
    }
    [...chosen].sort((a, b) => a - b).forEach((each, at) => {
      for (let skipped = after; skipped < each; skipped += 1) place += combinations(many - 1 - skipped, size - 1 - at);
      after = each + 1;
    });
    return place;
  }
}

/** Returns the elements of which the options are selections. The first selections of a size differ only in their last
 * element, so they show the whole list. */
export function subsetOf(values, type, say, inOrder = false) {
  const inner = type?.optional !== undefined ? type.optional : type;
  const selections = values.filter((value) => value !== null), sizes = selections.map((value) => value.length);
  const least = sizes[0], most = sizes[sizes.length - 1], size = Math.max(least, 1);
  const same = selections.filter((value) => value.length === size);
  let many = size;
  const ways = inOrder ? permutations : combinations;
  while (same.length && ways(many, size) < same.length) many += 1;
  const elements = same.length ? [...same[0].slice(0, -1), ...same.slice(0, many - size + 1).map((value) => value[size - 1])] : [];
  return new Subset(numbered(optionLabels(elements, inner.list, say), say), least, most, inOrder);
}

function permutations(many, size) {
  let result = size > many ? 0 : 1;
  for (let at = 0; at < size && result; at += 1) result *= many - at;
  return result;
}

function combinations(many, size) {
  let result = size > many ? 0 : 1;
  for (let at = 1; at <= size && result; at += 1) result = (result * (many - size + at)) / at;
  return result;
}

const PREPOSITIONS = ["of", "at", "in", "on", "from", "with"];

/** Returns the article of a thing with a label, which has one if it is a noun and not a name: `bed of Player 1`, but not `bed 3`. */
function articleOf(label) {
  const isTerm = (part) => part?.of?.[0] === "terms", [first] = label;
  const word = isTerm(first) ? first.name[0] : "";
  if (typeof word !== "string" || !word || word[0] === upper(word[0])) return "";
  const after = label.find((part) => !isTerm(part) && part !== " ");
  return after === undefined || (typeof after === "string" && PREPOSITIONS.includes(after.trim().split(/\s+/)[0])) ? "the" : "";
}

function label(value, type, say, own, called) {
  if (value === null) return text(say.build("None of these"));
  if (type === "choice") return text(say.choice(value, called));
  if (type?.thing !== undefined) return own === null ? text(say.titleOf(type.thing, value)) : own.get(value);
  if (type?.list !== undefined) return value.map((each) => label(each, type.list, say, own, called)).join(", ") || text(say.build("Nothing"));
  return text(say.value(value, type));
}

function thingsApart(values, type, say) {
  const inner = type?.list !== undefined ? type.list : type;
  const found = new Map();
  if (inner?.thing === undefined) return found;
  const things = [...new Set(values.flat().filter((each) => each !== null))];
  const alike = new Map();
  for (const thing of things) {
    const called = text(say.titleOf(inner.thing, thing));
    alike.set(called, [...(alike.get(called) ?? []), thing]);
  }
  for (const [called, group] of alike) {
    const more = group.length > 1 ? differences(group, inner.thing, say) : [""];
    group.forEach((thing, place) => found.set(thing, more[place] ? `${called} (${more[place]})` : called));
  }
  return found;
}

function differences(group, kind, say) {
  const columns = [];
  for (const { name } of say.module.kinds.get(kind).fields) {
    const column = group.map((thing) => text(say.fieldInWords(kind, thing, name)));
    if (new Set(column).size > 1) columns.push(column);
  }
  const classes = (taken) => (taken.length ? new Set(group.map((_, place) => JSON.stringify(taken.map((each) => each[place])))).size : 1);
  const taken = [];
  while (columns.length && classes(taken) < group.length) {
    const counts = columns.map((column) => classes([...taken, column]));
    const best = counts.indexOf(Math.max(...counts));
    if (counts[best] === classes(taken)) break;
    taken.push(...columns.splice(best, 1));
  }
  const said = group.map((_, place) => taken.map((column) => column[place]).filter(Boolean).join(", "));
  const counts = said.map((each) => said.filter((other) => other === each).length), seen = new Map();
  return said.map((each, place) => {
    if (counts[place] === 1) return each;
    seen.set(each, (seen.get(each) ?? 0) + 1);
    return [each, numeral(seen.get(each), say)].filter(Boolean).join(", ");
  });
}

/** Numbers labels that are the same. */
export function numbered(said, say) {
  if (new Set(said).size === said.length) return said;
  const counts = new Map(), seen = new Map();
  for (const each of said) counts.set(each, (counts.get(each) ?? 0) + 1);
  return said.map((each) => {
    seen.set(each, (seen.get(each) ?? 0) + 1);
    return counts.get(each) > 1 ? `${each} (${numeral(seen.get(each), say)})` : each;
  });
}

function numeral(place, say) {
  if (place <= ORDINALS.length && say.data.language === undefined) return ORDINALS[place - 1];
  return say.message("number %(place)s", { place });
}

/** Returns a value as JSON data: objects by id, rolls in notation, maps and records by name. */
export function plain(value, type, module) {
  if (value === null) return null;
  if (type?.optional !== undefined) return plain(value, type.optional, module);
  if (type?.thing !== undefined) return identity(value, type);
  if (type?.list !== undefined) return value.map((each) => plain(each, type.list, module));
  if (type?.map !== undefined) {
    return Object.fromEntries(module.rows.get(type.map).map((row, place) => [row, plain(value[place], type.of, module)]));
  }
  if (type?.record !== undefined) {
    return Object.fromEntries(type.parts.map(([name, part], place) => [name, plain(value[place], part, module)]));
  }
  return typeof value === "object" ? rollText(value) : value;
}

