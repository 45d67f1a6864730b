// The command palette: commands, files and names of the rules.

import { element } from "../desk/elements.js";
import { dialog } from "./dialog.js";

const MOST = 60;

/** `commands` are `{title, keys?, run, note?}`. `look(words)` returns further results asynchronously. */
export function palette({ commands, look }) {
  let shown = [], at = 0, asked = 0, looked = null;
  const list = element("ul", { class: "st-palette__list", role: "listbox", id: "st-palette-list", "aria-label": "Actions" });
  const input = element("input", { class: "st-field", role: "combobox", "aria-expanded": "true", "aria-controls": "st-palette-list", "aria-autocomplete": "list", "aria-label": "What do you want to do?", placeholder: "A command, a file, or a name of the rules …", autofocus: true, spellcheck: "false" });
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
    draw(own);
    const mine = ++asked;
    if (input.value.trim().length < 2) return;
    const more = await look(input.value.trim());
    if (mine !== asked || !more.length) return;
    const chosen = shown[at];
    draw([...own, ...more]);
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
  const box = dialog({ title: "What do you want to do?", body: [input, list], kind: "st-dialog--palette" });
  draw(commands);
}
