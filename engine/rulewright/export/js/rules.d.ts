/** A ruleset that can be played in Node and in browsers. Types of `rules.js`. */

/** The files to load instead of those beside the module. */
export interface Source {
  /** The bytes of `rules.wasm`, or a compiled module. */
  readonly wasm?: BufferSource | WebAssembly.Module;
  /** The text of `rules.json`, or its parsed content. */
  readonly data?: string | object;
}

/** Loads the rules beside this file, or the given ones. Rejects with GameError if a file is missing or damaged. */
export function load(source?: Source): Promise<Rules>;

/** An integer. One that is too large for a Number is a BigInt. */
export type Whole = number | bigint;

/** A chance result: the total of a roll, or the id of a card. */
export type Outcome = Whole | string;

/** JSON data, in which integers may be BigInts. */
export type Plain = Outcome | boolean | null | readonly Plain[] | { readonly [name: string]: Plain };

export interface Setting {
  readonly title: string;
  readonly default: string;
  readonly choices: Readonly<Record<string, string>>;
}

export interface Settings {
  /** The number of players. Default: the minimum. */
  readonly players?: number;
  /** The random seed. The same seed and choices give the same game, as in Python. */
  readonly seed?: Whole | string;
  /** The choices of settings. Default: that of each setting. */
  readonly options?: Readonly<Record<string, string>>;
  /** Whether the game stops at rolls and draws. */
  readonly stopAtChance?: boolean;
  /** The players' own names by seat. They are not part of saves. */
  readonly names?: Names;
}

export type Names = Readonly<Record<number, string>>;

export interface Rules {
  readonly reference: string;
  readonly title: string;
  /** The digest of the gameplay. Saves need rules with the same one. */
  readonly digest: string;
  /** The minimum and maximum number of players. */
  readonly players: readonly [number, number];
  readonly options: Readonly<Record<string, Setting>>;
  /** The content of `rules.json`, in the version that its `format` says. */
  readonly data: { readonly format: number; readonly [name: string]: unknown };

  /** Returns a text of `data`, such as the title of a row, with its placeholders filled in. */
  words(written: string): string;
  /** Returns a new game at its first stop. Throws GameError for invalid settings. */
  newGame(settings?: Settings): Game;
  /**
   * Returns the game of a save, from here or from Python. Its record is replayed to verify it. With `verify: false`, only
   * accidental damage is detected: use it only for saves that nobody else can write. Throws GameError.
   */
  openGame(text: string, settings?: { readonly names?: Names; readonly verify?: boolean }): Game;
  /** Returns the bots for these rules. */
  bots(): readonly BotKind[];
  /** Returns a bot by name, such as `mcts:200`. Throws GameError if it does not exist or does not fit the rules. */
  bot(name: string, settings?: { readonly seed?: Whole | string; readonly seat?: number }): Bot;
  /** Plays games between bots. Yields the progress, and returns all counts. Throws GameError. */
  simulate(settings?: Simulation): Generator<Progress, Counts>;
}

export interface BotKind {
  readonly name: string;
  /** What the bot does, in one sentence. */
  readonly does: string;
  /** The default of the number after the name, as in `mcts:200`. Without it, the name takes no number. */
  readonly setting?: number;
  /** The maximum of that number. */
  readonly most?: number;
}

/** Returns the index of the bot's option at a decision: the same as in Python with the same seed. */
export interface Bot {
  (game: Game): number;
  readonly name: string;
  /** How much of its random stream the bot has used. Set it to an earlier value to repeat a choice. */
  position: number;
  /**
   * Thinks in parts: yields after every `tries` tries, and returns the index. It may be abandoned at any time. All bots of
   * one `load()` share memory: a bot that was interrupted by another one throws GameError.
   */
  thinking(game: Game, tries?: number): Generator<void, number>;
}

