/* Monte Carlo tree search. */
#ifndef RULEWRIGHT_MCTS_H
#define RULEWRIGHT_MCTS_H

#include "lookahead.h"

void begin_searches(void);
void forget_search(void);
void give_up_visit(void);
i64 mcts(struct bot *bot);

#endif
