/** A ruleset, ready to be played in Node and in browsers. See `rules.js`, which this describes. */

/** What a game may be loaded from, where it is not what lies beside the module. */
export interface Source {
  /** The bytes of `rules.wasm`, or the module made of them. */
  readonly wasm?: BufferSource | WebAssembly.Module;
  /** The text of `rules.json`, or what it holds. */
  readonly data?: string | object;
}

/** Load the rules beside this file, or those that are given. Rejects with GameError. */
export function load(source?: Source): Promise<Rules>;

/** A whole number; one too large for a Number is a BigInt. */
export type Whole = number | bigint;

/** What comes up: the total of a roll, or the id of a card. */
export type Outcome = Whole | string;

/** Plain data, as JSON has it but for whole numbers, which may be large. */
export type Plain = Outcome | boolean | null | readonly Plain[] | { readonly [name: string]: Plain };

export interface Setting {
  readonly title: string;
  readonly default: string;
  readonly choices: Readonly<Record<string, string>>;
}

export interface Settings {
  /** How many play; without it, as few as may. */
  readonly players?: number;
  /** What all dice follow from: the same seed and the same choices give the same game, as in Python. */
  readonly seed?: Whole | string;
  /** The choice of each setting that is not to be at its default. */
  readonly options?: Readonly<Record<string, string>>;
  /** Whether the game stops at rolls and draws, too. */
  readonly stopAtChance?: boolean;
}

export interface Rules {
  readonly reference: string;
  readonly title: string;
  /** The digest of the gameplay: a save is opened by rules of the same one. */
  readonly digest: string;
  /** The fewest and the most who may play. */
  readonly players: readonly [number, number];
  readonly options: Readonly<Record<string, Setting>>;
  /** All that `rules.json` holds; its `format` says what it means. */
  readonly data: { readonly format: number; readonly [name: string]: unknown };

  /** A new game at its first stop. Throws GameError for settings that there are not. */
  newGame(settings?: Settings): Game;
  /** The game that was saved as this text, here or by Python. Throws GameError. */
  openGame(text: string): Game;
  /** A bot: given a game at a decision, the index of the option it takes; the same as Python's by the same seed. */
  bot(name: "random" | "greedy", settings?: { readonly seed?: Whole | string; readonly seat?: number }): Bot;
}

export type Bot = (game: Game) => number;

export interface Option {
  /** Stable: the same in every run of the same game. */
  readonly id: string;
  /** For people; no two options of a decision have the same. */
  readonly label: string;
  /** Its place among the options, from 0. */
  readonly index: number;
}

/** A thing that a question is about. */
export interface Subject {
  readonly name: string;
  readonly kind: string;
  readonly id: string;
  readonly label: string;
}

export interface Decision {
  /** The seat of who is asked, from 1. */
  readonly player: number;
  readonly ask: string;
  /** The step that asks, `procedure.step`. */
  readonly rule: string;
  readonly about: readonly Subject[];
  readonly options: readonly Option[];
}

export interface Chance {
  readonly rule: string;
  /** The notation of the roll, or that it is a card. */
  readonly roll: string;
  /** Every outcome, `ways` of `of` ways to it. Throws GameError where there are too many ways. */
  readonly outcomes: readonly { readonly outcome: Outcome; readonly ways: bigint; readonly of: bigint; readonly probability: number }[];
}

export interface Result {
  /** The seats of the winners, from 1; none of them is a draw. */
  readonly winners: readonly number[];
}

export interface Event {
  /** The step that caused it, `procedure.step`. */
  readonly rule: string;
  readonly verb: string;
  readonly weight: "aside" | "detail" | "normal" | "major";
  /** Whether it came before anybody chose anything. */
  readonly set_up: boolean;
  /** It in a sentence, or empty where nothing is worth saying. */
  readonly text: string;
  /** Its values by name. */
  readonly data: Readonly<Record<string, Plain>>;
}

