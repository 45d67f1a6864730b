/* Games whose chance events are resolved one by one: replays in which one roll or draw has a forced outcome, to measure what
 * it decides, and games with dice by step, in which a choice changes no other roll. */
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

/* Dice by step: the n-th roll of a step has its own stream of random numbers, whatever was rolled before it. Steps whose
 * numbers have the same remainder share a count, which only changes what streams they use. */
#define COUNTS 1024
static u32 rolled[COUNTS];
static u8 stream[64];

void count_chance_from_zero(void) {
  forced.past = 0;
  for (int at = 0; at < COUNTS; at++) rolled[at] = 0;
}

static void use_dice_of_step(void) {
  i64 step = *(i64 *)(u32)G->frame;
  memcpy(stream, "dice ", 5);
  u32 size = 5 + (u32)write_decimal(stream + 5, step);
  stream[size++] = ' ';
  size += (u32)write_decimal(stream + size, rolled[(u64)step % COUNTS]++);
  G->dice.stream = (u32)stream;
  G->dice.stream_length = size;
  G->dice.block = G->dice.left = 0;
}

/* Resolves a chance event, possibly with the forced outcome. Uses the same number of random words either way. */
int resolve_chance(void) {
  if (G->flags & DICE_BY_STEP) use_dice_of_step();
  i64 came = G->drawing ? draw_one(G->roll) : roll_total(G->roll);
  if (forced.past++ == forced.place)
    came = !G->drawing ? forced.value : items(G->roll)[forced.value ? length(G->roll) - 1 : 0];
  return go_on(came);
}
