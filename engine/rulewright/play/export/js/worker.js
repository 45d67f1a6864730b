// Bots in a worker, so that whoever looks at the page is never kept waiting by their thinking. Messages to it:
//
//     {kind: "rules", wasm, data}                             once, before all others
//     {kind: "think", id, save, bot, seed, seat, asked}       answered by {id, index}, or {id, error}
//     {kind: "stop"}                                          forgets the bots of the game before
//
// A bot's choice may follow from how often it chose before (`asked`), so it stays for the whole game. One that has gone
// another way, for something was taken back, is begun again and asked everything that it was asked before.

import { read } from "./ruleset.js";

const BOTS = { random: () => true, greedy: (data) => data.judged && !data.hidden };

/** The names of the bots that can play by these rules. */
export function offered(rules) {
  return Object.keys(BOTS).filter((name) => BOTS[name](rules.data));
}

/** Answer such messages in a worker. */
export function serveBots(scope) {
  let rules = null;
  const seated = new Map();

  const again = (game, { bot, seed, seat }) => {
    const policy = rules.bot(bot, { seed, seat });
    const { players, options } = game;
    const past = rules.newGame({ players, options, seed: game.seed });
    try {
      for (const [what, id] of game.record) {
        if (what !== "choose") continue;
        if (past.decision.player === seat) policy(past);
        past.choose(id);
      }
      return policy;
    } catch {
      // The dice of this game are not those of its seed.
      return rules.bot(bot, { seed, seat });
    }
  };

  const think = (message) => {
    const game = rules.openGame(message.save);
    const { bot, seed, seat, asked } = message;
    let sits = seated.get(seat);
    if (sits === undefined || sits.bot !== bot || sits.seed !== seed || sits.asked !== asked) {
      sits = { bot, seed, asked, policy: asked ? again(game, message) : rules.bot(bot, { seed, seat }) };
      seated.set(seat, sits);
    }
    sits.asked += 1;
    return sits.policy(game);
  };

  let before = Promise.resolve();
  scope.onmessage = ({ data: message }) => {
    before = before.then(async () => {
      try {
        if (message.kind === "rules") rules = await read(message);
        else if (message.kind === "stop") seated.clear();
        else if (message.kind === "think") scope.postMessage({ id: message.id, index: think(message) });
      } catch (error) {
        scope.postMessage({ id: message.id, error: error.message });
      }
    });
  };
}
