// Lets bots decide, play and serve as it is told on its standard input, a list of jobs, and prints what came of each.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const DOES = {
  // A game, decision by decision. Every bot thinks in pieces, and some decisions twice: what it has thought is taken back.
  decides(rules, { bots, seed, options, most }) {
    const game = rules.newGame({ players: bots.length, seed, options }), chosen = [];
    const seated = bots.map((name, place) => rules.bot(name, { seed, seat: place + 1 }));
    let again = 0, pauses = 0;
    for (let stop = 0; stop < most && game.decision !== null; stop++) {
      const bot = seated[game.decision.player - 1], { position } = bot, before = game.save();
      if (stop % 3 === 0) {
        bot.thinking(game, 3).next();
        bot.position = position;
        const first = bot(game);
        bot.position = position;
        again += Number(first === through(bot.thinking(game, 2)).value);
        bot.position = position;
      }
      const { value, pieces } = through(bot.thinking(game, 5));
      pauses += pieces;
      if (game.save() !== before) throw new Error("who thinks changes nothing");
      chosen.push(value);
      game.choose(value);
    }
    return { chosen, again, pauses, positions: seated.map(({ position }) => position) };
  },

  counts(rules, { settings }) {
    const { value, pieces } = through(rules.simulate(settings));
    return { ...value, pieces };
  },

  bots(rules) {
    return rules.bots();
  },

  // Games one after the other, each with bots of its own: how much memory there is after each of them.
  grows(rules, { bots, games, most }) {
    return Array.from({ length: games }, (_, seed) => {
      const game = rules.newGame({ players: bots.length, seed });
      const seated = bots.map((name, place) => rules.bot(name, { seed, seat: place + 1 }));
      for (let stop = 0; stop < most && game.decision !== null; stop++) game.choose(seated[game.decision.player - 1](game));
      through(rules.simulate({ bots, games: 1, seed, most: 30, tries: 10 }));
      return rules.module.calls.memory.buffer.byteLength;
    });
  },

  // Where the rules are at fault in what a bot tries, and in games that are counted: the game is as it was.
  faults(rules, { bots }) {
    const game = rules.newGame(), before = game.save(), found = [];
    const attempts = [...bots.map((name) => () => rules.bot(name)(game)), ...bots.map((name) => () => through(rules.simulate({ bots: [name, name] })))];
    for (const attempt of attempts) {
      try {
        attempt();
        found.push("no fault");
      } catch (error) {
        found.push([error.name, error.rule, error.message]);
      }
      if (game.save() !== before) found.push("the game has changed");
    }
    game.choose(rules.bot("random")(game));
    return [...found, game.decision !== null];
  },

  refuses(rules, { names, most }) {
    const refused = (what) => {
      try {
        what();
        return "not refused";
      } catch (error) {
        return `${error.name}: ${error.message}`;
      }
    };
    const game = rules.newGame(), [one, other] = [1, 2].map((seat) => rules.bot(most, { seat }));
    const first = one.thinking(game, 1);
    first.next();
    const second = other.thinking(game, 1);
    second.next();
    return [
      ...names.map((name) => refused(() => rules.bot(name))),
      refused(() => rules.bot("random", { seat: 99 })),
      refused(() => first.next()),
      refused(() => {
        game.choose(0);
        second.next();
      }),
      refused(() => rules.simulate({ bots: ["random"] })),
      refused(() => rules.simulate({ games: 0 })),
      refused(() => rules.simulate({ options: { weather: "bad" } })),
    ];
  },

  // A worker without a worker: what it answers to messages that come one after the other, some once others are answered.
  async serves(rules, { messages, save, wasm, data, most }, { serveBots }) {
    const answers = [];
    let heard = () => {};
    const answered = async (count) => {
      while (answers.filter(({ done, over }) => done === undefined || over).length < count) await new Promise((resolve) => { heard = resolve; });
    };
    const scope = { postMessage(answer) { answers.push(structuredClone(answer)); heard(); } };
    serveBots(scope);
    for (const { after, ...message } of messages) {
      await answered(after ?? 0);
      if (message.kind === "rules" && message.wasm) Object.assign(message, { wasm: readFileSync(wasm), data: readFileSync(data, "utf8") });
      if (message.save === true) message.save = save;
      scope.onmessage({ data: "whole" in message ? message.whole : message });
    }
    await answered(most);
    return answers;
  },
};

function through(thinking) {
  for (let pieces = 0; ; pieces++) {
    const { done, value } = thinking.next();
    if (done) return { value, pieces };
  }
}

const found = [];
for (const job of JSON.parse(readFileSync(0, "utf8"))) {
  const module = await import(pathToFileURL(`${job.folder}/rules.js`));
  try {
    found.push(await DOES[job.does](await module.load(), job, module));
  } catch (error) {
    if (!job.tries || error.name !== "RulesFault") throw error;
    found.push({ fault: error.message });
  }
}
console.log(JSON.stringify(found, (_, value) => (typeof value === "bigint" ? String(value) : value)));
