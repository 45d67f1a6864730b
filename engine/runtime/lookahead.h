/* What bots that think share: who thinks, the copies of the game in which something is tried, and what a try comes to. */
#ifndef RULEWRIGHT_BOTS_H
#define RULEWRIGHT_BOTS_H

#include "runtime.h"

#define SEATS 64

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

/* A copy in which something is tried: nothing is told of it. */
void try(int depth, i64 flags);

extern int choose(i64);

/* Whether whoever thinks has something to judge by. */
int judges(void);
double standing_of(i64 player);
int has_won(i64 player);

#define VICTORY 4.0

void judge(double *rewards, int known);

/* Whether something is hidden, so that bots try what may be. */
int is_guessed(void);

/* What may be tried lies in the place of the game, if anything may; and it has been. */
int may_try(void);
void tried(void);

void begin_searches(void);
void forget_search(void);
void give_up_visit(void);
i64 mcts(struct bot *bot);

#endif