/** Settings of a simulation. Game number n, from 0, has the seed `seed`/n, and all bots move one seat on with every game. */
export interface Simulation {
  /** A bot for each seat. Default: `players` random bots. */
  readonly bots?: readonly string[];
  readonly players?: number;
  /** The number of games (default: 1000). */
  readonly games?: number;
  readonly seed?: Whole | string;
  /** Settings, in addition to those that the rules have for simulations. */
  readonly options?: Readonly<Record<string, string>>;
  /** The maximum number of decisions of a game. */
  readonly most?: number;
  /** The approximate number of tries between two pauses. */
  readonly tries?: number;
}

export interface Progress {
  /** The number of finished games, and of all games. */
  readonly done: number;
  readonly games: number;
  /** Returns the counts of the finished games. */
  counts(): Counts;
}

/** The counts of games: the same as `rulewright simulate` with the same seed. Pairs are sorted. */
export interface Counts {
  readonly done: number;
  readonly games: number;
  /** By the positions in `bots`. */
  readonly wins: readonly number[];
  /** By seat, in order. */
  readonly wins_by_seat: readonly number[];
  readonly draws: number;
  readonly unfinished: number;
  /** Of all games together. */
  readonly decisions: number;
  /** Pairs of a number of decisions and the number of games with it. */
  readonly lengths: readonly (readonly [number, number])[];
  /** Pairs of a rule and the number of games that it ended. */
  readonly decided: readonly (readonly [string | null, number])[];
  /** By measure: pairs of a value and its number of games. */
  readonly measures: Readonly<Record<string, readonly (readonly [Whole, number])[]>>;
  /** By measure over time: a moment, and the sum, number and sum of squares of the values then. */
  readonly series: Readonly<Record<string, readonly (readonly [Whole, readonly [Whole, number, Whole]])[]>>;
}

/**
 * A message to a worker. `asked` is how often the bot has chosen in this game before. Without it, the bot continues after
 * its last choice.
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

/** An answer of a worker, with the `id` of the request. Counts of games come several times, at last with `over`. */
export type FromBots = { readonly id?: number | string } & (
  | { readonly ready: string; readonly bots: readonly BotKind[] }
  | { readonly index: number }
  | (Counts & { readonly over?: true })
  | { readonly stopped: true }
  | { readonly error: string; readonly rule?: string }
);

/** Runs bots in a worker: call `serveBots(self)` there. */
export function serveBots(scope: { onmessage: unknown; postMessage(message: FromBots): void }): void;

export interface Option {
  /** Stable: the same in every run of the same game. */
  readonly id: string;
  /** For people. Unique among the options of a decision. */
  readonly label: string;
  /** The index among the options, from 0. */
  readonly index: number;
}

/** An object or row that a decision is about. */
export interface Subject {
  readonly name: string;
  readonly kind: string;
  readonly id: string;
  readonly label: string;
}

export interface Decision {
  /** The seat of the player who decides, from 1. */
  readonly player: number;
  readonly ask: string;
  /** The step, `procedure.step`. */
  readonly rule: string;
  readonly about: readonly Subject[];
  readonly options: readonly Option[];
  /** Only if the options are selections from a list. They are ordered by size, then like combinations. */
  readonly subset?: Subset;
}

export interface Subset {
  /** The labels of the elements, in order. */
  readonly elements: readonly string[];
  readonly at_least: number;
  readonly at_most: number;
  /** Returns the index of the option with these elements, by their indexes from 0, or null if their number is wrong. */
  find(chosen: readonly number[]): number | null;
}

export interface Chance {
  readonly rule: string;
  /** The notation of the roll, or `a card`. */
  readonly roll: string;
  /** All outcomes, each with its `ways` of `of`. Throws GameError if there are too many. */
  readonly outcomes: readonly { readonly outcome: Outcome; readonly ways: bigint; readonly of: bigint; readonly probability: number }[];
}

export interface Result {
  /** The seats of the winners, from 1. Empty for a draw. */
  readonly winners: readonly number[];
}

