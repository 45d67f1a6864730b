// A ruleset that can be played. Load it, start a game, and make decisions:
//
//     import { load } from "./rules.js";
//     const rules = await load();
//     const game = rules.newGame({ players: 2, seed: 7 });
//     while (game.decision !== null) game.choose(game.decision.options[0]);
//     console.log(game.result.winners, game.story());

import { openExample } from "./examples/example_player.js";
import { Game } from "./game.js";
import { GameError, RulesFault } from "./errors.js";
import { read } from "./ruleset.js";
import { serveBots } from "./bots/worker.js";

export { Game, GameError, RulesFault, openExample, serveBots };

/** Loads the rules beside this file, or the given ones: `wasm` as bytes or a module, `data` as text or parsed. Rejects with GameError. */
export async function load({ wasm, data } = {}) {
  const held = data ?? (await near("rules.json", (answer) => answer.text()));
  return read({ data: held, wasm: wasm ?? (await near("rules.wasm", (answer) => answer.arrayBuffer())) });
}

async function near(name, take) {
  const place = new URL(name, import.meta.url);
  const refuse = (why) => new GameError(`${place} cannot be read: ${why}`, "missing-file");
  try {
    if (place.protocol === "file:" && globalThis.process?.versions?.node) {
      const files = "node:fs/promises";
      const { readFile } = await import(files);
      return await take({ text: () => readFile(place, "utf8"), arrayBuffer: () => readFile(place) });
    }
    const answer = await fetch(place);
    if (answer.ok) return await take(answer);
    throw refuse(answer.status);
  } catch (error) {
    throw error instanceof GameError ? error : refuse(error.message);
  }
}
