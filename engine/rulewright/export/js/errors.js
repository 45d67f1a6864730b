// The errors that callers of the engine can expect.

/** An invalid action or file, with a message for people: an option that is not offered, a save of other rules. */
export class GameError extends Error {
  constructor(message) {
    super(message);
    this.name = "GameError";
  }
}

/** An error in the rules during play. `rule` is the step or procedure at fault. */
export class RulesFault extends Error {
  constructor(rule, said) {
    super(rule ? `\`${rule}\`: ${said}` : said);
    this.name = "RulesFault";
    this.rule = rule ?? "";
  }
}
