// Plays the conformance suite beside an exported ruleset, and prints the first difference, or how much was compared.
// Usage: node vectors.mjs FOLDER

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";

const folder = process.argv[2];
const { load } = await import(pathToFileURL(`${folder}/rules.js`));
const rules = await load();
const suite = JSON.parse(readFileSync(`${folder}/vectors.json`, "utf8"));
const data = JSON.parse(readFileSync(`${folder}/rules.json`, "utf8"));

/** What has changed, put on top of what there was; null is what is there no longer. */
function changed(before, changes) {
  const found = { ...before };
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) delete found[name];
    else found[name] = value;
  }
  return found;
}

function plain(value, type) {
  if (value === null) return null;
  if (type?.optional !== undefined) return plain(value, type.optional);
  if (type?.thing !== undefined) return `${type.thing}-${value}`;
  if (type?.list !== undefined) return value.map((each) => plain(each, type.list));
  if (type?.map !== undefined) return Object.fromEntries(data.tables[type.map].rows.map(({ id }, place) => [id, plain(value[place], type.of)]));
  if (type?.record !== undefined) return Object.fromEntries(type.parts.map(([name, part], place) => [name, plain(value[place], part)]));
  return value?.dice ?? value;
}

function seen(view) {
  const fields = (held) => Object.fromEntries(held.filter(({ hidden }) => !hidden).map(({ name, type, value }) => [name, plain(value, type)]));
  const found = { game: { label: "", fields: fields(view.game) } };
  for (const { number, kind, label, fields: held } of [...view.players, ...view.objects]) found[`${kind}-${number}`] = { label, fields: fields(held) };
  return found;
}

/** The fields that a view of `rules.js` has: none by which the rules note who was shown what. */
function known(objects) {
  return Object.fromEntries(Object.entries(objects).map(([id, { label, fields }]) => [
    id, { label, fields: Object.fromEntries(Object.entries(fields).filter(([name]) => !name.startsWith("shown."))) },
  ]));
}

let compared = 0;
function same(found, wanted, where) {
  compared += 1;
  if (isDeepStrictEqual(JSON.parse(JSON.stringify(found)), wanted)) return;
  console.log(`${where}:\n  ${JSON.stringify(found).slice(0, 2000)}\n  ${JSON.stringify(wanted).slice(0, 2000)}`);
  process.exit(1);
}

suite.games.forEach(({ players, seed, options, stop_at_chance, opens, stops, save, told }, number) => {
  const game = opens === null ? rules.newGame({ players, seed, options, stopAtChance: stop_at_chance }) : rules.openGame(opens);
  const begun = opens === null ? 0 : game.log.length;
  if (opens !== null) same(game.save(), opens, `game ${number}: the save again`);
  let state = {}, events = begun;
  const views = {};
  stops.forEach((stop, place) => {
    const at = `game ${number}, stop ${place}: `;
    const { objects = {}, ...rest } = stop.state;
    state = { ...state, ...rest, objects: changed(state.objects ?? {}, objects) };
    same(game.toJSON(), state, `${at}state`);
    const { decision, chance, result } = game;
    same(decision && { ...decision, options: decision.options.map(({ id, label }) => ({ id, label })) }, stop.decision, `${at}decision`);
    same(chance && { rule: chance.rule, roll: chance.roll }, stop.chance, `${at}chance`);
    same(result, stop.result, `${at}result`);
    const { log } = game;
    same(log.slice(events), stop.log, `${at}log`);
    events = log.length;
    const { seat } = stop.view;
    views[seat] = changed(views[seat] ?? {}, stop.view.objects);
    same(seen(game.view(seat)), known(views[seat]), `${at}view of seat ${seat}`);
    same(/"check": "(\w+)"/.exec(game.save())[1], stop.save, `${at}save`);
    if (stop.next === null) return;
    const [does, what] = stop.next;
    if (does === "choose") game.choose(what);
    else if (does === "roll") game.roll();
    else game.resolve(what);
  });
  same(game.save(), save, `game ${number}: save`);
  for (const [seat, events] of Object.entries(told)) {
    const log = game.log.slice(begun);
    for (const [place, event] of Object.entries(events)) log[place] = event;
    same(game.logFor(Number(seat)).slice(begun), log, `game ${number}: told to seat ${seat}`);
  }
});
console.log(`passed: ${compared} comparisons`);
