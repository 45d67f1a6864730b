// Plays games as it is told on its standard input, a list of jobs, and prints what came of each.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const DOES = {
  plays(rules, job) {
    const { players, seed, options } = job;
    return goOn(rules.newGame({ players, seed, options }), job, seated(rules, job));
  },

  opens(rules, job) {
    const game = rules.openGame(job.save);
    return { again: game.save(), ...goOn(game, job, seated(rules, job)) };
  },

  // Many games in one memory, each a move at a time, and every other move taken back and made again.
  undoes(rules, job) {
    const games = job.seeds.map((seed) => rules.newGame({ players: job.players, seed }));
    const bots = job.seeds.map((seed) => seated(rules, { ...job, seed }));
    let back = 0;
    for (let stop = 0; stop < job.most; stop++) {
      games.forEach((game, place) => {
        const { decision } = game;
        if (decision === null) return;
        const before = game.save(), index = bots[place][decision.player - 1](game);
        if (stop % 2) {
          game.choose((index + 1) % decision.options.length);
          game.undo();
          back += Number(game.save() === before);
        }
        game.choose(index);
      });
    }
    const copies = games.map((game) => game.clone());
    return { back, saves: copies.map((game) => game.save()), logs: copies.map((game) => game.log) };
  },

  // A long game is taken back to its beginning, and played once more.
  unwinds(rules, job) {
    const game = rules.newGame({ players: job.players, seed: job.seed }), saves = [], logs = [];
    for (let stop = 0; stop < job.most && game.decision !== null; stop++) {
      saves.push(game.save());
      logs.push(JSON.stringify(game.log.slice(-9)));
      game.choose(stop % game.decision.options.length);
    }
    const whole = game.save(), told = JSON.stringify(game.lines()), stops = saves.length;
    // How many choices are made again to take one back.
    const { calls } = rules.module;
    let same = 0, since = 0, work = 0;
    rules.module.calls = { ...calls, choose: (index) => { since += 1; return calls.choose(index); } };
    const back = () => {
      since = 0;
      const done = game.undo();
      work = Math.max(work, since);
      return done;
    };
    while (back()) same += Number(game.save() === saves.pop() && JSON.stringify(game.log.slice(-9)) === logs.pop());
    for (let stop = 0; stop < stops; stop++) game.choose(stop % game.decision.options.length);
    return { stops, same, work, again: game.save() === whole && JSON.stringify(game.lines()) === told };
  },

  chances(rules, job) {
    const game = rules.newGame({ players: job.players, seed: job.seed, stopAtChance: true });
    const bots = seated(rules, job), met = [];
    for (let stop = 0; stop < job.most && game.result === null; stop++) {
      const { chance, decision } = game;
      if (decision !== null) {
        game.choose(bots[decision.player - 1](game));
        continue;
      }
      const outcomes = chance.outcomes.map(({ outcome, ways, of }) => [outcome, String(ways), String(of)]);
      met.push([chance.rule, chance.roll, outcomes]);
      if (stop % 3) game.roll();
      else game.resolve(outcomes[stop % outcomes.length][0]);
    }
    return { met, save: game.save() };
  },

  tells(rules, job) {
    const game = rules.newGame(job), bots = seated(rules, job);
    while (game.decision !== null) game.choose(bots[game.decision.player - 1](game));
    return Array.from({ length: job.players + 1 }, (_, seat) => [game.logFor(seat), game.story({ seat })]);
  },

  // The same game with names: what is told, seen and saved.
  names(rules, job) {
    const { players, seed, names } = job, game = rules.newGame({ players, seed, names });
    const bots = seated(rules, job), asks = [];
    while (game.decision !== null && asks.length < job.most) {
      asks.push(...game.decision.about.map(({ label }) => label), ...game.decision.options.map(({ label }) => label));
      game.choose(bots[game.decision.player - 1](game));
    }
    const save = game.save(), again = rules.openGame(save, { names });
    return {
      asks, save, story: game.story(), seats: [1, 2].map((seat) => game.story({ seat })), again: again.story(), copy: game.clone().story(),
      called: game.view().players.map(({ label }) => label),
    };
  },

  // Texts that may be saves: what they open as, or the code and the words of the error.
  reopens(rules, { texts, settings }) {
    return texts.map((text) => {
      try {
        const game = rules.openGame(text, settings);
        return { save: game.save(), log: game.log };
      } catch (error) {
        return { code: error.code, said: error.message };
      }
    });
  },

  // What is refused, each with the words it is refused with; the game is then as it was.
  refuses(rules, job) {
    const said = [], codes = [];
    const refuse = (what) => {
      try {
        what();
        said.push("not refused");
      } catch (error) {
        said.push(`${error.name}: ${error.message}`);
        codes.push(error.code);
      }
    };
    refuse(() => rules.newGame({ players: 99 }));
    refuse(() => rules.newGame({ players: "2" }));
    refuse(() => rules.newGame({ options: { weather: "bad" } }));
    refuse(() => rules.newGame({ seed: 1.5 }));
    refuse(() => rules.newGame({ names: { 3: "Ann" } }));
    refuse(() => rules.bot("clever"));
    const game = rules.newGame({ seed: 1 }), before = game.save();
    refuse(() => game.choose("fly"));
    refuse(() => game.choose(99));
    refuse(() => game.choose(undefined));
    refuse(() => game.roll());
    refuse(() => rules.openGame("{}"));
    refuse(() => rules.openGame(before.slice(0, -20)));
    refuse(() => rules.openGame(before.replace('"seed": 1', '"seed": 2')));
    refuse(() => rules.openGame(job.foreign));
    for (const seat of [Symbol("seat"), "1", 99]) {
      refuse(() => game.view(seat));
      refuse(() => game.logFor(seat));
      refuse(() => game.recordFor(seat));
      refuse(() => game.nameOf(seat));
      refuse(() => game.story({ seat }));
      refuse(() => game.lines({ seat }));
    }
    const whole = JSON.stringify([game.story(), game.lines()]);
    return { said, codes, whole: JSON.stringify([game.story(null), game.lines(null)]) === whole, same: game.save() === before };
  },

  faults(rules, job) {
    const game = rules.newGame({ seed: 1 });
    for (let stop = 0; stop < job.most; stop++) {
      const before = game.save();
      try {
        game.choose(0);
      } catch (error) {
        return { stop, name: error.name, rule: error.rule, said: error.message, same: game.save() === before };
      }
    }
    return null;
  },
};

const jobs = JSON.parse(readFileSync(0, "utf8"));
const found = [];
for (const job of jobs) {
  const { load } = await import(pathToFileURL(`${job.folder}/rules.js`));
  found.push(DOES[job.does ?? "plays"](await load(), job));
}
console.log(JSON.stringify(found));

function seated(rules, job) {
  return Array.from({ length: job.players ?? 2 }, (_, seat) => rules.bot(job.bot ?? "random", { seed: job.lots ?? job.seed ?? 0, seat: seat + 1 }));
}

// Play on, and keep what was asked and, now and then, what would be saved.
function goOn(game, job, bots) {
  const asked = [], saves = [];
  for (let stop = 0; stop < (job.most ?? 1000) && game.decision !== null; stop++) {
    const { decision } = game;
    asked.push(decision);
    if (stop % (job.every ?? 50) === 0) saves.push(game.save());
    game.choose(bots[decision.player - 1](game));
  }
  return { asked, saves: [...saves, game.save()], log: game.log, story: game.story(), lines: game.lines(), result: game.result };
}
