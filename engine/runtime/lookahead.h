/* What bots share that look ahead: who thinks, the copies of the game in which something is tried, and what a try comes to. */
#ifndef RULEWRIGHT_LOOKAHEAD_H
#define RULEWRIGHT_LOOKAHEAD_H

#include "runtime.h"

#define SEATS 64
#define DEEPEST 9
#define AS_IT_IS (DEEPEST - 1) /* no bot tries so deep */

struct bot {
  i64 kind, visits, weights, terms;
  double *worths;
  struct generator words;
  u8 stream[16];
};

/* Whose turn it is to think. */
extern struct bot *thinks;

/* What bots have tried since the host was heard last: now and then it wants to know whether to go on. */
#define MOST_AT_A_TIME 20000
extern i64 effort;
extern int paused;

void keep(int depth);
void bring_back(int depth);
void forget_copies(void);

/* A copy in which something is tried: nothing is told of it. */
void try(int depth, i64 flags);

extern int choose(i64);

/* Whether whoever thinks has something to judge by. */
int judges(void);
double standing_of(i64 player);
int has_won(i64 player);
void leads(double *found, const double *standing);

#define VICTORY 4.0

void judge(double *rewards, int known);

/* Whether something is hidden, so that bots try what may be. */
int is_guessed(void);

/* Whether the host must guess first. */
int waits_for_guess(void);

/* What may be tried lies in the place of the game, if anything may; and it has been. */
int may_try(void);
void tried(void);

/* Whether a try is given up, because the rules were at fault in it; `failed` gives up all tries of a decision. */
int give_up_try(int failed);

/* A bot that guesses begins a decision; it stops for now, or for good if nothing `waits`; its game is brought back, if it
 * thinks. */
void begin_thinking(void);
void pause_thinking(int waits);
int stop_thinking(void);
void forget_guesses(void);

#endif
