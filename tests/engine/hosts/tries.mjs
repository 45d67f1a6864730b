// Tries other figures in Node: jobs on the standard input, and what each came to.

import { readFileSync } from "node:fs";

import { Trial, read } from "../../../engine/rulewright/export/js/figures/trial_entry.js";

const DOES = {
  // Bots play by these figures; what would be saved now and then.
  plays(rules, trial, { change, players, seed, bot, most, every }) {
    trial.change(change);
    const game = rules.newGame({ players, seed }), saves = [];
    const bots = Array.from({ length: players }, (_, seat) => rules.bot(bot, { seed, seat: seat + 1 }));
    for (let stop = 0; stop < most && game.decision !== null; stop++) {
      if (stop % every === 0) saves.push(game.save());
      game.choose(bots[game.decision.player - 1](game));
    }
    return { saves: [...saves, game.save()] };
  },

  // What figures there are, what each change is refused with, and what they are then.
  figures(rules, trial, { changes }) {
    const published = trial.figures;
    const said = changes.map((values) => {
      try {
        trial.change(values);
        return null;
      } catch (error) {
        return `${error.name}: ${error.message}`;
      }
    });
    const changed = trial.figures.filter(({ value, published: was }) => value !== was);
    return { published, said, changed: Object.fromEntries(changed.map(({ path, value }) => [path, value])) };
  },
};

const found = [];
for (const job of JSON.parse(readFileSync(0, "utf8"))) {
  const rules = await read({ wasm: readFileSync(`${job.folder}/rules.wasm`), data: readFileSync(`${job.folder}/rules.json`, "utf8") });
  found.push(DOES[job.does ?? "plays"](rules, new Trial(rules), job));
}
console.log(JSON.stringify(found));
