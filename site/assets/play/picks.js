// What can be pointed out on the table: each option touches places and things; pointing one out leaves the options that
// touch it. Options that touch several are narrowed down step by step, and each step can be taken back.

/** What an option touches, as texts: `thing 12`, `row board c1r1`. */
export const thingKey = (number) => `thing ${number}`;
export const rowKey = (table, row) => `row ${table} ${row}`;

const keysOf = ({ things, tiles, rows }) => [...things.map(thingKey), ...[...tiles, ...rows].map(([table, row]) => rowKey(table, row))];

export class Picks {
  /** `drawn` says of a key whether anything on the table stands for it: what nobody sees narrows nothing. */
  constructor(choices, drawn) {
    this.options = choices.map((choice) => ({ index: choice.index, words: choice.words, keys: new Set(keysOf(choice).filter(drawn)) }));
    this.several = this.options.some(({ keys }) => keys.size > 1);
    this.chosen = [];
  }

  /** The options that touch all that was pointed out so far. */
  get left() {
    return this.options.filter(({ keys }) => this.chosen.every((key) => keys.has(key)));
  }

  get indexes() {
    return this.left.map(({ index }) => index);
  }

  /** The options that are left and touch one of these. */
  touching(keys) {
    return this.left.filter((option) => keys.some((key) => option.keys.has(key)));
  }

  /** What an option touches. */
  keys(index) {
    return this.options.find((option) => option.index === index)?.keys ?? new Set();
  }

  /** Whether pointing at one of these says anything: some option touches it, or it was chosen and can be taken back. */
  open(keys) {
    return this.touching(keys).length > 0;
  }

  /** Point at a place: the options that are meant now, or none where it is not one of any. */
  press(keys) {
    if (!this.open(keys)) return [];
    if (!this.several) return this.touching(keys).map(({ index }) => index);
    // Of several things in one place the first that is not chosen yet; once all are, they are taken back.
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

  /** The option that is meant as it stands: the only one that is left, or the one that touches this and no more. */
  get meant() {
    const { left } = this;
    if (!this.chosen.length) return null;
    if (left.length === 1) return left[0];
    const exact = left.filter(({ keys }) => keys.size === this.chosen.length);
    return exact.length === 1 ? exact[0] : null;
  }
}
