// Entry point of the engine for the "What if" drawers of the book, and for the workers they start.

import { GameError, RulesFault } from "../errors.js";
import { read } from "../ruleset.js";
import { Trial, serveTrials } from "./trial.js";
import { offered } from "../bots/worker.js";

export { GameError, RulesFault, Trial, offered, read, serveTrials };
