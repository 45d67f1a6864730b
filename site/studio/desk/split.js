// Separators between columns: dragged, or moved with arrow keys. Positions are stored.

import { element } from "./elements.js";

const LEAST = { side: 160, panels: 300, middle: 320 };

/** Creates a separator that sets a custom property of `host` in pixels. `grows` is 1 if the column grows to the right. */
export function splitter({ host, name, words, grows, usual }) {
  const key = `rulewright-studio-${name}`;
  const least = LEAST[name];
  let chosen = Number(localStorage.getItem(key)) || null; // the user's choice, which a smaller window or zoom overrides only temporarily
  let width = chosen ?? usual();
  const bar = element("div", { class: "st-split", role: "separator", "aria-orientation": "vertical", "aria-label": words, tabindex: 0 });
  const most = () => {
    const other = [...host.querySelectorAll(":scope > .st-side, :scope > .st-panels")].find((each) => !each.classList.contains(`st-${name}`));
    return Math.max(least, host.clientWidth - other.offsetWidth - LEAST.middle);
  };
  const set = (wanted, keep = true) => {
    width = Math.round(Math.min(Math.max(wanted, least), most()));
    host.style.setProperty(`--st-${name}`, `${width}px`);
    bar.setAttribute("aria-valuenow", String(width));
    bar.setAttribute("aria-valuemin", String(least));
    bar.setAttribute("aria-valuemax", String(most()));
    if (keep) localStorage.setItem(key, String((chosen = width)));
  };
  bar.addEventListener("pointerdown", (event) => {
    const from = event.clientX, before = width;
    bar.setPointerCapture(event.pointerId);
    host.classList.add("st-work--dragged"); // otherwise frames would take pointer events
    const move = ({ clientX }) => set(before + grows * (clientX - from));
    bar.addEventListener("pointermove", move);
    bar.addEventListener("lostpointercapture", () => {
      bar.removeEventListener("pointermove", move);
      host.classList.remove("st-work--dragged");
    }, { once: true });
  });
  bar.addEventListener("dblclick", () => {
    localStorage.removeItem(key);
    chosen = null;
    set(usual(), false);
  });
  bar.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    set(width + grows * step * (event.shiftKey ? 80 : 20));
  });
  addEventListener("resize", () => set(chosen ?? usual(), false));
  requestAnimationFrame(() => set(chosen ?? usual(), false));
  return bar;
}
