// The "What if" drawer: change parameters of the rules, and see the effects on odds and on whole games. Two files of the
// edition call `rulewrightRules`, as on the Play page, and then `rulewrightWhatIf`. The button on the page opens the drawer
// when it is ready.

import { Chances } from "./chances.js";
import { button, element } from "../play/elements.js";
import { Form, isOf } from "./form.js";
import { Games } from "./games.js";
import { unzipped } from "../play/keep.js";
import { Side } from "./sides.js";
import { folderOf, handOver, houseRules } from "./taking.js";

const PAUSE = 350;

const WHY = {
  unread: "It shapes something that is built before a game begins, such as a deck or a board, so this page cannot change it.",
  "worked-out": "It is not written down, because it follows from the shape of the board.",
  "built-in": "Changing it would change more than one number.",
  refused: "With any other number, the rules would contradict themselves.",
  "no-number": "It is a list or a text, not a number.",
};

async function begin({ wasm, data }, { tried, words }) {
  const text = async (packed) => new TextDecoder().decode(await unzipped(packed));
  const [code, held, more, said] = await Promise.all([unzipped(wasm), text(data), text(tried), text(words)]);
  // Both are JSON objects. The engine parses them as one, because it knows how to read its numbers.
  const files = { wasm: await WebAssembly.compile(code), data: `${held.trimEnd().slice(0, -1)},${more.slice(1)}` };
  const engine = rulewrightTrying(globalThis), rules = await engine.read(files), program = rulewrightTrying.toString();
  const trial = new engine.Trial(rules);
  let sides = null;
  return (named, title, opener) => {
    sides ??= [new Side(program, files), new Side(program, files)];
    open({ engine, rules, trial, sides, words: JSON.parse(said), named, title, opener });
  };
}

function open({ engine, rules, trial, sides, words, named, title, opener }) {
  let timer = 0, refused = false, applied = Promise.resolve();
  const values = () => form.values;
  const reading = trial.odds.filter(({ id }) => (words.examples[id] ?? []).some((path) => isOf(path, named)));
  const chances = new Chances({ sides, odds: reading, words: words.odds });
  const games = new Games({ engine, rules, sides, measures: words.measures, wanted: async () => {
    // Games use the latest changes.
    if (timer) await reckon();
    await applied;
    if (refused) throw new Error("the numbers above are not valid");
    return form.settings;
  } });
  const form = new Form({ figures: trial.figures, named, words: words.figures, options: rules.options, changed: () => {
    clearTimeout(timer);
    timer = setTimeout(reckon, PAUSE);
  } });

  async function reckon() {
    clearTimeout(timer);
    timer = 0;
    games.stop("The numbers have changed.");
    const changed = values();
    try {
      // Check here first, so that errors appear immediately and workers get only valid values.
      trial.change(changed);
    } catch (error) {
      form.refuse(`${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`);
      refused = take.disabled = true;
      return;
    }
    form.refuse("");
    refused = false;
    take.disabled = !Object.keys(changed).length;
    applied = sides[1].ask({ kind: "change", values: changed });
    await applied;
    chances.show(form.settings, Object.keys(changed).length > 0 || Object.keys(form.settings).length > 0);
  }

  const name = element("input", { id: "rw-what-if-name", type: "text", value: `${rules.title}, as we play it`, maxlength: 80, autocomplete: "off" });
  const took = element("p", { class: "rw-what-if__status", role: "status" });
  const take = button("Download as house rules", async () => {
    const called = name.value.trim() || rules.title;
    try {
      await handOver(houseRules({ name: called, reference: rules.reference, values: values(), words }));
    } catch (error) {
      took.textContent = `The house rules could not be packed: ${error.message}.`;
      return;
    }
    took.textContent = `Unpack the file into a folder, and run: rulewright check house/${folderOf(called)} --rules FOLDER`;
  }, { disabled: true });
  const taking = element("section", {}, element("h3", {}, "House rules"),
    element("p", {}, "Keep your numbers as house rules, in a small zip file that can be played, checked and printed like any other edition. It does not contain settings, which are chosen before each game."),
    element("div", { class: "rw-what-if__field" }, element("label", { for: name.id }, "What you call it"), name), element("div", { class: "rw-what-if__buttons" }, take), took);

  const fixed = Object.entries(rules.data.fixed).filter(([path]) => isOf(path, named));
  const kept = fixed.length ? [element("details", {}, element("summary", {}, "What cannot be changed here"),
    element("ul", {}, ...fixed.map(([path, why]) => element("li", {}, element("strong", {}, words.fixed[path]), ` ${WHY[why]}`))),
    element("p", {}, "Numbers inside a step that have no name cannot be changed here either."))] : [];

  const heading = element("h2", { id: "rw-what-if-title", tabindex: -1 }, `What if… ${title}`);
  const drawer = element("dialog", { class: "rw-what-if md-typeset", "aria-labelledby": heading.id, onclose: () => {
    clearTimeout(timer);
    games.stop();
    for (const side of sides) side.stop();
    drawer.remove();
    opener.focus();
  } },
  element("div", { class: "rw-what-if__head" }, heading, button("Close", () => drawer.close())),
  element("p", {}, "Change a number to see new odds at once. Bots can then play whole games with it, on this page."),
  form.element, ...kept, chances.element, games.element, taking);
  document.body.append(drawer);
  drawer.showModal();
  heading.focus();
  reckon();
}

let rules = null;
globalThis.rulewrightRules = (packed) => { rules = packed; };
globalThis.rulewrightWhatIf = (packed) => { rulewrightWhatIf.ready = begin(rules, packed); };
