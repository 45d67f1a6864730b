/* A game from its beginning to the next stop, and on from there. */
#include "runtime.h"

extern i64 draw_one(i64);

volatile i64 stop;

u32 EXPORT(stop_at)(void) { return (u32)&stop; }

/* What is left of a game before its first procedure: the game and its players as the rules say, and nothing else. */
static int stand(int came_to) {
  if (came_to == ENDED) {
    /* The outermost procedure has ended. Its frame stays, for those who want to see what its steps came to. */
    i64 given = new_block(G->results), *from = (i64 *)(u32)layout.results;
    for (i64 at = 0; at < G->results; at++) items(given)[at] = from[at];
    G->given = given;
    G->frame = layout.frames;
    *(i64 *)(u32)layout.frames = 0;
    G->mode = OVER;
  } else if (came_to == FINISHED) {
    G->frame = G->frames_end = layout.frames;
    G->mode = OVER;
  }
  return came_to;
}

/* Carries a procedure out from its beginning. Its frame lies at the bottom, with its arguments in it. */
int EXPORT(begin)(i64 procedure) {
  G->root = procedure;
  G->work = layout.most_in_a_move;
  G->mode = RUNNING;
  forget();
  return stand(RUN(procedure, (u32)layout.frames, 0));
}

/* Goes on from a stop with what was chosen or came up. */
int EXPORT(go_on)(i64 answer) {
  heed();
  G->answer = answer;
  G->mode = RUNNING;
  forget();
  return stand(RUN(G->root, (u32)layout.frames, 1));
}

int EXPORT(choose)(i64 option) {
  return go_on(items(G->options)[option]);
}

/* Rolls or draws what stands, with the dice of the game, and goes on. */
int EXPORT(leave_to_chance)(void) {
  return go_on(G->drawing ? draw_one(G->roll) : roll_total(G->roll));
}
