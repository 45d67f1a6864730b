// Plays a game again as the page does, and counts how many choices it makes, and tells of, between two pauses.

import { readFileSync } from "node:fs";

const [folder] = process.argv.slice(2);
const { Session } = await import(`${folder}/session.js`);

let since = 0, told = 0, most = 0, pauses = 0;
const wait = globalThis.setTimeout;
globalThis.setTimeout = (done) => {
  pauses += 1;
  most = Math.max(most, since, told);
  [since, told] = [0, 0];
  return wait(done, 0);
};

const { choices } = JSON.parse(readFileSync(0, "utf8"));
const game = () => ({
  made: [],
  heard: 0,
  get decision() {
    return { player: 1, options: choices.map((_, index) => ({ id: `o${index}`, index })) };
  },
  get record() {
    return this.made.map((index) => ["choose", `o${index}`]);
  },
  choose(index) {
    since += 1;
    this.made.push(index);
  },
  lines() {
    told += this.made.length - this.heard;
    this.heard = this.made.length;
    return [];
  },
  save() {
    return JSON.stringify(this.made);
  },
});
const rules = {
  newGame: game,
  openGame: () => Object.assign(game(), { made: [...choices] }),
};
const sit = () => new Session({ rules, thinker: { stop() {} }, players: 1, seed: 1, options: {}, seats: [{ name: "Player 1", bot: null }], changed() {} });

const found = [];
for (const play of ["again", "from"]) {
  [since, told, most, pauses] = [0, 0, 0, 0];
  const session = sit();
  await session[play](play === "again" ? choices : "");
  // The story of all is wanted then.
  session.game.lines();
  found.push({ most: Math.max(most, since, told), pauses, made: session.length, follows: session.follows });
}
console.log(JSON.stringify(found));
