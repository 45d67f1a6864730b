// The setup form: number of players, seats, settings in the words of the rules, and seed.

import { bookMenu } from "./bar.js";
import { button, element } from "./elements.js";
import { say, sayCount } from "./say.js";
import { botsOf, usualBot } from "./thinking.js";

const PERSON = "";

/** Parses a seed: an integer if it looks like one, so that it equals the seed in the terminal. */
export function seedOf(text) {
  if (!/^-?\d+$/.test(text)) return text;
  const whole = BigInt(text);
  return whole <= BigInt(Number.MAX_SAFE_INTEGER) && whole >= -BigInt(Number.MAX_SAFE_INTEGER) ? Number(whole) : whole;
}

export const anySeed = () => String(crypto.getRandomValues(new Uint32Array(1))[0]);

/** The form. `begin` is called with the settings, and `open(text)` with the text of a save. `goOn` resumes the stored
 * game, if there is one. */
export function setUp(place, { engine, rules, begin, open, goOn, guides = {} }) {
  const [fewest, most] = rules.players;
  const bots = botsOf(engine, rules);
  const usual = usualBot(engine, rules);
  const seats = Array.from({ length: most }, (_, at) => ({ name: say("Player %(seat)s", { seat: at + 1 }), bot: at ? usual : PERSON }));
  const said = element("p", { class: "rw-play__error", role: "alert" });
  const list = element("ol", { class: "rw-play__seats" });

  const seatOf = (seat, at) => {
    const named = element("input", {
      type: "text", value: seat.name, maxlength: 40, "aria-label": say("Name of player %(seat)s", { seat: at + 1 }), autocomplete: "off",
      oninput: ({ target }) => { seat.name = target.value; },
    });
    const who = element("select", { "aria-label": say("Who plays for player %(seat)s", { seat: at + 1 }), onchange: ({ target }) => { seat.bot = target.value; } },
      element("option", { value: PERSON, selected: seat.bot === PERSON }, say("a person at this screen")),
      ...bots.map(([name, words]) => element("option", { value: name, selected: seat.bot === name }, words)),
    );
    return element("li", {}, element("span", { class: "rw-play__seat", "aria-hidden": "true" }, String(at + 1)), named, who);
  };
  const lay = (count) => list.replaceChildren(...seats.slice(0, count).map(seatOf));

  let players = Math.max(fewest, Math.min(2, most));
  const many = element("select", { id: "rw-play-many", onchange: ({ target }) => { players = Number(target.value); lay(players); } },
    ...Array.from({ length: most - fewest + 1 }, (_, at) => element("option", { value: fewest + at, selected: fewest + at === players }, sayCount(fewest + at, say("%(count)s player"), say("%(count)s players")))),
  );
  lay(players);

  const chosen = {};
  const settings = Object.entries(rules.options).map(([id, { title, default: first, choices }], at) => {
    chosen[id] = first;
    const box = element("select", { id: `rw-play-setting-${at}`, onchange: ({ target }) => { chosen[id] = target.value; } },
      ...Object.entries(choices).map(([value, words]) => element("option", { value, selected: value === first }, words)),
    );
    return element("p", { class: "rw-play__field" }, element("label", { for: box.id }, title), box);
  });
  const seed = element("input", { id: "rw-play-seed", type: "text", value: anySeed(), autocomplete: "off", spellcheck: "false", "aria-describedby": "rw-play-seed-why" });

  const form = element("form", {
    class: "rw-play__setup", onsubmit: (event) => {
      event.preventDefault();
      const options = Object.fromEntries(Object.entries(chosen).filter(([id, value]) => value !== rules.options[id].default));
      const sitting = seats.slice(0, players).map(({ name, bot }, at) => ({ name: name.trim() || say("Player %(seat)s", { seat: at + 1 }), bot: bot || null }));
      begin({ players, seed: seedOf(seed.value), options, seats: sitting });
    },
  },
    element("h2", { class: "rw-play__head" }, say("Who plays?")),
    element("p", { class: "rw-play__field" }, element("label", { for: "rw-play-many" }, say("How many")), many),
    list,
    ...(settings.length
      ? [element("details", { class: "rw-why rw-play__more" }, element("summary", {}, say("Settings (%(count)s)", { count: settings.length })), ...settings)]
      : []),
    element("details", { class: "rw-why rw-play__more" },
      element("summary", {}, say("Dice seed")),
      element("p", { class: "rw-play__field" }, element("label", { for: "rw-play-seed" }, say("Seed")), seed, button(say("New seed"), () => { seed.value = anySeed(); })),
      element("p", { id: "rw-play-seed-why", class: "rw-play__small" }, say("The seed determines all dice. The same seed and the same choices give the same game, here and in the terminal.")),
    ),
    element("p", { class: "rw-play__buttons" },
      element("button", { type: "submit", class: "rw-play__button rw-play__button--main" }, say("Begin")),
      goOn === null ? null : button(say("Continue your last game"), goOn),
      openButton(open),
      bookMenu(),
    ),
    ...Object.entries(guides).map(([id, title]) => element("p", { class: "rw-play__small" }, say("New to this game?"), " ", element("a", { href: `#guide=${encodeURIComponent(id)}` }, say("Follow “%(title)s”", { title })), " ", say("step by step."))),
    said,
  );
  place.replaceChildren(form);
  return { refuse: (words) => { said.textContent = words; }, get there() { return form.isConnected; } };
}

/** Creates a button that opens a save. */
export function openButton(open) {
  const file = element("input", {
    type: "file", accept: ".json,application/json", class: "rw-sr", tabindex: "-1", "aria-hidden": "true",
    onchange: async ({ target }) => {
      const [given] = target.files;
      if (given) open(await given.text());
      target.value = "";
    },
  });
  return element("span", {}, button(say("Open a saved game"), () => file.click()), file);
}
