// A game as a link: shown in a box, from which it can be taken to wherever it is to be sent.

import { button, element } from "./elements.js";

/** Show in `place` the address of this page with a fragment, to be copied; `words` say what whoever opens it sees. */
export function showLink(place, fragment, words) {
  const address = `${location.href.split("#")[0]}${fragment}`;
  const box = element("input", { type: "text", readonly: true, value: address, id: "rw-play-link", "aria-label": "The address of this game", onfocus: () => box.select() });
  const told = element("span", { role: "status" });
  const copy = button("Copy", async () => {
    box.select();
    try {
      await navigator.clipboard.writeText(address);
    } catch {
      document.execCommand("copy");
    }
    told.textContent = "Copied.";
  });
  place.replaceChildren(element("p", { class: "rw-play__field" }, box, copy, button("Close", () => { place.hidden = true; }), told),
    element("p", { class: "rw-play__small" }, words));
  place.hidden = false;
  box.focus();
}
