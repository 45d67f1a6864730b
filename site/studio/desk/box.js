// Small boxes at a place of the page, such as menus. They close on Escape, Tab, and when they lose focus.

import { element, roving, worded } from "./elements.js";

/** Opens a box below a rectangle, or above it if there is no room. Focus returns to `back`. Returns a function that closes it. */
export function boxAt(where, box, back, closed = () => {}) {
  document.body.append(box);
  let open = true;
  const close = (returns = true) => {
    if (!open) return;
    open = false; // removing the box moves its focus, which would close it again
    box.remove();
    if (returns) back.focus();
    closed();
  };
  box.style.left = `${Math.max(8, Math.min(where.left, innerWidth - box.offsetWidth - 8))}px`;
  const below = where.bottom + 4;
  box.style.top = `${below + box.offsetHeight > innerHeight ? Math.max(8, where.top - box.offsetHeight - 4) : below}px`;
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" && event.key !== "Tab") return;
    event.preventDefault();
    close();
  });
  box.addEventListener("focusout", (event) => !box.contains(event.relatedTarget) && close(false));
  return close;
}

/** Opens a menu at a rectangle. `items` have a `title` and `run`, and those `apart` are set off from the rest. `chosen` is focused. */
export function menuAt(where, label, items, back, chosen = 0) {
  const shown = items.map(({ title, run, apart = false }) => element("button", { type: "button", role: "menuitem", class: `st-menu__item${apart ? " st-menu__item--apart" : ""}`, tabindex: -1, onpointermove: ({ currentTarget }) => document.activeElement !== currentTarget && go(currentTarget), onclick: () => { close(); run(); } }, ...worded(title)));
  const menu = element("div", { class: "st-menu", role: "menu", "aria-label": label }, ...shown);
  const close = boxAt(where, menu, back);
  const go = roving(menu, () => shown);
  go(shown[chosen]);
}
