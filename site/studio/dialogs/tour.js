// The tour: from an empty folder to a changed and published rule in two minutes. It points to things, waits for actions,
// and can be left and restarted at any time.

import { EditorView } from "../codemirror.js";
import { get } from "../desk/api.js";
import { button, element, say } from "../desk/elements.js";

const SEEN = "rulewright-studio-tour";

/** Whether the tour was finished or left in this browser. */
export const seen = () => localStorage.getItem(SEEN) === "seen";

/** The steps. `until` returns whether the requested action is done, and the tour continues. `at` is what a step points to, and
 * `view` the column that a window with room for one shows. */
function stepsOf(desk) {
  const mine = () => desk.folder?.rulesets[0];
  return [
    {
      title: "Your rules extend another edition",
      words: mine()
        ? "House rules are a folder with a few lines that extend an edition. Everything you leave out stays the same. Your files are listed on the left."
        : "House rules are a folder with a few lines that extend an edition. Everything you leave out stays the same. Choose a starting point now: you see a list of all editions. Your files will be listed on the left.",
      does: mine() ? null : ["Choose a starting point", () => desk.start("edition:")],
      until: () => Boolean(mine()),
      at: () => document.querySelector(".st-side"),
      view: "side",
    },
    {
      title: "Find a number to change",
      words: "Below your files are those of the editions that yours extends, which you can read but not change. Open one that has numbers, and click a number.",
      does: ["Open a file with numbers", () => openNumbers(desk)],
      until: () => desk.doc?.readonly && desk.toNumber(),
      at: () => document.querySelector(".st-side"),
      view: "side",
    },
    {
      title: "Override it in your own rules",
      words: `Show the actions at the cursor, here or with ${desk.mod}+. on the keyboard. Choose “Override this in …” and type your number. It is saved in your own file.`,
      does: ["Show the actions", () => desk.offer()],
      until: () => desk.changed,
      at: () => document.querySelector(".st-middle"),
      view: "middle",
    },
    {
      title: "See the effect, and change it again",
      words: "The number that you type is saved in your own file, like every change. A wavy line marks what no longer fits: point at it to choose a fix. Then type another number over yours. The Read panel shows the new rule, and the other panels show its odds and the game.",
      until: () => desk.typed && desk.sound, // a fix is no other number
      at: () => document.querySelector(".st-panels"),
      view: "middle",
    },
    {
      title: "Publish it",
      words: "Release checks everything once more, step by step, and builds the book of your rules.",
      does: ["Release", () => desk.release()],
      until: () => document.querySelector("[data-step=book][data-state=done]") !== null,
      at: () => document.querySelector(".st-bar"),
    },
    {
      title: "That is all",
      words: `Everything else is under “Commands” in the bar (${desk.mod}+K or F1). So is this tour.`,
      until: () => false,
      at: () => document.querySelector(".st-bar"),
    },
  ];
}

// Matches the start of a line up to its number, such as `  goal: ` or `  goal: {is: `.
const VALUE = /^(\s+\w+:\s*(?:\{\s*is:\s*)?)\d/;

/** Puts the cursor on the first number of the editions that the user's rules extend, first those below the open file. */
async function openNumbers(desk) {
  const shown = ({ layers }) => layers.some(({ files }) => files.some(({ path }) => path === desk.doc?.path));
  const rulesets = [...desk.folder.rulesets].sort((one, other) => shown(other) - shown(one));
  const files = rulesets.flatMap(({ layers }) => layers.flatMap(({ editable, files }) => (editable ? [] : files)));
  for (const { path } of files.filter(({ readonly }) => readonly)) {
    const lines = (await get("/api/file", { path })).text.split("\n");
    const section = lines.indexOf("numbers:");
    const at = lines.findIndex((line, index) => section >= 0 && index > section && VALUE.test(line));
    if (at >= 0) return desk.go(path, at + 1, [...VALUE.exec(lines[at])[1]].length + 1);
  }
  return say("None of these editions has numbers. Look for one in a table.");
}

export class Tour {
  #at = 0;
  #waits = true; // whether the step's action was still to be done when the step began

  constructor(desk, news) {
    this.desk = desk;
    this.place = null;
    for (const name of ["folder", "shown", "moved", "typed", "checked", "released"]) news.on(name, () => this.#look());
  }

  begin() {
    this.leave(false);
    this.#at = 0;
    this.steps = stepsOf(this.desk);
    this.place = element("section", { class: "st-tour", role: "region", "aria-label": "Tour" });
    document.getElementById("st-foot").before(this.place);
    this.#draw();
  }

  leave(remember = true) {
    const held = this.place?.contains(document.activeElement);
    this.place?.remove();
    if (held) (document.querySelector(".st-editor .cm-content") ?? document.querySelector(".st-editor button"))?.focus();
    this.place = null;
    for (const each of document.querySelectorAll(".st-pointed")) each.classList.remove("st-pointed");
    if (remember) localStorage.setItem(SEEN, "seen");
  }

  /** Continues when the requested action is done. */
  #look() {
    if (this.place === null) return;
    const done = this.steps[this.#at].until();
    this.#waits ||= !done;
    if (!done || !this.#waits) return;
    this.#at++;
    this.#draw();
  }

  #draw() {
    const { title, words, does, at, view, until } = this.steps[this.#at];
    const last = this.#at === this.steps.length - 1;
    const go = (step) => { this.#at += step; this.#draw(); };
    const held = this.place.contains(document.activeElement);
    this.desk.changed = this.desk.typed = false; // only actions after the request count
    this.#waits = !until();
    if (view) this.desk.layout.view(view);
    this.place.dataset.step = String(this.#at + 1);
    this.place.replaceChildren(
      element("p", { class: "st-label" }, `${this.#at + 1} of ${this.steps.length}`),
      element("div", { "aria-live": "polite" }, element("h2", {}, title), element("p", {}, words)),
      element("div", { class: "st-buttons" },
        does ? button(does[0], does[1], { class: "st-button st-button--main" }) : null,
        this.#at ? button("Back", () => go(-1)) : null,
        last ? button("Done", () => this.leave(), { class: "st-button st-button--main" }) : button("Next", () => go(1)),
        last ? null : button("Leave the tour", () => this.leave(), { class: "st-button st-button--quiet" })));
    for (const each of document.querySelectorAll(".st-pointed")) each.classList.remove("st-pointed");
    at()?.classList.add("st-pointed");
    if (held) this.place.querySelector(".st-buttons button")?.focus();
    requestAnimationFrame(() => this.#reveal());
  }

  /** Scrolls to the line that a step is about. */
  #reveal() {
    const shown = this.desk.doc?.view;
    shown?.dispatch({ effects: EditorView.scrollIntoView(shown.state.selection.main.head, { yMargin: 48 }) });
  }
}
