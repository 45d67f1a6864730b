// Entry point of the engine for pages of the book, and for the worker that a page starts from the same script.

import { GameError, RulesFault } from "./errors.js";
import { read } from "./ruleset.js";
import { offered, serveBots } from "./bots/worker.js";

export { GameError, RulesFault, offered, read, serveBots };
