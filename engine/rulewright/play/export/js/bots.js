// Bots that know no game: they take the same options as Python's of that name, by the same seed.

import { Generator, Lots } from "./chance.js";
import { rollWith } from "./dice.js";
import { outcomes } from "./game.js";
import { CHANCE, OVER } from "./module.js";
import { GameError, plainNumber } from "./plain.js";

const MOST_OUTCOMES = 12, SAMPLES = 6, WON = 1_000_000;
const BOTS = { random, greedy };

/** The bot of a name in a seat. Throws GameError if there is none, or if the rules lack what it needs. */
export function makeBot(rules, name, seed, seat) {
  if (BOTS[name] === undefined) throw new GameError(`there is no bot \`${name}\` here; there is ${Object.keys(BOTS).join(", ")}`);
  const [, most] = rules.data.players;
  if (!Number.isInteger(seat) || seat < 1 || seat > most) throw new GameError(`the seats are numbered from 1 to ${most}; ${String(seat)} is none`);
  return BOTS[name](rules, seed, `bot ${seat}`);
}

/** Takes any option, all alike. */
function random(rules, seed, stream) {
  const lots = new Lots(seed, stream);
  return (game) => lots.below(game.decision.options.length);
}

/** Looks one decision ahead and takes what leaves it best off. */
function greedy(rules, seed, stream) {
  if (!rules.data.judged) throw new GameError(`${rules.reference} does not say how bots judge (\`evaluate:\` in its manifest)`);
  if (rules.data.hidden) throw new GameError("where something is hidden, `greedy` guesses it, which only Python's does");
  const generator = new Generator(seed, stream);

  const worth = (module, rolled, player, left) => {
    const mode = module.mode;
    if (mode === OVER) {
      const winners = module.get("winners");
      const won = winners === module.none ? [] : module.block(winners).map(Number);
      return won.length ? (won.includes(player) ? WON : -WON) : 0;
    }
    if (mode !== CHANCE) return plainNumber(module.ask("standing_of", BigInt(player)));
    const { roll, cards, type } = rolled();
    const kept = module.copy();
    const after = (outcome, rest) => {
      module.restore(kept);
      module.call("go_on", module.word(outcome, type));
      return worth(module, rolled, player, rest);
    };
    let weighed = null;
    if (left > 1) {
      try {
        weighed = outcomes(roll, cards);
      } catch (error) {
        if (!(error instanceof GameError)) throw error;
      }
    }
    let total = 0;
    if (weighed !== null && weighed.length <= left) {
      for (const [outcome, ways, of] of weighed) {
        total += (Number(ways) / Number(of)) * after(outcome, Math.floor(left / weighed.length));
      }
      return total;
    }
    const samples = left > 1 ? SAMPLES : 1;
    for (let each = 0; each < samples; each++) {
      total += after(cards === null ? rollWith(roll, generator).total : cards[generator.below(cards.length)], 1);
    }
    return total / samples;
  };

  return (game) => {
    const { player, options } = game.decision;
    const best = game.ahead((module, rolled) => {
      const here = module.copy();
      let found = [], most = -Infinity;
      for (let index = 0; index < options.length; index++) {
        module.restore(here);
        module.call("choose", BigInt(index));
        const value = worth(module, rolled, player, MOST_OUTCOMES);
        if (value > most) [found, most] = [[index], value];
        else if (value === most) found.push(index);
      }
      return found;
    });
    return best.length > 1 ? best[generator.below(best.length)] : best[0];
  };
}
