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
  /** What players want to be called, by their seats: in words alone, no save knows of it. */
  readonly names?: Names;
}

export type Names = Readonly<Record<number, string>>;

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

  /** Words of `data`, such as the title of a row, with what stands in braces said as players call it. */
  words(written: string): string;
  /** A new game at its first stop. Throws GameError for settings that there are not. */
  newGame(settings?: Settings): Game;
  /** The game that was saved as this text, here or by Python. Throws GameError. */
  openGame(text: string, settings?: { readonly names?: Names }): Game;
  /** The bots that these rules can have. */
  bots(): readonly BotKind[];
  /** A bot by its name, such as `mcts:200`. Throws GameError for one that these rules cannot have. */
  bot(name: string, settings?: { readonly seed?: Whole | string; readonly seat?: number }): Bot;
  /** Whole games between bots, gone through in pieces; what it comes to are the counts of all. Throws GameError. */
  simulate(settings?: Simulation): Generator<Progress, Counts>;
}

export interface BotKind {
  readonly name: string;
  /** What it does, in a sentence. */
  readonly does: string;
  /** The number behind its name, as in `mcts:200`, where there is none; without it, none may be there. */
  readonly setting?: number;
  /** The largest there may be. */
  readonly most?: number;
}

/** Given a game at a decision, the index of the option it takes: the one that Python's takes by the same seed. */
export interface Bot {
  (game: Game): number;
  readonly name: string;
  /** How far it has used up its stream of chance: set it to what it was, and the bot chooses again as it did then. */
  position: number;
  /**
   * The same in pieces: it pauses after so many tries, and what it comes to is the index. Whoever goes on with none of it
   * has changed nothing. All bots of one `load()` think one after the other: one that another has overtaken throws GameError.
   */
  thinking(game: Game, tries?: number): Generator<void, number>;
}

/** Game number n, from 0, has the seed `seed`/n, and everybody moves one seat on with every game. */
export interface Simulation {
  /** A bot for each place at the table; without them, `players` that take any option. */
  readonly bots?: readonly string[];
  readonly players?: number;
  /** How many games: 1000, if nothing is said. */
  readonly games?: number;
  readonly seed?: Whole | string;
  /** Settings, beside those that the rules want for simulations. */
  readonly options?: Readonly<Record<string, string>>;
  /** Decisions after which a game is given up. */
  readonly most?: number;
  /** Tries after which it pauses, about. */
  readonly tries?: number;
}

export interface Progress {
  /** Games that are over, of so many. */
  readonly done: number;
  readonly games: number;
  /** What these came to. */
  counts(): Counts;
}

/** What games came to: what `rulewright simulate` counts by the same seed. Pairs are in order. */
export interface Counts {
  readonly done: number;
  readonly games: number;
  /** By the places of `bots`. */
  readonly wins: readonly number[];
  /** By seats, the first to the last. */
  readonly wins_by_seat: readonly number[];
  readonly draws: number;
  readonly unfinished: number;
  /** Of all games together. */
  readonly decisions: number;
  /** So many decisions had so many games. */
  readonly lengths: readonly (readonly [number, number])[];
  /** The rules that ended so many games. */
  readonly decided: readonly (readonly [string | null, number])[];
  /** By measure: a value, and how many games came to it. */
  readonly measures: Readonly<Record<string, readonly (readonly [Whole, number])[]>>;
  /** By measure that is reported over something: a moment, and the sum, number and sum of squares of its values then. */
  readonly series: Readonly<Record<string, readonly (readonly [Whole, readonly [Whole, number, Whole]])[]>>;
}

/**
 * What a worker hears. `asked` is how often the bot has chosen in this game before; without it, it goes on from its last
 * choice in whatever game that was.
 */
export type ToBots =
  | { readonly kind: "rules"; readonly wasm: BufferSource | WebAssembly.Module; readonly data: string | object; readonly id?: number | string }
  | {
      readonly kind: "think";
      readonly id: number | string;
      readonly save: string;
      readonly bot: string;
      readonly seed?: Whole | string;
      readonly seat?: number;
      readonly asked?: number;
    }
  | (Omit<Simulation, "tries"> & { readonly kind: "games"; readonly id: number | string })
  | { readonly kind: "stop" };

/** What it answers, with the `id` that it was asked with; the counts of games come several times, the last time `over`. */
export type FromBots = { readonly id?: number | string } & (
  | { readonly ready: string; readonly bots: readonly BotKind[] }
  | { readonly index: number }
  | (Counts & { readonly over?: true })
  | { readonly stopped: true }
  | { readonly error: string; readonly rule?: string }
);