/** The type of a value, as `rules.json` has it: `"number"`, `{ row: "prices" }`, `{ optional: … }`, `{ list: … }` and so on. */
export type Type = string | null | { readonly [name: string]: unknown };

/** A row of a table: the table and the row's id. */
export type RowOf = readonly [table: string, row: string];

/** What an option touches: objects and rows, each once, in the order of the option; tiles are the rows of boards. */
export interface Choice {
  /** The place of the option among those of the decision. */
  readonly index: number;
  /** Objects, by number. */
  readonly things: readonly number[];
  readonly tiles: readonly RowOf[];
  /** Rows of tables that are no boards. */
  readonly rows: readonly RowOf[];
  /** The option's label. */
  readonly words: string;
}

/** A value that an object holds. */
export interface Field {
  readonly name: string;
  /** What players call it, with a capital. */
  readonly title: string;
  readonly type: Type;
  /** Whether it is not for whoever looks; `value` is null then. */
  readonly hidden: boolean;
  readonly value: Plain;
  /** It in words; empty for a list of more than a dozen. */
  readonly text: string;
}

/** An object of the game, as somebody sees it. */
export interface Seen {
  readonly number: number;
  readonly kind: string;
  readonly label: string;
  /** Whose it is, by seat, from 1; null where it is nobody's. */
  readonly seat: number | null;
  readonly fields: readonly Field[];
}

/** A whole game, as somebody sees it. */
export interface View {
  /** The seat it is seen from: 0 is a spectator's, null sees everything. */
  readonly seat: number | null;
  /** What the game itself holds, but for its settings. */
  readonly game: readonly Field[];
  readonly players: readonly Seen[];
  /** All other objects, in the order in which they came into play. */
  readonly objects: readonly Seen[];
}

export type Entry =
  | readonly ["choose", string]
  | readonly ["chance", Outcome, readonly (readonly number[])[] | null];

export interface Game {
  readonly players: number;
  readonly seed: Whole | string;
  readonly options: Readonly<Record<string, string>>;
  readonly stopAtChance: boolean;
  /** The question that stands, or null at a chance and at the end. */
  readonly decision: Decision | null;
  /** Of that question, what each option touches, in their order; empty without a question. For whoever draws the game. */
  readonly choices: readonly Choice[];
  /** The roll or draw that stands, where the game stops at those. */
  readonly chance: Chance | null;
  /** How the game ended; null while it goes on. */
  readonly result: Result | null;
  /** Every choice and every result of dice and cards so far. */
  readonly record: readonly Entry[];
  /** Everything that happened so far. */
  readonly log: readonly Event[];

  /** The log as the player in a seat is told it, from 1, or a spectator, in seat 0: without what is hidden. */
  told(seat: number): readonly Event[];
  /** The log as people want to read it, from event number `since` on; with a seat, as `told` tells it. */
  story(settings?: { readonly since?: number; readonly seat?: number | null }): readonly string[];

  /** Everything there is, as the player in a seat sees it, from 1, or a spectator, in seat 0; without one, all of it. */
  view(seat?: number | null): View;

  /** Take an option: itself, its id, `#n` (its place from 1), or its index from 0. Throws GameError, RulesFault. */
  choose(option: Option | string | number): void;
  /** Leave the chance that stands to the game's own dice. */
  roll(): void;
  /** Let this come up. Throws GameError for what cannot. */
  resolve(outcome: Outcome): void;
  /** Take back the last choice, roll or result since the game was begun or opened; false where there is none. */
  undo(): boolean;

  /** A copy that goes its own way. */
  clone(): Game;
  /** The state as plain data. */
  toJSON(): Plain;
  /** The text of a save, which Python opens, too. */
  save(): string;
}

/** A game that cannot be set up, opened or gone on with as asked; its message says why. */
export class GameError extends Error {}

/** The rules have led to something impossible; the game is as it was before. */
export class RulesFault extends Error {
  /** The step, or the procedure, at fault. */
  readonly rule: string;
}
