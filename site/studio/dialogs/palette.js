// The command palette: commands, files and names from the rules.

import { element } from "../desk/elements.js";
import { dialog } from "./dialog.js";

const MOST = 60;

/** Returns how far a title is from a word: 0 if they are equal, 1 if the title begins with it, 2 if a part does, else 3. */
function distance(title, word) {
  const name = title.toLowerCase();
  if (name === word) return 0;
  if (name.startsWith(word)) return 1;
  return name.split(/[^\p{L}\p{N}]+/u).some((part) => part.startsWith(word)) ? 2 : 3;
}

/** `commands` are `{title, keys?, run, note?}`. `look(words)` returns further results asynchronously. */
export function palette({ commands, look }) {
  let shown = [], at = 0, asked = 0, looked = null;
  const list = element("ul", { class: "st-palette__list", role: "listbox", id: "st-palette-list", "aria-label": "Actions" });
  const input = element("input", { class: "st-field", role: "combobox", "aria-expanded": "true", "aria-controls": "st-palette-list", "aria-autocomplete": "list", "aria-label": "What do you want to do?", placeholder: "Command, file, or name from the rules…", autofocus: true, spellcheck: "false" });
  const none = element("p", { class: "st-hint", role: "status", hidden: true });
  const run = (command) => {
    box.close();
    command.run();
  };
  /** Runs the selected command, or the first result if names are still being searched and nothing else matches. */
  const enter = async () => {
    while (!shown[at] && looked !== null) {
      const before = looked;
      await before;
      if (before === looked) break;
    }
    if (shown[at] && box.element.open) run(shown[at]);
  };
  const mark = () => {
    for (const [place, item] of [...list.children].entries()) item.setAttribute("aria-selected", String(place === at));
    if (list.children[at]) input.setAttribute("aria-activedescendant", list.children[at].id);
    else input.removeAttribute("aria-activedescendant");
    list.children[at]?.scrollIntoView({ block: "nearest" });
  };
  const draw = (found) => {
    shown = found.slice(0, MOST);
    at = 0;
    list.replaceChildren(...shown.map((command, place) => element("li", { role: "option", id: `st-palette-${place}`, class: "st-palette__item", "aria-selected": "false", onclick: () => run(command) },
      element("span", {}, command.title), element("span", { class: "st-quiet" }, command.keys ?? command.note ?? ""))));
    mark();
  };
  const search = async () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const own = commands.filter(({ title, note }) => words.every((word) => `${title} ${note ?? ""}`.toLowerCase().includes(word)));
    const far = ({ title }) => Math.max(0, ...words.map((word) => distance(title, word)));
    const sorted = (found) => (words.length ? found.toSorted((one, other) => far(one) - far(other)) : found);
    const mine = ++asked;
    const looks = input.value.trim().length >= 2;
    none.hidden = !looks;
    none.textContent = "Searching the rules…";
    draw(sorted(own));
    const more = looks ? await look(input.value.trim()) : [];
    if (mine !== asked) return;
    none.hidden = own.length + more.length > 0;
    none.textContent = "Nothing matches.";
    if (!more.length) return;
    const chosen = at ? shown[at] : null;
    draw(sorted([...own, ...more]));
    at = Math.max(0, shown.indexOf(chosen)); // keep the selection
    mark();
  };
  input.addEventListener("input", () => (looked = search()));
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step !== undefined && shown.length) {
      event.preventDefault();
      at = Math.min(Math.max(at + step, 0), shown.length - 1);
      mark();
    }
    if (event.key === "Enter") {
      event.preventDefault();
      enter();
    }
  });
  const box = dialog({ title: "What do you want to do?", body: [input, none, list], kind: "st-dialog--palette" });
  draw(commands);
}