/** Have bots think and play in a worker: call `serveBots(self)` there. */
export function serveBots(scope: { onmessage: unknown; postMessage(message: FromBots): void }): void;

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

/** A line of the story. */
export interface Line {
  readonly text: string;
  /** The same in pieces: words, and dice, which a page may draw. */
  readonly pieces: readonly (string | { readonly dice: string })[];
  /** The step that it is of, `procedure.step`; empty where it is of no one step. */
  readonly rule: string;
  /** How many events of the log had happened when it could be told. */
  readonly events: number;
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

/** Who looks: the player in a seat, from 1; a spectator, 0; or somebody who may see everything. */
export type Viewer = number | "everything";

/** A whole game, as somebody sees it. */
export interface View {
  /** The seat it is seen from: 0 is a spectator's; `"everything"` leaves nothing out. */
  readonly seat: Viewer;
  /** What the game itself holds, but for its settings. */
  readonly game: readonly Field[];
  readonly players: readonly Seen[];
  /** All other objects, in the order in which they came into play. */
  readonly objects: readonly Seen[];
}

export type Entry =
  | readonly ["choose", string]
  | readonly ["chance", Outcome, readonly (readonly number[])[] | null];

/** A game as somebody may know it: null stands for each choice and result that the seat was not told. */
export interface SeatRecord {
  readonly format: 1;
  readonly ruleset: string;
  readonly digest: string;
  readonly players: number;
  readonly options: Readonly<Record<string, string>>;
  readonly seat: number;
  readonly record: readonly (Entry | readonly ["choose", null] | readonly ["chance", null, null])[];
  readonly log: readonly Event[];
}

/** What was played before, to be gone through again. Throws GameError for what these rules do not lead to. */
export function openExample(rules: Rules, data: ExampleData): Example;

/** An example as data: what was chosen and came up, from a beginning on. */
export interface ExampleData {
  /** A state with one procedure about to begin; without it, a whole game. */
  readonly state?: Plain;
  readonly players: number;
  readonly seed?: Whole | string;
  readonly options?: Readonly<Record<string, string>>;
  readonly record: readonly Entry[];
  /** The numbers of the events to show; without it, those of a story. */
  readonly shown?: readonly number[];
  /** How many events there are, up to its end: the rules may lead further. */
  readonly events: number;
}

/** How an example stands. */
export interface Moment {
  /** How many events have happened. */
  readonly events: number;
  /** How many choices and results have led to them. */
  readonly chosen: number;
  /** What the example chooses, or lets come up, at the question or the chance that stands; else null. */
  readonly entry: Entry | null;
  readonly decision: Decision | null;
  readonly choices: readonly Choice[];
  readonly chance: Chance | null;
}

/** Something that was played before, told step by step. */
export interface Example {
  readonly players: number;
  /** The procedure that is carried out alone; null for a whole game. */
  readonly procedure: string | null;
  readonly steps: readonly Line[];
  /** How it stands when so many steps have been told, from 0 to all of them. */
  at(place: number): Moment;
  /** What somebody sees then, as `view` of a game tells it. */
  view(place: number, seat?: Viewer | null): View;
  /** The first so many choices and results. */
  record(chosen: number): readonly Entry[];
  /** The events from one number on, up to another that is not among them. */
  events(from: number, to: number): readonly Event[];
  /** A game of one's own from there on: with its own dice, or where it is one procedure alone, with those of a seed. */
  leave(place: number, settings?: { readonly seed?: Whole | string }): Game;
}

export interface Game {
  /** The procedure that is carried out alone, from a state of its own; null in a whole game. */
  readonly procedure: string | null;
  readonly players: number;
  readonly seed: Whole | string;
  readonly options: Readonly<Record<string, string>>;
  readonly stopAtChance: boolean;
  readonly names: Names;
  /** What the player in a seat is called. Throws GameError for a seat that there is not. */
  nameOf(seat: number): string;
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

  /** The log without what is hidden from the player in a seat, from 1, or from a spectator, in seat 0. */
  logFor(seat: number): readonly Event[];
  /** What happened as the player in a seat may know it, from 1, or a spectator, in seat 0: data to send, without the seed. */
  recordFor(seat: number): SeatRecord;
  /** The log as people want to read it, from event number `since` on; with a seat, that of `logFor`. */
  story(settings?: { readonly since?: number; readonly seat?: number | null }): readonly string[];
  /** That story, each line of it in pieces, and with its step. */
  lines(settings?: { readonly since?: number; readonly seat?: number | null }): readonly Line[];

  /** What the player in a seat sees, from 1; without one, or in seat 0, a spectator. `"everything"` leaves nothing out. */
  view(seat?: Viewer | null): View;

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
