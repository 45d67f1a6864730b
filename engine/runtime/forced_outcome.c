/* Replays of a game in which one roll or draw has a forced outcome, to measure what that outcome decides. */
#include "runtime.h"

extern int go_on(i64);
extern i64 draw_one(i64);

/* The index of the chance event to replace, and its outcome; for a draw, whether it is the last card or the first. */
static struct {
  i64 place, value;
  i64 past; /* chance events of the current game so far */
} forced;

void EXPORT(force_outcome)(i64 place, i64 value) {
  forced.place = place;
  forced.value = value;
}

void count_chance_from_zero(void) { forced.past = 0; }

/* Resolves a chance event, possibly with the forced outcome. Uses the same number of random words either way. */
int resolve_chance(void) {
  i64 came = G->drawing ? draw_one(G->roll) : roll_total(G->roll);
  if (forced.past++ == forced.place)
    came = !G->drawing ? forced.value : items(G->roll)[forced.value ? length(G->roll) - 1 : 0];
  return go_on(came);
}
