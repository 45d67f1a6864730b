// The log: each line links to its rule in the book.

import { dice, element } from "./elements.js";
import { say } from "./say.js";

export class Log {
  #shown = [];
  #top = 0;
  #follows = true;

  /** `homes` are the addresses of steps, from `engine/rulewright/book/play_page/step_links.py`. */
  constructor(place, homes) {
    this.list = element("ol", { class: "rw-play__log" });
    place.append(this.list);
    this.place = place;
    place.addEventListener("scroll", () => this.#scrolled());
    // Other parts of the page may take some of its room at any time, such as the preview of an option.
    new ResizeObserver(() => this.#follows && this.toEnd()).observe(place);
    this.homes = new Map();
    for (const [page, rules] of Object.entries(homes)) {
      for (const [rule, [fragment, number]] of Object.entries(rules)) this.homes.set(rule, { href: `${page}.html#${fragment}`, number });
    }
  }

  /** Shows the lines of a game. Returns the new ones. */
  show(lines) {
    const known = this.#shown;
    let same = 0;
    while (same < known.length && same < lines.length && known[same].text === lines[same].text && known[same].rule === lines[same].rule) same += 1;
    while (this.list.children.length > same) this.list.lastElementChild.remove();
    for (const each of this.list.querySelectorAll(".rw-play__new")) each.classList.remove("rw-play__new");
    const fresh = lines.slice(same);
    this.list.append(...fresh.map((line) => this.#line(line)));
    this.#shown = lines;
    this.toEnd();
    return fresh;
  }

  /** Scrolls to the end. */
  toEnd() {
    this.place.scrollTop = this.place.scrollHeight;
    this.#top = this.place.scrollTop;
    this.#follows = true;
  }

  /** Stops following the end while a reader has scrolled up. */
  #scrolled() {
    const { scrollTop, scrollHeight, clientHeight } = this.place;
    const end = scrollTop + clientHeight >= scrollHeight - 1;
    // With less room, the end is farther away although nobody has scrolled.
    if (end || scrollTop < this.#top) this.#follows = end;
    this.#top = scrollTop;
  }

  /** Creates a link to the step's place in the book, or returns null if it has none. */
  link(rule) {
    const home = this.homes.get(rule) ?? this.homes.get(rule.slice(0, rule.lastIndexOf(".")));
    if (home === undefined) return null;
    return element("a", {
      href: home.href, target: "_blank", rel: "noopener", class: "rw-play__rule", "aria-label": home.number ? say("Rule %(number)s, in a new tab", { number: home.number }) : say("The rule, in a new tab"), title: say("Read the rule in a new tab"),
    }, home.number || say("Rule"));
  }

  #line({ pieces, rule }) {
    return element("li", { class: "rw-play__new" }, element("span", {}, ...pieces.map((piece) => (typeof piece === "string" ? piece : dice(piece)))), this.link(rule));
  }
}
