// A game of bots that take any option, as one digest of everything it told: of each decision, of its log, of its saves.

export async function told(rules, { players, seed, options, most }) {
  const game = rules.newGame({ players, seed, options }), lines = [];
  const bots = Array.from({ length: players }, (_, seat) => rules.bot("random", { seed, seat: seat + 1 }));
  let stops = 0;
  for (; stops < most && game.decision !== null; stops++) {
    const { decision } = game;
    lines.push(plain(decision));
    if (stops % 50 === 0) lines.push(game.save());
    game.choose(bots[decision.player - 1](game));
  }
  lines.push(game.save(), plain(game.log), plain(game.story()), plain(game.result));
  const bytes = new TextEncoder().encode(lines.join("\n"));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return { stops, digest: Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("") };
}

// JSON with its keys in order, so that it is the same text wherever it is written.
function plain(value) {
  return JSON.stringify(value, (_, each) =>
    each !== null && typeof each === "object" && !Array.isArray(each)
      ? Object.fromEntries(Object.keys(each).sort().map((key) => [key, each[key]]))
      : each,
  );
}
