// Works odds out in Node: jobs on the standard input, and what each came to.

import { readFileSync } from "node:fs";

import { Trial, read } from "../../../engine/rulewright/export/js/figures/trial_entry.js";

const found = [];
for (const { folder, change, limits } of JSON.parse(readFileSync(0, "utf8"))) {
  const rules = new Trial(await read({ wasm: readFileSync(`${folder}/rules.wasm`), data: readFileSync(`${folder}/rules.json`, "utf8") })), told = {};
  rules.change(change);
  for (const { id } of rules.odds) {
    const weighing = rules.weigh(id, limits);
    let step;
    do step = weighing.next(); while (!step.done);
    told[id] = step.value;
  }
  found.push(told);
}
console.log(JSON.stringify(found, (_, each) => (typeof each === "bigint" ? String(each) : each)));
