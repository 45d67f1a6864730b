/* Determinization: random values in place of everything that is hidden from the player who decides. */
#ifndef RULEWRIGHT_DETERMINIZE_H
#define RULEWRIGHT_DETERMINIZE_H

#include "runtime.h"

/* Begins another decision, of which nothing is known yet. */
void begin_look(void);

/* Finds out what the player who decides knows, and returns 1; or 0 if it has done so for this decision. The game then holds
 * what the formulas of viewers left on the heap, so restore it. */
int find_known(void);

/* Returns whether the rules failed in `find_known`. What they do not say is unknown, so it can be called again. */
int give_up_look(void);

/* Replaces the hidden values in the game, with random words of a bot. */
void determinize(struct generator *words);

/* Forgets memory that has been freed. */
void free_guesses(void);

#endif