export interface Event {
  /** The step that caused the event, `procedure.step`. */
  readonly rule: string;
  readonly verb: string;
  readonly weight: "aside" | "detail" | "normal" | "major";
  /** Whether the event happened before the first decision. */
  readonly set_up: boolean;
  /** A sentence for players, or empty. */
  readonly text: string;
  /** The values of the event by name. */
  readonly data: Readonly<Record<string, Plain>>;
}

/** A line of the story. Several equal events in a row are one line, with their number. */
export interface Line {
  readonly text: string;
  /** The text in pieces: words, and dice that a page can draw. */
  readonly pieces: readonly (string | { readonly dice: string })[];
  /** The step, `procedure.step`, or empty. Of several equal events, that of the first. */
  readonly rule: string;
  /** The number of events up to this line. */
  readonly events: number;
}

/** The type of a value, as in `rules.json`: `"number"`, `{ row: "prices" }`, `{ optional: … }`, `{ list: … }` and so on. */
export type Type = string | null | { readonly [name: string]: unknown };

/** A row of a table: the table and the row's id. */
export type RowOf = readonly [table: string, row: string];

/** The objects and rows that an option affects, without duplicates, in the order of the option. Tiles are rows of boards. */
export interface Choice {
  /** The index of the option. */
  readonly index: number;
  /** Numbers of objects. */
  readonly things: readonly number[];
  readonly tiles: readonly RowOf[];
  /** Rows of tables that are not boards. */
  readonly rows: readonly RowOf[];
  /** The label of the option. */
  readonly words: string;
}

/** The value of a field. */
export interface Field {
  readonly name: string;
  /** The name of the field for players, capitalised. */
  readonly title: string;
  readonly type: Type;
  /** Whether the value is hidden from the viewer. `value` is null then. */
  readonly hidden: boolean;
  readonly value: Plain;
  /** The value as text. Empty for lists of more than twelve. */
  readonly text: string;
}

/** An object, as a viewer sees it. */
export interface Seen {
  readonly number: number;
  readonly kind: string;
  readonly label: string;
  /** The seat of its owner, from 1, or null. */
  readonly seat: number | null;
  readonly fields: readonly Field[];
}

/** Who looks: the player in a seat, from 1; a spectator, 0; or `"everything"`. */
export type Viewer = number | "everything";

/** A whole game, as a viewer sees it. */
export interface View {
  /** The viewer. */
  readonly seat: Viewer;
  /** The fields of the game itself, without settings. */
  readonly game: readonly Field[];
  readonly players: readonly Seen[];
  /** All other objects, in the order of their creation. */
  readonly objects: readonly Seen[];
}

export type Entry =
  | readonly ["choose", string]
  | readonly ["chance", Outcome, readonly (readonly number[])[] | null];

/** A game as a viewer may know it. Hidden choices and results are null. */
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

/** Opens the data of an example. Throws GameError if it does not fit the rules. */
export function openExample(rules: Rules, data: ExampleData): Example;

/** The data of an example: its start, choices and chance results. */
export interface ExampleData {
  /** A state with a single procedure about to begin. Without it, a whole game. */
  readonly state?: Plain;
  readonly players: number;
  readonly seed?: Whole | string;
  readonly options?: Readonly<Record<string, string>>;
  readonly record: readonly Entry[];
  /** The numbers of the events to show. Default: those of the story. */
  readonly shown?: readonly number[];
  /** The number of events of the example. The rules may add others afterwards. */
  readonly events: number;
}

/** A moment of an example. */
export interface Moment {
  /** The number of events so far. */
  readonly events: number;
  /** The number of choices and chance results so far. */
  readonly chosen: number;
  /** The example's next choice or chance result, or null. */
  readonly entry: Entry | null;
  readonly decision: Decision | null;
  readonly choices: readonly Choice[];
  readonly chance: Chance | null;
}

