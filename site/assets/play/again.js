// Carry a game over to changed rules, for a page that reloads Play in a frame. Seats, settings and seed stay, and choices
// are repeated as long as they are possible. A message says how many were.

import { counted } from "./elements.js";

const LINK = "#again=";

/** Returns the fragment that resumes a session. Empty without a session, or if its dice do not follow from its seed. */
function carried(session) {
  if (session === null || !session.follows) return "";
  const { players, seed, options, seats } = session.kept;
  const choices = session.game.record.flatMap(([what, id]) => (what === "choose" ? [id] : []));
  // JSON numbers are inexact for large integers, so these are stored as marked texts.
  const sown = typeof seed === "bigint" ? { whole: String(seed) } : seed;
  return LINK + encodeURIComponent(JSON.stringify({ players, seed: sown, options, seats, choices }));
}

/** Returns whether a fragment holds such a game. */
const isCarried = (fragment) => fragment.startsWith(LINK);

/** Resumes the game of a fragment with `rules`: `{session, said}`. `sit(wanted)` starts a game, `bots` are the available
 * names, and `usual` replaces missing ones. Rejects with an Error for damaged data. */
async function takenUp(fragment, { rules, sit, bots, usual }) {
  const { held, choices, lost } = fitted(read(fragment), rules, bots, usual);
  const session = sit(held);
  let taken = 0, why = "";
  for (const id of choices) {
    const { decision } = session.game;
    const index = decision === null ? -1 : decision.options.findIndex((option) => option.id === id);
    if (index < 0) {
      why = decision === null ? "then the game is over" : `then ${session.game.nameOf(decision.player)} cannot choose as before`;
      break;
    }
    try {
      await session.again([index]);
    } catch (error) {
      why = `then the rules fail: ${error.message}`;
      break;
    }
    taken += 1;
  }
  return { session, said: told(taken, choices.length, why, lost) };
}

function read(fragment) {
  try {
    const { players, seed, options, seats, choices } = JSON.parse(decodeURIComponent(fragment.slice(LINK.length)));
    const named = (seat) => typeof seat.name === "string" && seat.name.trim() !== "";
    if (seats.length !== players || !seats.every(named) || !Array.isArray(choices)) throw new SyntaxError("no game");
    return { players, seed: typeof seed === "object" ? BigInt(seed.whole) : seed, options: { ...options }, seats, choices };
  } catch {
    throw new Error("The game could not be resumed because its data is incomplete. Start a new one.");
  }
}

/** Returns the settings that still exist, and a sentence about the others. */
function fitted({ players, seed, options, seats, choices }, rules, bots, usual) {
  const [fewest, most] = rules.players;
  const lost = [];
  const count = Math.min(Math.max(players, fewest), most);
  if (count !== players) lost.push(`${counted(count, "player")} instead of ${players}`);
  const kept = Object.fromEntries(Object.entries(options).filter(([id, choice]) => rules.options[id] !== undefined && choice in rules.options[id].choices));
  const gone = Object.keys(options).filter((id) => !(id in kept));
  if (gone.length) lost.push(`without ${counted(gone.length, "setting")} that no longer ${gone.length === 1 ? "exists" : "exist"}`);
  const sitting = Array.from({ length: count }, (_, at) => {
    const { name, bot = null } = seats[at] ?? { name: `Player ${at + 1}`, bot: usual };
    return { name, bot: bot === null || bots.includes(bot) ? bot : usual };
  });
  return { held: { players: count, seed, options: kept, seats: sitting }, choices, lost };
}

function told(taken, of, why, lost) {
  const settings = lost.length ? `, ${lost.join(", ")}` : "";
  if (!of) return `Started again under the current rules, with the same dice${settings}.`;
  const held = taken === of ? (of === 1 ? "the one choice was repeated" : `all ${of} choices were repeated`) : `${taken} of ${counted(of, "choice")} ${taken === 1 ? "was" : "were"} repeated`;
  return `Continued under the current rules${settings}: ${held}${why ? `; ${why}` : ""}.`;
}

globalThis.rulewrightAgain = { carried, isCarried, takenUp };
