// The door for the pages of the book, and for the worker that they begin from this very program.

import { GameError, RulesFault } from "./json.js";
import { read } from "./ruleset.js";
import { offered, serveBots } from "./bots/worker.js";

export { GameError, RulesFault, offered, read, serveBots };
