// Of a game of bots that take any option: what each seat sees, and what options touch, at every stop that is asked for.

import { readFileSync } from "node:fs";

const found = [];
for (const { folder, players, seed, most, every } of JSON.parse(readFileSync(0, "utf8"))) {
  const { load } = await import(`file://${folder}/rules.js`);
  const rules = await load();
  const game = rules.newGame({ players, seed }), stops = [];
  const bots = Array.from({ length: players }, (_, seat) => rules.bot("random", { seed, seat: seat + 1 }));
  for (let stop = 0; stop < most && game.decision !== null; stop++) {
    if (stop % every === 0) {
      const before = game.save();
      const seats = ["everything", ...Array(players + 1).keys()];
      stops.push({ choices: game.choices, views: seats.map((seat) => game.view(seat)), same: game.save() === before });
    }
    game.choose(bots[game.decision.player - 1](game));
  }
  found.push(stops);
}
console.log(JSON.stringify(found));
