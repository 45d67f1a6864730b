// The Changes panel: what these rules change, with changed odds, ready for a changelog.

import { button, element, say } from "../desk/elements.js";

class Changes {
  constructor(panels) {
    this.panels = panels;
    this.element = element("div", { class: "st-changes" });
  }

  async refresh() {
    const answer = await this.panels.ask("changes");
    if (answer === null) return;
    const { gist, items = [], odds = [], balance, markdown } = answer;
    const copy = async () => {
      try {
        await navigator.clipboard.writeText(markdown);
        say("Copied.");
      } catch {
        // If the browser blocks the clipboard, the user can copy the selected text.
        shown.hidden = false;
        getSelection().selectAllChildren(shown);
        say("Selected. Copy it with the keyboard.");
      }
    };
    const shown = element("pre", { class: "st-code", hidden: true, tabindex: 0 }, markdown ?? "");
    this.element.replaceChildren(
      element("p", { class: "st-changes__gist" }, gist || "These rules change nothing."),
      ...[...Map.groupBy(items, ({ title, what }) => `${title} (${what})`)].map(([heading, those]) => element("section", {},
        element("h3", {}, heading),
        element("ul", { class: "st-changes__items" }, ...those.map(({ html, place }) => element("li", {},
          ...(place ? [element("button", { type: "button", class: "st-link", onclick: () => this.panels.go(place.path, place.line, place.column) }, ...marked(html))] : marked(html))))))),
      ...(odds.length ? [element("h3", {}, "Changed odds"), element("ul", {}, ...odds.map((each) => element("li", {}, typeof each === "string" ? each : each.words)))] : []),
      ...(balance ? [element("h3", {}, "Balance"), element("p", {}, typeof balance === "string" ? balance : balance.words)] : []),
      ...(markdown ? [element("div", { class: "st-buttons" }, button("Copy as Markdown", copy), button("Show or hide the Markdown", () => (shown.hidden = !shown.hidden))), shown] : []));
  }
}

/** Returns the nodes of a sentence, of whose marks only those of new and old words are kept. */
function marked(html) {
  const { childNodes } = new DOMParser().parseFromString(html, "text/html").body;
  return [...childNodes].map(({ localName, textContent }) => (["ins", "del"].includes(localName) ? element(localName, {}, textContent) : textContent));
}

export const panel = { name: "changes", title: "Changes", make: (panels) => new Changes(panels) };
