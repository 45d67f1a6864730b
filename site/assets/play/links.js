// A game as a link: a box that shows and copies it.

import { button, element } from "./elements.js";
import { say } from "./say.js";

/** Shows in `place` the address of this page with a fragment. `words` describe what the link opens. */
export function showLink(place, fragment, words) {
  const address = `${location.href.split("#")[0]}${fragment}`;
  const box = element("input", { type: "text", readonly: true, value: address, id: "rw-play-link", "aria-label": say("Address of this game"), onfocus: () => box.select() });
  const told = element("span", { role: "status" });
  const copy = button(say("Copy"), async () => {
    box.select();
    try {
      await navigator.clipboard.writeText(address);
    } catch {
      document.execCommand("copy");
    }
    told.textContent = say("Copied.");
  });
  place.replaceChildren(element("p", { class: "rw-play__field" }, box, copy, button(say("Close"), () => { place.hidden = true; }), told),
    element("p", { class: "rw-play__small" }, words));
  place.hidden = false;
  box.focus();
}
