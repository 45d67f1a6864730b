// The errors that callers of the engine can expect.

/** An invalid action or file, with a message for people and a code for programs, as in Python. */
export class GameError extends Error {
  constructor(message, code = "invalid-argument") {
    super(message);
    this.name = "GameError";
    this.code = code;
  }
}

/** Returns a value as messages show it: a string in quotes, so that it does not look like a number. */
export const quoted = (value) => (typeof value === "string" ? `'${value}'` : String(value));

/** An error in the rules during play. `rule` is the step or procedure at fault. */
export class RulesFault extends Error {
  constructor(rule, said) {
    super(rule ? `\`${rule}\`: ${said}` : said);
    this.name = "RulesFault";
    this.rule = rule ?? "";
  }
}
