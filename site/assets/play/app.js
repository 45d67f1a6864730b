// The Play page: loads the rules beside it, shows the setup form, and starts games. The file of the edition calls
// `rulewrightRules`.

import { Choices } from "./choices.js";
import { breath, button, dice, element } from "./elements.js";
import { loadExamples } from "./examples/load.js";
import { download, fileOf, heldBy, remember, remembered, takenBy, takenFragment, takenFrom, takenText, unzipped } from "./keep.js";
import { showLink } from "./links.js";
import { Log } from "./log.js";
import { dress } from "./palette.js";
import { Screen } from "./screen.js";
import { script } from "./script.js";
import { Session } from "./session.js";
import { anySeed, seedOf, setUp } from "./setup.js";
import { Tabletop } from "./tabletop.js";
import { Thinker, botsOf, usualBot } from "./thinking.js";
import { say } from "./say.js";

/** Carries a game over to other rules. Only on pages with `again.js`. */
const { carried, isCarried, takenUp } = globalThis.rulewrightAgain ?? { carried: () => "", isCarried: () => false };

async function begin({ wasm, data, table }) {
  const place = document.getElementById("rw-play");
  if (place === null) return;
  const refuse = (words) => place.replaceChildren(element("p", { class: "rw-play__error", role: "alert" }, words));
  if (typeof WebAssembly !== "object" || typeof DecompressionStream !== "function") {
    refuse(say("This browser cannot run the rules of this game because it has no WebAssembly, or cannot unpack it. Use a browser from 2023 or later."));
    return;
  }
  // The rules are fixed when the page loads. Switching between rules reloads the page.
  const given = location.hash, linked = given.startsWith(SHARED);
  addEventListener("hashchange", () => {
    const { hash } = location;
    if (hash.startsWith(SHARED) ? hash !== given : linked && /^#\w+=/.test(hash)) location.reload();
    else if (linked) history.replaceState(null, "", given); // it pointed to a place on this page
  });
  try {
    const [code, held, shown] = await Promise.all([wasm, data, table].map(unzipped));
    const engine = rulewrightEngine(globalThis), words = new TextDecoder();
    const brought = linked ? await rulesOfLink({ wasm: code, data: held, table: shown }) : null;
    const files = { wasm: await WebAssembly.compile(brought?.wasm ?? code), data: brought?.data ?? words.decode(held) };
    const rules = await engine.read(files);
    if (brought !== null) place.before(whose(brought));
    await layTable(place, { engine, rules, table: brought?.table ?? JSON.parse(words.decode(shown)), files, brought });
  } catch (error) {
    refuse(linked ? error.message : say("The game could not be set up: %(reason)s", { reason: error.message }));
    if (linked) place.append(element("p", {}, element("a", { href: location.pathname }, say("Play by the rules of this book"))));
  }
}

/** The prefix of fragments with shared rules (`../shared/link.js`). */
const SHARED = "#shared=";

async function rulesOfLink(edition) {
  const [own] = [...document.scripts].map(({ src }) => src).filter((src) => /\/assets\/play\.js$/.test(src));
  await script(new URL("shared-play.js", own).href, say("the part that reads rules from a link"));
  return rulewrightShared(location.hash, edition);
}

/** The title of the rules, above everything else. */
function whose({ title, ref, base, coded }) {
  return element("div", { class: "rw-play__note", role: "note", "aria-label": say("Whose rules these are") },
    element("p", {}, say("These rules came with a link:"), " ", element("strong", {}, title || ref || say("Untitled rules")), title && ref ? ` (${ref})` : "", ". ", ...(base ? [say("They change %(base)s.", { base }), " "] : []), say("Nobody here has checked them. If this page stops responding, close it.")),
    element("p", {}, element("a", { href: `../shared.html#rules=${coded}` }, say("Read them")), " · ", element("a", { href: location.pathname }, say("Play by the rules of this book"))));
}

async function layTable(place, { engine, rules, table, files, brought }) {
  const thinker = new Thinker(rulewrightEngine.toString(), files);
  let form = null;
  // Games under rules from a link are stored separately from those of any edition.
  const shelf = brought === null ? rules.digest : `shared.${brought.sum}`;
  const screen = new Screen(place, { rules, table, shelf, linked: brought !== null, leave: () => prepare(), again: (session, same) => tryTo(async () => sit({ ...session.kept, seed: same ? session.game.seed : seedOf(anySeed()) })) });

  const sit = (wanted) => new Session({ rules, thinker, changed: () => {}, ...wanted });
  /** Shows an error above the form. */
  const refuse = (words) => {
    if (!form?.there) prepare();
    form.refuse(words);
  };
  /** Shows the game that `make` returns, or its error above the form. */
  const tryTo = async (make) => {
    try {
      const session = await make();
      if (!session) return;
      telling?.stop();
      screen.play(session);
    } catch (error) {
      refuse(error.message);
    }
  };

  const refuseOthers = (digest) => {
    if (digest !== rules.digest) throw new Error(say("This game was made under other rules: of another game, or of another version of %(title)s. Open it in the book of its own edition (gameplay %(theirs)s; here it is %(ours)s), or start a new game here.", { title: rules.title, theirs: digest, ours: rules.digest }));
  };

  const open = (text) => tryTo(async () => {
    const taken = takenFrom(text);
    if (taken !== null) return takeUp(taken);
    const opened = rules.openGame(text);
    const seats = Array.from({ length: opened.players }, (_, at) => ({ name: say("Player %(seat)s", { seat: at + 1 }), bot: at ? usualBot(engine, rules) : null }));
    const session = sit({ players: opened.players, seed: opened.seed, options: opened.options, seats });
    await session.from(text);
    return session;
  });

  const openLink = (fragment) => tryTo(async () => {
    const held = await heldBy(fragment);
    refuseOthers(held.digest);
    const session = sit(held);
    await session.again(held.choices);
    return session;
  });

  /** Resumes a game that began under other rules, with a note about how much was repeated. */
  async function carryOver(fragment) {
    let said = "";
    await tryTo(async () => {
      const taken = await takenUp(fragment, { rules, sit, bots: botsOf(engine, rules).map(([name]) => name), usual: usualBot(engine, rules) });
      said = taken.said;
      return taken.session;
    });
    if (said) place.prepend(element("p", { class: "rw-play__note", role: "status" }, said));
  }

  let telling = null;

  /** Resumes an example that the reader has taken over. */
  async function takeUp(taken) {
    refuseOthers(taken.digest);
    history.replaceState(null, "", `#${taken.kind === "samples" ? "guide" : "example"}=${encodeURIComponent(taken.id)}`);
    await tell(taken.kind, taken.id, taken);
  }

  const keepTaken = {
    save: (taken) => download(fileOf(rules.reference, taken.id, taken.choices.length), takenText({ digest: rules.digest, ...taken })),
    link: async (place, taken) => showLink(place, await takenFragment({ digest: rules.digest, ...taken }), say("The link opens the example as you have continued it. Others can play on from there, or go back to the example.")),
  };

  /** Shows an example or a recorded game by its id. `taken` has the state if the reader has taken it over. */
  async function tell(kind, id, taken = null) {
    try {
      const { rules: texts, [kind]: found, Telling } = await loadExamples();
      if (!Object.hasOwn(found, id)) throw new Error(say("This edition has no example “%(id)s” to step through. It may have been renamed, so look for it in the book.", { id }));
      screen.stop();
      telling ??= new Telling(place, { parts: { Choices, Log, Tabletop, breath, button, dice, element }, rules, table, texts, keep: keepTaken, leave: () => prepare(), playOn: (game) => { telling.stop(); forget(); open(game.save()); } });
      await telling.open(found[id], { id, guide: kind === "samples", taken });
    } catch (error) {
      refuse(error.message);
    }
  }

  /** A new game has a different address. */
  const forget = () => brought === null && history.replaceState(null, "", location.href.split("#")[0]);

  /** Resumes the game that the browser has stored. Drops a game that cannot be read. */
  async function goOn(left) {
    try {
      const held = await heldBy(left), session = sit(held);
      await session.again(held.choices);
      screen.play(session);
    } catch {
      remember(shelf, null);
      prepare();
      refuse(say("Your last game cannot be continued because the copy in this browser is damaged. Start a new one."));
    }
  }

  function prepare() {
    screen.stop();
    telling?.stop();
    if (/^#(?:example|guide|t)=/.test(location.hash)) forget();
    const left = remembered(shelf);
    form = setUp(place, { engine, rules, begin: (wanted) => tryTo(async () => sit(wanted)), open, guides: table.guides, goOn: left === null ? null : () => goOn(left) });
  }

  const fromAddress = async () => {
    const { hash } = location;
    if (brought !== null) return false;
    const told = /^#(example|guide)=(.+)$/.exec(hash);
    if (told !== null) {
      await tell(told[1] === "guide" ? "samples" : "examples", decodeURIComponent(told[2]));
      return true;
    }
    if (hash.startsWith("#t=")) {
      await tryTo(async () => takeUp(await takenBy(hash)));
      return true;
    }
    if (!hash.startsWith("#g=") && !isCarried(hash)) return false;
    telling?.stop();
    forget();
    await (isCarried(hash) ? carryOver(hash) : openLink(hash));
    return true;
  };
  addEventListener("hashchange", fromAddress);
  /** Returns the fragment to resume from, for a page that reloads this one in a frame. */
  globalThis.rulewrightGame = () => carried(screen.session) || location.hash;
  if (!(await fromAddress())) prepare();
}

dress();
globalThis.rulewrightRules = begin;
