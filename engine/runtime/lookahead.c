/* Shared by bots that look ahead: snapshots of the game for trials, determinization, and evaluation of positions. Independent
 * of the bots. */
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
 * The host replaces the game with a state in which everything hidden from the player is random, drawn from the stream of the
 * bot. Such a state can be impossible: if the rules fail in it, the bot gives the trial up. */

static int guessing;    /* whether the game hides information */
static int thinking;    /* whether the actual game is saved in AS_IT_IS, until the bot has chosen */
static int guess;       /* whether a determinized game is in memory */
static i64 wanted;      /* whether one is requested: 1 for the first of a decision, 2 for others */
static i64 guesses;     /* number of requests in this decision */
static int trying;      /* whether the rules run in a determinized game */
static struct generator guessed; /* the bot's stream after the determinization */

/* The host announces that it determinizes. */
void EXPORT(guess_what_is_hidden)(void) { guessing = 1; }

int has_hidden(void) { return guessing; }

/* Returns whether a trial is possible, with its game in memory. */
int begin_guess(void) {
  if (!guessing) return 1;
  if (!guess) {
    wanted = guesses++ ? 2 : 1;
    return 0;
  }
  restore(0);
  current_bot->words = guessed;
  return trying = 1;
}

/* Ends a trial. */
void end_guess(void) { guess = trying = 0; }

int waits_for_guess(void) { return wanted != 0; }

void begin_thinking(void) {
  if (!guessing || thinking) return;
  snapshot(AS_IT_IS);
  thinking = 1;
  guess = 0;
  guesses = 0;
}

void pause_thinking(int waits) {
  if (!thinking) return;
  restore(AS_IT_IS);
  thinking = waits;
}

int stop_thinking(void) {
  wanted = 0;
  if (thinking) restore(AS_IT_IS);
  return thinking;
}

void forget_guesses(void) {
  wanted = 0;
  thinking = guess = trying = 0;
}

int give_up_try(int failed) {
  int was_trying = failed ? thinking : trying;
  trying = 0;
  return was_trying;
}

/* Returns whether a determinized game is requested: 1 for the first of a decision, 2 for others. The game is the actual one. */
i64 EXPORT(asked_guess)(void) { return wanted; }

/* Returns a number from the bot's stream, for the host that determinizes. */
i64 EXPORT(bot_below)(i64 number) { return (i64)below(&current_bot->words, (u64)number); }

/* The host has put a determinized game into memory. */
void EXPORT(guess_given)(void) {
  snapshot(0);
  guess = 1;
  guessed = current_bot->words;
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

/* Returns the reward of each player: the lead if `known`, or the value of a victory. */
void reward_players(double *rewards, int known) {
  double standing[SEATS], sum = 0;
  for (i64 seat = 0; seat < G->seats; seat++) {
    standing[seat] = known ? evaluate(seat + 1) : 0;
    sum += standing[seat] < 0 ? -standing[seat] : standing[seat];
  }
  if (G->mode != OVER) {
    compute_leads(rewards, standing);
    return;
  }
  double prize = VICTORY * (1.0 + sum);
  int anybody = G->winners != NONE && length(G->winners);
  for (i64 seat = 0; seat < G->seats; seat++) rewards[seat] = !anybody ? 0 : has_won(seat + 1) ? prize : -prize;
}
