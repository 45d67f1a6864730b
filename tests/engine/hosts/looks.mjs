// Every way in which somebody in a seat can look at games that are played again from their records, each as a text.

import { readFileSync } from "node:fs";

const SEED = 5;

function refusal(action) {
  try {
    action();
  } catch (error) {
    if (error.name !== "GameError") throw error;
    return error.message;
  }
  throw new Error("this is not refused");
}

function looks(rules, game, seat, guesses, bots) {
  const told = game.logFor(seat), found = {
    told: told,
    story: game.story({ seat }),
    latest: game.story({ seat, since: Math.max(0, told.length - 5) }),
    lines: game.lines({ seat }),
    view: game.view(seat),
    record: game.recordFor(seat),
    ...(seat === 0 ? { nobody: game.view() } : {}),
  };
  const { decision } = game;
  if (decision === null || decision.player !== seat) return found;
  Object.assign(found, {
    decision,
    choices: game.choices,
    "refused option": refusal(() => game.clone().choose("no such option")),
    "refused number": refusal(() => game.clone().choose(1000000)),
  });
  if (guesses) found.bots = bots.map((name) => rules.bot(name, { seed: SEED, seat })(game));
  return found;
}

const found = [];
for (const { folder, players, bots, games } of JSON.parse(readFileSync(0, "utf8"))) {
  const { load } = await import(`file://${folder}/rules.js`);
  const rules = await load();
  found.push(games.map(({ seat, record, guesses }) => {
    const game = rules.newGame({ players, seed: 0, stopAtChance: true });
    for (const [what, came] of record) what === "choose" ? game.choose(came) : game.resolve(came);
    const ways = looks(rules, game, seat, guesses, bots);
    return Object.fromEntries(Object.entries(ways).map(([way, seen]) => [way, JSON.stringify(seen)]));
  }));
}
console.log(JSON.stringify(found));