/** An example that can be stepped through. */
export interface Example {
  readonly players: number;
  /** The procedure that is run by itself, or null for a whole game. */
  readonly procedure: string | null;
  readonly steps: readonly Line[];
  /** Returns the moment after `place` steps, from 0 to all of them. */
  at(place: number): Moment;
  /** Returns the view of a seat at that moment. */
  view(place: number, seat?: Viewer | null): View;
  /** Returns the first `chosen` entries of the record. */
  record(chosen: number): readonly Entry[];
  /** Returns the events from one number up to another, exclusive. */
  events(from: number, to: number): readonly Event[];
  /** Returns a new game from that moment: with its own dice, or those of a seed if it is a single procedure. */
  leave(place: number, settings?: { readonly seed?: Whole | string }): Game;
}

export interface Game {
  /** The procedure that is run by itself, or null in a whole game. */
  readonly procedure: string | null;
  readonly players: number;
  readonly seed: Whole | string;
  readonly options: Readonly<Record<string, string>>;
  readonly stopAtChance: boolean;
  readonly names: Names;
  /** Returns the name of the player in a seat. Throws GameError for an invalid seat. */
  nameOf(seat: number): string;
  /** The current decision, or null at a chance event and at the end. */
  readonly decision: Decision | null;
  /** The objects and rows that each option affects, in the order of options. Empty without a decision. For drawing. */
  readonly choices: readonly Choice[];
  /** The current roll or draw, or null. Only in games that stop at chance events. */
  readonly chance: Chance | null;
  /** The result, or null if the game is not over. */
  readonly result: Result | null;
  /** All choices and chance results so far. */
  readonly record: readonly Entry[];
  /** All events so far. */
  readonly log: readonly Event[];

  /** Returns the log without what is hidden from the player in a seat, from 1, or from a spectator (seat 0). */
  logFor(seat: number): readonly Event[];
  /** Returns the game as the player in a seat may know it, or a spectator (seat 0): JSON data to send, without the seed. */
  recordFor(seat: number): SeatRecord;
  /** Returns the sentences of important events, from number `since` on. With a seat, events are those of `logFor`. */
  story(settings?: { readonly since?: number; readonly seat?: number | null }): readonly string[];
  /** Returns the lines of the story, with their pieces and steps. */
  lines(settings?: { readonly since?: number; readonly seat?: number | null }): readonly Line[];

  /** Returns the view of the player in a seat, from 1, or of a spectator (seat 0). `"everything"` hides nothing. */
  view(seat?: Viewer | null): View;

  /** Takes an option: itself, its id, `#n` (its position from 1), or its index from 0. Throws GameError or RulesFault. */
  choose(option: Option | string | number): void;
  /** Resolves the current chance event with the game's own dice. */
  roll(): void;
  /** Resolves the current chance event with this outcome. Throws GameError if it is impossible. */
  resolve(outcome: Outcome): void;
  /** Undoes the last choice, roll or result since the game was started or loaded. Returns false if there is none. */
  undo(): boolean;

  /** Returns an independent copy. */
  clone(): Game;
  /** Returns the state as JSON data. */
  toJSON(): Plain;
  /** Returns the text of a save, which Python can load too. */
  save(): string;
}

/** What is wrong: the same codes as in Python, without those about files and installed rules. */
export type GameErrorCode =
  | "illegal-choice"
  | "impossible-outcome"
  | "not-pending"
  | "invalid-setting"
  | "invalid-argument"
  | "missing-file"
  | "not-a-save"
  | "damaged"
  | "other-format"
  | "other-gameplay";

/** An invalid action, setting or save. The message gives the reason. */
export class GameError extends Error {
  readonly code: GameErrorCode;
}

/** An error in the rules during play. The game is as it was before the action. */
export class RulesFault extends Error {
  /** The step or procedure at fault. */
  readonly rule: string;
}
