// A page with nothing but a table: `sit` begins or opens a game there, and whatever is pointed out is chosen.

import { Tabletop } from "./play/tabletop.js";

window.sit = async ({ name, save = null, players = 2, seed = 1, seat = null, choose = true }) => {
  const { load } = await import(`./${name}/rules.js`);
  const rules = await load();
  const table = await (await fetch(`./${name}/table.json`)).json();
  const game = save === null ? rules.newGame({ players, seed }) : rules.openGame(save);
  const page = { rules, game, picked: [], pointed: [], told: 0 };
  page.show = () => {
    const events = seat === null ? game.log : game.logFor(seat);
    const mine = seat === null || game.decision?.player === seat;
    page.desk.show({ game, seat, decision: mine ? game.decision : null, events: events.slice(page.told) });
    page.told = events.length;
  };
  page.desk = new Tabletop(document.getElementById("place"), {
    rules,
    table,
    pick: (indexes) => {
      page.picked.push(indexes);
      if (!choose || indexes.length !== 1) return;
      game.choose(indexes[0]);
      page.show();
    },
    point: (index) => page.pointed.push(index),
  });
  window.table = page;
  page.show();
};
window.ready = true;
