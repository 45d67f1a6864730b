/* Playouts: many games to their ends, with or without bots, and their counts. */
#include "runtime.h"

extern int begin(i64), choose(i64);
extern void seed_dice(u32, u32, i64, u32, u32, i64), seed_lots(u32, u32, i64, i64);

/* -- counters of rows of up to four numbers -- */

struct count { i64 what, one, two, three, times; };
static u32 counts_at;
static i64 counts_room, counts_used;

static u32 place_of(i64 what, i64 one, i64 two, i64 three) {
  u64 mixed = (u64)what * 0x9E3779B97F4A7C15ULL;
  mixed = (mixed ^ (u64)one) * 0xBF58476D1CE4E5B9ULL;
  mixed = (mixed ^ (mixed >> 29) ^ (u64)two) * 0x94D049BB133111EBULL;
  mixed = (mixed ^ (mixed >> 31) ^ (u64)three) * 0x9E3779B97F4A7C15ULL;
  return (u32)(mixed >> 32);
}

void count(i64 what, i64 one, i64 two, i64 three) {
  struct count *counts = (struct count *)counts_at;
  u32 mask = (u32)counts_room - 1, at = place_of(what, one, two, three) & mask;
  while (counts[at].times) {
    if (counts[at].one == one && counts[at].what == what && counts[at].two == two && counts[at].three == three) {
      counts[at].times++;
      return;
    }
    at = (at + 1) & mask;
  }
  counts[at].what = what;
  counts[at].one = one;
  counts[at].two = two;
  counts[at].three = three;
  counts[at].times = 1;
  if (++counts_used * 2 < counts_room) return;
  u32 old = counts_at;
  i64 room = counts_room;
  counts_room *= 2;
  counts_at = take_space((u32)(counts_room * sizeof(struct count)));
  struct count *larger = (struct count *)counts_at;
  for (i64 each = 0; each < counts_room; each++) larger[each].times = 0;
  for (i64 each = 0; each < room; each++) {
    struct count *moved = (struct count *)old + each;
    if (!moved->times) continue;
    u32 to = place_of(moved->what, moved->one, moved->two, moved->three) & (u32)(counts_room - 1);
    while (larger[to].times) to = (to + 1) & (u32)(counts_room - 1);
    larger[to] = *moved;
  }
}

/* Resets the counters, with new memory if the old one has been freed. */
void EXPORT(clear_counts)(int anew) {
  if (anew || !counts_at) {
    counts_room = 64;
    counts_at = take_space((u32)(counts_room * sizeof(struct count)));
  }
  counts_used = 0;
  struct count *counts = (struct count *)counts_at;
  for (i64 each = 0; each < counts_room; each++) counts[each].times = 0;
}

u32 EXPORT(counts_address)(void) { return counts_at; }
i64 EXPORT(counts_rows)(void) { return counts_room; }

/* The key of a game that is counted separately. */
static i64 counted;

/* Measures with `over:` are recorded whenever its value changes. */
#define MOST_CLOCKS 64
static i64 last_moment[MOST_CLOCKS];

void EXPORT(look)(void) {
  i64 work = G->work;
  G->work = layout.most_in_a_move; /* evaluation does not use the move's budget */
  for (i64 at = 0; at < layout.clocks; at++) {
    i64 moment = CLOCK(at);
    if (last_moment[at] == moment) continue;
    last_moment[at] = moment;
    count(counted | 3, at, moment, MEASURE(layout.measures + at));
  }
  G->work = work;
}

enum { END, LENGTH, FIGURE, MOMENT };

/* Runs a whole game in one fused function, without events and without recording rules. */
static int carry_through(void) {
  G->work = layout.most_in_a_move;
  int came_to = THROUGH((u32)layout.frames);
  /* Its frames are incomplete, and nothing refers to them. */
  G->frame = G->frames_end = layout.frames;
  return came_to;
}

/* Sets the number of the running game, or returns it for -1. */
i64 EXPORT(playing)(i64 number) {
  static i64 played;
  if (number >= 0) played = number;
  return played;
}

/* The games to play, and the current one. */
static struct {
  u32 from, size, seed, seed_length, stream;
  i64 procedure, number, last, most, flags;
  int waiting; /* whether a bot waits for the host */
} run;

/* A step at which the bot of one place answers at random, or -1, and the place. */
static struct { i64 step, place; } careless = {-1, 0};

