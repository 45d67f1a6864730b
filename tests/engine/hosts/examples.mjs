// Examples gone through step by step: what stands at each stop, what lies on the table there and at the end, and the
// state of a game that leaves one where it begins and where it has come to its end.

import { readFileSync } from "node:fs";

const found = [];
for (const { folder, examples } of JSON.parse(readFileSync(0, "utf8"))) {
  const { load, openExample } = await import(`file://${folder}/rules.js`);
  const rules = await load(), one = {};
  for (const [id, data] of Object.entries(examples)) {
    const example = openExample(rules, data), stops = [];
    for (let place = 0; place <= example.steps.length; place++) {
      const { events, entry, decision, chance } = example.at(place);
      if (entry === null) continue;
      const { rule, roll } = chance ?? {};
      stops.push({ events, entry, decision, chance: chance && { rule, roll }, view: example.view(place, "everything") });
    }
    const last = example.steps.length;
    const again = example.leave(0), there = example.leave(last);
    one[id] = {
      stops,
      steps: example.steps.map(({ events, text, rule }) => [events, text, rule]),
      end: example.view(last, "everything"),
      record: example.record(data.record.length),
      there: { state: there.toJSON(), record: there.record },
      again: again.record,
    };
  }
  found.push(one);
}
console.log(JSON.stringify(found));
