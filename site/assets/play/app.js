// The page Play: reads the rules beside it, sets a game up, and shows it. The file of the edition calls `rulewrightRules`.

import { element } from "./elements.js";
import { heldBy, remember, remembered, unzipped } from "./keep.js";
import { dress } from "./palette.js";
import { Screen } from "./screen.js";
import { Session } from "./session.js";
import { anySeed, seedOf, setUp } from "./setup.js";
import { Thinker, usualBot } from "./thinking.js";

async function begin({ wasm, data, table }) {
  const place = document.getElementById("rw-play");
  if (place === null) return;
  const refuse = (words) => place.replaceChildren(element("p", { class: "rw-play__error", role: "alert" }, words));
  if (typeof WebAssembly !== "object" || typeof DecompressionStream !== "function") {
    refuse("This browser cannot run the rules of this game: it has no WebAssembly, or cannot unpack it. Any browser of 2023 or later can; the rules can be read in this one.");
    return;
  }
  try {
    table = JSON.parse(new TextDecoder().decode(await unzipped(table)));
    const engine = rulewrightEngine(globalThis);
    const module = await WebAssembly.compile(await unzipped(wasm));
    const text = new TextDecoder().decode(await unzipped(data));
    const rules = await engine.read({ wasm: module, data: text });
    await layTable(place, { engine, rules, table, files: { wasm: module, data: text } });
  } catch (error) {
    refuse(`The table could not be laid: ${error.message}`);
  }
}

async function layTable(place, { engine, rules, table, files }) {
  const thinker = new Thinker(rulewrightEngine.toString(), files);
  let form = null;
  const screen = new Screen(place, { rules, table, leave: () => prepare(), again: (session, same) => tryTo(async () => sit({ ...session.kept, seed: same ? session.game.seed : seedOf(anySeed()) })) });

  const sit = (wanted) => new Session({ rules, thinker, changed: () => {}, ...wanted });
  /** Show a game that `make` makes; where it cannot, say so above the form. */
  const tryTo = async (make) => {
    try {
      screen.play(await make());
    } catch (error) {
      if (form === null) prepare();
      form.refuse(error.message);
    }
  };

  const open = (text) => tryTo(async () => {
    const opened = rules.openGame(text);
    const seats = Array.from({ length: opened.players }, (_, at) => ({ name: `Player ${at + 1}`, bot: at ? usualBot(engine, rules) : null }));
    const session = sit({ players: opened.players, seed: opened.seed, options: opened.options, seats });
    await session.from(text);
    return session;
  });

  const openLink = (fragment) => tryTo(async () => {
    const held = await heldBy(fragment);
    if (held.digest !== rules.digest) {
      throw new Error(`This link holds a game that was played by other rules than these: of another game, or of another version of ${rules.title}. Open it in the book of the edition that it was played in (its gameplay is ${held.digest}, and here it is ${rules.digest}), or begin a new game here.`);
    }
    const session = sit(held);
    await session.again(held.choices);
    return session;
  });

  /** Go on with what this browser has kept; what cannot be read any more is not offered again. */
  async function goOn(left) {
    try {
      const held = await heldBy(left), session = sit(held);
      await session.again(held.choices);
      screen.play(session);
    } catch {
      remember(rules.digest, null);
      prepare();
      form.refuse("The game that was left here cannot be gone on with: what this browser has kept of it is damaged. Begin a new one.");
    }
  }

  function prepare() {
    const left = remembered(rules.digest);
    form = setUp(place, { engine, rules, begin: (wanted) => tryTo(async () => sit(wanted)), open, goOn: left === null ? null : () => goOn(left) });
  }

  const fromAddress = async () => {
    const { hash } = location;
    if (!hash.startsWith("#g=")) return false;
    // What is played from here on is another game than the address says.
    history.replaceState(null, "", location.href.split("#")[0]);
    await openLink(hash);
    return true;
  };
  addEventListener("hashchange", fromAddress);
  if (!(await fromAddress())) prepare();
}

dress();
globalThis.rulewrightRules = begin;
