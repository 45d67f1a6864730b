// Choosing on the table: each option affects spaces and objects, and pointing at one keeps the options that affect it.
// Options that affect several are narrowed step by step, and each step can be undone.

/** Returns what an option affects, as keys: `thing 12`, `row board c1r1`. */
export const thingKey = (number) => `thing ${number}`;
export const rowKey = (table, row) => `row ${table} ${row}`;

const keysOf = ({ things, tiles, rows }) => [...things.map(thingKey), ...[...tiles, ...rows].map(([table, row]) => rowKey(table, row))];

export class Picks {
  /** `drawn` says whether a key is visible on the table: invisible ones do not narrow anything. */
  constructor(choices, drawn) {
    this.options = choices.map((choice) => ({ index: choice.index, words: choice.words, keys: new Set(keysOf(choice).filter(drawn)) }));
    this.several = this.options.some(({ keys }) => keys.size > 1);
    this.chosen = [];
  }

  /** Returns the options that affect everything selected so far. */
  get left() {
    return this.options.filter(({ keys }) => this.chosen.every((key) => keys.has(key)));
  }

  get indexes() {
    return this.left.map(({ index }) => index);
  }

  /** Returns the remaining options that affect one of these keys. */
  touching(keys) {
    return this.left.filter((option) => keys.some((key) => option.keys.has(key)));
  }

  /** Returns the keys of an option. */
  keys(index) {
    return this.options.find((option) => option.index === index)?.keys ?? new Set();
  }

  /** Returns whether pointing at one of these keys has an effect: an option affects it, or it is selected. */
  open(keys) {
    return this.touching(keys).length > 0;
  }

  /** Selects a place. Returns the remaining options, or an empty list if it belongs to none. */
  press(keys) {
    if (!this.open(keys)) return [];
    if (!this.several) return this.touching(keys).map(({ index }) => index);
    // If a place has several objects, select the first one not yet selected, or deselect all.
    const fresh = keys.find((key) => !this.chosen.includes(key) && this.touching([key]).length > 0);
    if (fresh === undefined) this.chosen = this.chosen.filter((key) => !keys.includes(key));
    else this.chosen = [...this.chosen, fresh];
    return this.indexes;
  }

  back() {
    this.chosen = this.chosen.slice(0, -1);
  }

  clear() {
    this.chosen = [];
  }

  /** Returns the intended option: the only one left, or the one that affects exactly the selection. */
  get meant() {
    const { left } = this;
    if (!this.chosen.length) return null;
    if (left.length === 1) return left[0];
    const exact = left.filter(({ keys }) => keys.size === this.chosen.length);
    return exact.length === 1 ? exact[0] : null;
  }
}
