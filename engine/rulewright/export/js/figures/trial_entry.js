// The door for the drawers of the book in which figures are tried otherwise, and for the workers that they begin.

import { GameError, RulesFault } from "../json.js";
import { read } from "../ruleset.js";
import { Trial, serveTrials } from "./trial.js";
import { offered } from "../bots/worker.js";

export { GameError, RulesFault, Trial, offered, read, serveTrials };