void EXPORT(answer_at_random)(i64 step, i64 place) {
  careless.step = step;
  careless.place = place;
}

/* The option that the first decision of a game takes, or -1: that of the bot. */
static i64 opening = -1;

void EXPORT(answer_first)(i64 option) { opening = option; }

static inline int is_careless(void) {
  return *(i64 *)(u32)G->frame == careless.step && (run.number + G->who - 1) % G->seats == careless.place;
}

/* Plays a game to its end, with a bot at each decision. If a chance event is to be replaced, the game stops at chance events,
 * so that those in the bots' trials do not count. */
static int by_bots(int came_to) {
  while (came_to == STOPPED) {
    if (G->mode == CHANCE) {
      came_to = resolve_chance();
      continue;
    }
    if (G->decisions >= run.most) return SPENT;
    if (!G->first) G->first = G->who;
    if (layout.clocks) look();
    int opens = !G->decisions && opening >= 0 && opening < length(G->options);
    /* The bot draws the same numbers wherever a random answer replaces its own, so that only the answer has effects. */
    i64 option = opens ? opening : take(&run.waiting);
    if (run.waiting) return STOPPED;
    if (!opens && is_careless()) option = pick(G->who, length(G->options));
    G->decisions++;
    came_to = choose(option);
  }
  return came_to;
}

static void count_game(int came_to) {
  if (layout.clocks) look();
  i64 winners = -1, ended_by = 0;
  if (came_to == FINISHED && G->winners != NONE) {
    winners = 0;
    for (i64 at = 0; at < length(G->winners); at++)
      /* A game counted separately records its winners in the order of the rules, in base 64. */
      winners |= counted ? items(G->winners)[at] << (6 * at) : 1LL << (items(G->winners)[at] - 1);
    ended_by = G->ended_by;
    for (i64 at = 0; at < layout.measures; at++) count(counted | FIGURE, at, MEASURE(at), 0);
  } else if (came_to == ENDED)
    winners = -2;
  count(counted | END, run.number % G->seats, winners, ended_by);
  count(counted | LENGTH, G->decisions, 0, 0);
}

static int play_game(i64 first) {
  heed();
  playing(run.number);
  load_game(run.from, run.size);
  G->flags = run.flags | (run.flags & FORCING ? 0 : SAMPLING);
  count_chance_from_zero();
  G->most_decisions = run.most;
  seed_dice(run.seed, run.seed_length, run.number, run.stream, 4, 0);
  seed_lots(run.seed, run.seed_length, run.number, G->seats);
  for (i64 at = 0; at < layout.clocks; at++) last_moment[at] = NONE;
  counted = run.flags & BY_ITSELF ? (run.number - first + 1) << 8 : 0;
  if (!(run.flags & PLAYING)) {
    seat_bots(run.number, run.seed, run.seed_length);
    return by_bots(begin(run.procedure));
  }
  if (run.flags & FORCING) return by_bots(begin(run.procedure));
  return run.flags & (RECORDING | STEP_BY_STEP) ? begin(run.procedure) : carry_through();
}

/* Continues with the waiting bot or the next game. Returns whether a bot waits. */
static int play_on_from(i64 first) {
  for (; run.number < run.last; run.number++) {
    int came_to = run.waiting ? by_bots(STOPPED) : play_game(first);
    if (run.waiting) return 1;
    count_game(came_to);
  }
  return 0;
}

static i64 first_played;

/* Plays the games from `first` to `last` (exclusive) from a snapshot of a game about to begin: with random bots if `flags`
 * has PLAYING, otherwise with the seated bots.
 *
 * Counters: (0, turn, winners as bits or -1, the step that ended it), (1, decisions), (2, measure, value), (3, clock,
 * moment, value). The number of the current game is kept for the host. Returns 1 if the host must act: send a distribution if
 * one is requested, and call `play_on`. */
int EXPORT(play_games)(u32 from, u32 size, i64 procedure, u32 seed, u32 seed_length, u32 stream, i64 first, i64 last, i64 most, i64 flags) {
  run.from = from, run.size = size, run.procedure = procedure;
  run.seed = seed, run.seed_length = seed_length, run.stream = stream;
  run.number = first_played = first, run.last = last, run.most = most, run.flags = flags;
  run.waiting = 0;
  return play_on_from(first);
}

int EXPORT(play_on)(void) {
  settle();
  return play_on_from(first_played);
}
