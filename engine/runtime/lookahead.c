/* What bots share that look ahead: copies of the game in which they try options, guesses of what is hidden, and the value
 * of a position. It knows no bot. */
#include "lookahead.h"

#define MOST_TERMS 256

struct bot *thinks;
i64 effort;
int paused;

/* -- copies of games, by how deep they were made -- */

static struct { u32 at, room, size; } kept[DEEPEST];

void forget_copies(void) {
  for (int depth = 0; depth < DEEPEST; depth++) kept[depth].room = 0;
}

void keep(int depth) {
  u32 size = size_of_game(), room = size + 64;
  if (room > kept[depth].room) kept[depth].at = take_space(kept[depth].room = 2 * room);
  save_game(kept[depth].at, kept[depth].size = size);
}

void bring_back(int depth) { load_game(kept[depth].at, kept[depth].size); }

void try(int depth, i64 flags) {
  bring_back(depth);
  G->flags = flags;
}

/* -- what may be: where something is hidden, a bot tries nothing in the game as it is --
 *
 * It waits for the host to put a game in its place in which all that is hidden from the player is guessed, by the words of
 * the bot. What was guessed cannot always be: where the rules are at fault in it, the host has the bot give up. */

static int guessing;    /* whether anything is hidden */
static int thinking;    /* whether the game as it is lies in AS_IT_IS, until the bot has chosen */
static int guess;       /* whether a guess lies ready, or is tried */
static i64 wanted;      /* whether one is wanted: 1 for the first of a decision, 2 for others */
static i64 guesses;     /* that were wanted for this decision */
static int trying;      /* whether the rules are carried out in a guess */
static struct generator guessed; /* the words of the bot once it was made */

/* The host says that it will guess. */
void EXPORT(guess_what_is_hidden)(void) { guessing = 1; }

int is_guessed(void) { return guessing; }

/* Whether something can be tried, which lies in the place of the game then. */
int may_try(void) {
  if (!guessing) return 1;
  if (!guess) {
    wanted = guesses++ ? 2 : 1;
    return 0;
  }
  bring_back(0);
  thinks->words = guessed;
  return trying = 1;
}

/* What was guessed has been tried. */
void tried(void) { guess = trying = 0; }

int waits_for_guess(void) { return wanted != 0; }

void begin_thinking(void) {
  if (!guessing || thinking) return;
  keep(AS_IT_IS);
  thinking = 1;
  guess = 0;
  guesses = 0;
}

void pause_thinking(int waits) {
  if (!thinking) return;
  bring_back(AS_IT_IS);
  thinking = waits;
}

int stop_thinking(void) {
  wanted = 0;
  if (thinking) bring_back(AS_IT_IS);
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

/* Whether the host is asked for a guess: 1 for the first of a decision, 2 for others. The game is as it is. */
i64 EXPORT(asked_guess)(void) { return wanted; }

/* A number of a bot's own, for the host that guesses. */
i64 EXPORT(bot_below)(i64 number) { return (i64)below(&thinks->words, (u64)number); }

/* A guess has been put in the place of the game. */
void EXPORT(guess_given)(void) {
  keep(0);
  guess = 1;
  guessed = thinks->words;
}

/* -- the value of a position -- */

int judges(void) { return layout.judges || thinks->terms; }

/* How well a player stands, by the rules' own formula, or by what was learned: to look takes nothing from the move. */
double standing_of(i64 player) {
  i64 terms[MOST_TERMS];
  double total = 0;
  G->work = layout.most_in_a_move;
  if (!thinks->terms) return (double)STANDING(player);
  TERMS(thinks->weights, player, (u32)terms);
  for (i64 at = 0; at < thinks->terms; at++) total += thinks->worths[at] * (double)terms[at];
  return total;
}

int has_won(i64 player) {
  for (i64 at = 0; at < length(G->winners); at++)
    if (items(G->winners)[at] == player) return 1;
  return 0;
}

/* What each player is ahead of the best of the others, by how they stand. */
void leads(double *found, const double *standing) {
  for (i64 seat = 0; seat < G->seats; seat++) {
    double others = 0;
    int any = 0;
    for (i64 other = 0; other < G->seats; other++)
      if (other != seat && (!any++ || standing[other] > others)) others = standing[other];
    found[seat] = any ? standing[seat] - others : standing[seat];
  }
}

/* What each player gets: the lead over the best of the others, if that is `known`, or what a victory is worth. */
void judge(double *rewards, int known) {
  double standing[SEATS], sum = 0;
  for (i64 seat = 0; seat < G->seats; seat++) {
    standing[seat] = known ? standing_of(seat + 1) : 0;
    sum += standing[seat] < 0 ? -standing[seat] : standing[seat];
  }
  if (G->mode != OVER) {
    leads(rewards, standing);
    return;
  }
  double prize = VICTORY * (1.0 + sum);
  int anybody = G->winners != NONE && length(G->winners);
  for (i64 seat = 0; seat < G->seats; seat++) rewards[seat] = !anybody ? 0 : has_won(seat + 1) ? prize : -prize;
}
