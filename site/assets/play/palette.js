// Light or dark. On this page the theme's own script, as large as the engine, is not there to see to it.

/** Put on the colours that were chosen here before, or that the system asks for, and see to the switch. */
export function dress() {
  document.documentElement.classList.replace("no-js", "js");
  const switches = [...document.querySelectorAll("[data-md-component=palette] > input")];
  const put = (at, { keep = false } = {}) => {
    const color = {};
    for (const name of ["media", "scheme", "primary", "accent"]) color[name] = switches[at].getAttribute(`data-md-color-${name}`);
    for (const [name, value] of Object.entries(color)) document.body.setAttribute(`data-md-color-${name}`, value);
    switches.forEach((each, place) => {
      each.checked = place === at;
      // The label after the one that holds leads to the other.
      if (each.nextElementSibling?.matches("label")) each.nextElementSibling.hidden = place !== at;
    });
    if (keep) globalThis.__md_set("__palette", { index: at, color });
  };
  if (!switches.length) return;
  let kept = null;
  try {
    kept = globalThis.__md_get("__palette");
  } catch {
    // Nothing can be kept here.
  }
  const asked = switches.findIndex((each) => matchMedia(each.dataset.mdColorMedia).matches);
  put(switches[kept?.index] ? kept.index : Math.max(0, asked));
  switches.forEach((each, at) => each.addEventListener("change", () => put(at, { keep: true })));
}
