/* Shared by bots that look ahead: snapshots of the game for trials, determinization, and evaluation of positions. Independent
 * of the bots. */
#include "determinize.h"
#include "lookahead.h"

#define MOST_TERMS 256

struct bot *current_bot;
i64 effort;
int paused;

/* -- snapshots, by depth -- */

static struct { u32 at, room, size; } snapshots[DEEPEST];

void free_snapshots(void) {
  for (int depth = 0; depth < DEEPEST; depth++) snapshots[depth].room = 0;
}

void snapshot(int depth) {
  u32 size = size_of_game(), room = size + 64;
  if (room > snapshots[depth].room) snapshots[depth].at = take_space(snapshots[depth].room = 2 * room);
  save_game(snapshots[depth].at, snapshots[depth].size = size);
}

void restore(int depth) { load_game(snapshots[depth].at, snapshots[depth].size); }

void try(int depth, i64 flags) {
  restore(depth);
  G->flags = flags;
}

/* -- determinization: if information is hidden, bots never try options in the actual game --
 *
 * They try them in states in which everything hidden from the player is random, drawn from the stream of the bot. Such a
 * state can be impossible: if the rules fail in it, the bot gives the trial up. */

static int thinking;    /* whether the actual game is saved in AS_IT_IS, until the bot has chosen */
static int guess;       /* whether a determinized game is saved in 0 */
static int guessing;    /* whether one is being made */
static int trying;      /* whether the rules run in it */
static struct generator guessed; /* the bot's stream after the determinization */

int has_hidden(void) { return layout.guesses != 0; }

void begin_guess(void) {
  if (!has_hidden()) return;
  if (guess) {
    restore(0);
    current_bot->words = guessed;
  } else {
    restore(AS_IT_IS);
    guessing = 1;
    if (find_known()) restore(AS_IT_IS);
    determinize(&current_bot->words);
    guessing = 0;
    snapshot(0);
    guess = 1;
    guessed = current_bot->words;
  }
  trying = 1;
}

void end_guess(void) { guess = trying = 0; }

void begin_thinking(void) {
  if (thinking) return;
  snapshot(AS_IT_IS);
  thinking = 1;
  guess = 0;
  begin_look();
}

void pause_thinking(int waits) {
  if (!thinking) return;
  restore(AS_IT_IS);
  thinking = waits;
}

int stop_thinking(void) {
  if (thinking) restore(AS_IT_IS);
  return thinking;
}

void forget_guesses(void) { thinking = guess = guessing = trying = 0; }

int give_up_try(int *begun) {
  int was_thinking = trying || guessing;
  *begun = trying;
  trying = guessing = 0;
  return was_thinking;
}

/* -- evaluation -- */

int has_evaluation(void) { return layout.judges || current_bot->terms; }

/* Returns the value of a player's position, by the rules' formula or by learned weights, at no cost to the move's budget. */
double evaluate(i64 player) {
  i64 terms[MOST_TERMS];
  double total = 0;
  G->work = layout.most_in_a_move;
  if (!current_bot->terms) return (double)STANDING(player);
  TERMS(current_bot->weights, player, (u32)terms);
  for (i64 at = 0; at < current_bot->terms; at++) total += current_bot->worths[at] * (double)terms[at];
  return total;
}

int has_won(i64 player) {
  for (i64 at = 0; at < length(G->winners); at++)
    if (items(G->winners)[at] == player) return 1;
  return 0;
}

/* Returns the lead of each player over the best opponent. */
void compute_leads(double *found, const double *standing) {
  for (i64 seat = 0; seat < G->seats; seat++) {
    double others = 0;
    int any = 0;
    for (i64 other = 0; other < G->seats; other++)
      if (other != seat && (!any++ || standing[other] > others)) others = standing[other];
    found[seat] = any ? standing[seat] - others : standing[seat];
  }
}

/* Stores the reward of each player: the lead if `known`, or the value of a victory. Returns this value, or 0 if the game is
 * not over. */
double reward_players(double *rewards, int known) {
  double standing[SEATS], sum = 0;
  for (i64 seat = 0; seat < G->seats; seat++) {
    standing[seat] = known ? evaluate(seat + 1) : 0;
    sum += standing[seat] < 0 ? -standing[seat] : standing[seat];
  }
  if (G->mode != OVER) {
    compute_leads(rewards, standing);
    return 0;
  }
  double prize = VICTORY * (1.0 + sum);
  int anybody = G->winners != NONE && length(G->winners);
  for (i64 seat = 0; seat < G->seats; seat++) rewards[seat] = !anybody ? 0 : has_won(seat + 1) ? prize : -prize;
  return prize;
}
