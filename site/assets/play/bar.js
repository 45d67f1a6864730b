// The bar above the table: actions for the game, its speed, and links to the book.

import { button, element } from "./elements.js";
import { say } from "./say.js";

/** The delay between two moves of bots, in milliseconds. */
const PACES = [[say("slowly enough to follow"), 450], [say("instantly"), 0]];
const TAPS = [[say("shows the effect first"), ""], [say("chooses at once"), "at once"]];
const TAP = "rulewright.play.tap";

const KEYS = [
  [say("0 to 9"), say("choose the option with that number")],
  [say("Arrows"), say("move between options in the list, or between spaces on a board")],
  [say("Tab"), say("move on to the list, the table or the log")],
  [say("Enter or Space"), say("choose an option, or select a space on the table")],
  [say("Escape"), say("undo the last selection on the table")],
  [say("Ctrl + Z"), say("undo the last choice")],
  ["?", say("show this list")],
];

export class Bar {
  /** `pace(milliseconds)` is called when the speed changes. The others are the actions of the buttons. A null link has no
   * button. */
  constructor({ back, save, link, another, pace }) {
    this.back = button(say("Undo"), back);
    this.paced = field("rw-play-pace", say("Bots move"), PACES, (value) => pace(Number(value)));
    this.taps = field("rw-play-tap", say("A tap"), TAPS, (value) => kept(value), kept());
    this.taps.hidden = !matchMedia("(any-pointer: coarse)").matches;
    const more = button(say("More"), () => {
      const open = more.getAttribute("aria-expanded") !== "true";
      more.setAttribute("aria-expanded", String(open));
      this.element.classList.toggle("rw-play__bar--open", open);
    }, { class: "rw-play__button rw-play__fewer", "aria-expanded": "false" });
    this.help = help();
    this.element = element("div", { class: "rw-play__buttons rw-play__bar", role: "group", "aria-label": say("The game") },
      this.back,
      more,
      ...[button(say("Save as a file"), save), ...(link === null ? [] : [button(say("Share a link"), link)]), button(say("New game"), another), button(say("Keys"), () => this.help.showModal(), { "aria-keyshortcuts": "?" }), this.paced, this.taps]
        .map((each) => (each.classList.add("rw-play__further"), each)),
      bookMenu(),
      this.help,
    );
  }

  /** Whether tapping an option takes it immediately. */
  get takesAtOnce() {
    return this.taps.lastElementChild.value !== "";
  }

  /** The delay of bots in milliseconds. */
  get pace() {
    return Number(this.paced.lastElementChild.value);
  }
}

function field(id, words, choices, changed, now = null) {
  const box = element("select", { id, onchange: () => changed(box.value) }, ...choices.map(([said, value]) => element("option", { value, selected: String(value) === now }, said)));
  return element("span", { class: "rw-play__field" }, element("label", { for: id }, words), box);
}

function kept(value) {
  try {
    if (value !== undefined) localStorage.setItem(TAP, value);
    return localStorage.getItem(TAP) ?? "";
  } catch {
    return value ?? "";
  }
}

function help() {
  const dialog = element("dialog", { class: "rw-play__help", "aria-labelledby": "rw-play-keys", onclick: ({ target }) => target === dialog && dialog.close() },
    element("div", {},
      element("h2", { class: "rw-play__head", id: "rw-play-keys" }, say("Keys")),
      element("dl", {}, ...KEYS.flatMap(([key, does]) => [element("dt", {}, element("kbd", {}, key)), element("dd", {}, does)])),
      element("p", { class: "rw-play__small" }, say("On a board, the arrow keys move between spaces, and screen readers announce the pieces there.")),
      button(say("Close"), () => dialog.close(), { class: "rw-play__button rw-play__button--main" }),
    ),
  );
  return dialog;
}

/** Returns the menu of the book. The theme only shows it on small screens. */
export function bookMenu() {
  const chooser = document.querySelector(".md-header .md-logo")?.getAttribute("href");
  const lists = [];
  const alone = [];
  const linked = (link) => element("li", {}, element("a", { href: link.getAttribute("href") }, link.textContent.trim().replace(/\s+/g, " ")));
  for (const item of document.querySelectorAll(".md-nav--primary > .md-nav__list > .md-nav__item")) {
    const links = [...item.querySelectorAll("a.md-nav__link:not(.md-nav__link--active)")];
    const label = item.querySelector(":scope > label.md-nav__link");
    if (label === null) alone.push(...links.map(linked));
    else if (links.length) lists.push(element("div", {}, element("p", {}, label.textContent.trim()), element("ul", {}, ...links.map(linked))));
  }
  if (chooser && !alone.some((each) => each.firstElementChild.getAttribute("href") === chooser)) alone.push(element("li", {}, element("a", { href: chooser }, say("All games and editions"))));
  const menu = element("details", { class: "rw-play__book", onkeydown: ({ key }) => { if (key === "Escape" && menu.open) { menu.open = false; menu.firstElementChild.focus(); } } },
    element("summary", {}, say("The book")),
    element("nav", { "aria-label": say("The book") }, element("ul", {}, ...alone), ...lists),
  );
  document.addEventListener("click", ({ target }) => { if (!menu.contains(target)) menu.open = false; });
  return menu;
}
