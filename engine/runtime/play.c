/* Running a game: from its start or from a stop to the next stop. */
#include "runtime.h"

extern i64 draw_one(i64);

volatile i64 stop;

u32 EXPORT(stop_at)(void) { return (u32)&stop; }

/* Handles the end of a run. */
static int stand(int came_to) {
  if (came_to == ENDED) {
    /* The root procedure has ended. Its frame stays, so that its results can be read. */
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

/* Runs a procedure from its start. Its frame with the arguments is at the bottom. */
int EXPORT(begin)(i64 procedure) {
  G->root = procedure;
  G->work = layout.most_in_a_move;
  G->mode = RUNNING;
  forget();
  return stand(RUN(procedure, (u32)layout.frames, 0));
}

/* Resumes from a stop with a choice or a chance result. */
int EXPORT(go_on)(i64 answer) {
  heed();
  if (!G->first && G->mode == DECISION) G->first = G->who;
  G->answer = answer;
  G->mode = RUNNING;
  forget();
  return stand(RUN(G->root, (u32)layout.frames, 1));
}

int EXPORT(choose)(i64 option) {
  return go_on(items(G->options)[option]);
}

/* Resolves the current chance event with the game's dice, and resumes. */
int EXPORT(leave_to_chance)(void) {
  return go_on(G->drawing ? draw_one(G->roll) : roll_total(G->roll));
}
