/* Shared by bots that look ahead: snapshots of the game, determinization, and evaluation of positions. */
#ifndef RULEWRIGHT_LOOKAHEAD_H
#define RULEWRIGHT_LOOKAHEAD_H

#include "runtime.h"

#define SEATS 64
#define DEEPEST 9
#define AS_IT_IS (DEEPEST - 1) /* no bot looks so deep */

struct bot {
  i64 kind, visits, weights, terms;
  double *worths;
  struct generator words;
  u8 stream[16];
};

/* The bot that is thinking. */
extern struct bot *current_bot;

/* The number of trials since the host was last called: it decides whether to continue. */
#define MOST_AT_A_TIME 20000
extern i64 effort;
extern int paused;

void snapshot(int depth);
void restore(int depth);
void free_snapshots(void);

/* Restores a snapshot for a trial, without events. */
void try(int depth, i64 flags);

extern int choose(i64);

/* Returns whether the current bot has an evaluation. */
int has_evaluation(void);
double evaluate(i64 player);
int has_won(i64 player);
void compute_leads(double *found, const double *standing);

#define VICTORY 4.0

double reward_players(double *rewards, int known);

/* Returns whether information is hidden, so that bots need determinized games. */
int has_hidden(void);

/* Begins a trial, with a determinized game in memory; ends it. Does nothing if nothing is hidden. */
void begin_guess(void);
void end_guess(void);

/* Returns whether the rules failed in a determinized game, or before it was complete: then the trial had not `begun`. */
int give_up_try(int *begun);

/* For bots that determinize: begins a decision; pauses it, or ends it if nothing `waits`; restores its game, if it was
 * thinking. */
void begin_thinking(void);
void pause_thinking(int waits);
int stop_thinking(void);
void forget_guesses(void);

#endif
