// Light and dark mode. This page does not load the theme's own script, which is as large as the engine.

/** Applies the user's previous choice of colours, or the system's, and handles the switch. */
export function dress() {
  document.documentElement.classList.replace("no-js", "js");
  const switches = [...document.querySelectorAll("[data-md-component=palette] > input")];
  const put = (at, { keep = false } = {}) => {
    const color = {};
    for (const name of ["media", "scheme", "primary", "accent"]) color[name] = switches[at].getAttribute(`data-md-color-${name}`);
    for (const [name, value] of Object.entries(color)) document.body.setAttribute(`data-md-color-${name}`, value);
    switches.forEach((each, place) => {
      each.checked = place === at;
      // Each label switches to the scheme after its own.
      if (each.nextElementSibling?.matches("label")) each.nextElementSibling.hidden = place !== at;
    });
    if (keep) globalThis.__md_set("__palette", { index: at, color });
  };
  if (!switches.length) return;
  let kept = null;
  try {
    kept = globalThis.__md_get("__palette");
  } catch {
    // Storage is unavailable.
  }
  const asked = switches.findIndex((each) => matchMedia(each.dataset.mdColorMedia).matches);
  put(switches[kept?.index] ? kept.index : Math.max(0, asked));
  switches.forEach((each, at) => each.addEventListener("change", () => put(at, { keep: true })));
}
