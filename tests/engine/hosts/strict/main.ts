// A game from a TypeScript project: whoever sits in seat 1 takes the first option, the others play at random.

import { GameError, load, type Bot, type Counts, type Decision, type Event, type Game, type Rules } from "./rules.js";

const rules: Rules = await load();
const game: Game = rules.newGame({ players: 2, seed: 5n, options: {} });
const bot: Bot = rules.bot("random", { seed: 5, seat: 2 });

function answer(decision: Decision): string | number {
  const [first] = decision.options;
  if (first === undefined) throw new GameError("there is always an option");
  return decision.player === 1 ? first.id : bot(game);
}

for (let decision = game.decision; decision !== null; decision = game.decision) game.choose(answer(decision));
const games = rules.simulate({ games: 2, bots: rules.bots().flatMap(({ name }) => [name, name]), tries: 10 });
let piece = games.next();
while (!piece.done) piece = games.next();
const counts: Counts = piece.value;
const values: readonly number[] = Object.values(counts.series).flat().map(([, [, times]]) => times);
if (counts.done !== 2 || values.length > 0) throw new GameError("both games are over, and nothing is measured by time");
const rulesTold: readonly string[] = game.log.map((event: Event): string => event.rule);
const winners: readonly number[] | undefined = game.result?.winners;
console.log(JSON.stringify({ story: game.story({ since: 0, seat: null }), rulesTold, winners }));
