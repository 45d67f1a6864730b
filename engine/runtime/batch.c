/* Batches of games in one memory. Each game is a snapshot outside of the running one. A step restores each game in turn,
 * advances it to its next decision, and writes its observation to rows of arrays that the host reads.
 *
 * Rows are defined by engine/rulewright/integrations/observation.py and actions.py, and their tables are made by recipe.py
 * beside them.
 */
#include "runtime.h"

/* Set by the host. The names are those of engine/wasm_backend/game_batch.py. */
struct batch {
  i64 games, seats, width, actions, horizon, shared;
  i64 bots;    /* a bit for each player who chooses at random, like the bot `random` */
  i64 viewer;  /* the observing player, or 0 for the player who decides */
  i64 renewal; /* when the next game begins */
  i64 stride;  /* the difference between the numbers of consecutive seeds */
  i64 procedure, payoff;
  i64 plus, minus, stream; /* the prefixes of seeds by sign, and the name of the stream */
  i64 fresh, fresh_size;
  i64 kinds, questions;
  i64 feature_width, features; /* the numbers that describe an option of its place, if there are any */
  i64 chosen, seen, last_seen, masks, players, rewards, terminated, truncated, seeds, moves, copies, lots, offered, any;
};
static struct batch *b;

enum { NEVER, NEXT_STEP, SAME_STEP };

struct copy { u32 at, room, size, pad; };
static inline struct copy *copies(void) { return (struct copy *)(u32)b->copies; }
static inline i64 *words(i64 address) { return (i64 *)(u32)address; }
static inline u8 *bytes(i64 address) { return (u8 *)(u32)address; }

extern int begin(i64), go_on(i64), leave_to_chance(void), choose(i64);
extern void seed_dice(u32, u32, i64, u32, u32, i64);
extern void seed_lots(u32, u32, i64, i64), keep_lots(u32, i64), bring_lots(u32, i64, u32, u32, i64);
extern i64 mean_of(i64);

/* -- snapshots: sizes are powers of two, and an outgrown one is reused by another game -- */

static u32 spare_rooms[32];

static u32 room_for(u32 size, u32 *given) {
  int power = 10;
  while ((1u << power) < size) power++;
  *given = 1u << power;
  u32 at = spare_rooms[power];
  if (!at) return take_space(*given);
  spare_rooms[power] = *(u32 *)at;
  return at;
}

static void keep(i64 game) {
  struct copy *to = copies() + game;
  u32 size = size_of_game();
  if (size > to->room) {
    if (to->room) {
      int power = 10;
      while ((1u << power) < to->room) power++;
      *(u32 *)to->at = spare_rooms[power];
      spare_rooms[power] = to->at;
    }
    to->at = room_for(size, &to->room);
  }
  to->size = size;
  save_game(to->at, size);
  if (b->bots) keep_lots((u32)(b->lots + game * b->seats * 80), b->seats);
}

static inline u32 sign(i64 seed) { return (u32)(seed < 0 ? b->minus : b->plus); }

static void bring(i64 game) {
  load_game(copies()[game].at, copies()[game].size);
  if (!b->bots) return;
  i64 seed = words(b->seeds)[game];
  bring_lots((u32)(b->lots + game * b->seats * 80), b->seats, sign(seed), seed < 0 ? 2 : 1, seed < 0 ? -seed : seed);
}

/* -- observations -- */

enum { NUMBER, PLACE, WORD, SEAT, THING, MEAN, NOTHING, ROWS, LIST, MAP, PARTS };

/* A value of a type: its encoding, its number of floats, and the parameters of the encoding. */
struct reader { i64 is, width, one, two, inner[]; };

/* A field: its address, its reader, and its viewers: all players (-1), none (-2), or those a function returns; and the
 * address of the players it was shown to. */
struct seeing { i64 place, reader, seers, shown; };
struct kind { i64 room, width, count, fields; };

static i64 eye;

/* Returns the seat of a player relative to the viewer, who is 1. */
static inline i64 chair(i64 player) {
  i64 from = player - eye;
  return (from < 0 ? from + b->seats : from) + 1;
}

/* Filling memory is a call out of the module, which costs more than the loop for a few words. */
static inline void clear(void *at, i64 size) {
  if (size > 256) {
    __builtin_memset(at, 0, (unsigned long)size);
    return;
  }
  u8 *to = at, *end = to + size;
  for (; to + 8 <= end; to += 8) __builtin_memcpy(to, &(u64){0}, 8);
  while (to < end) *(volatile u8 *)to++ = 0;
}

static float told_number(const struct reader *how, i64 value) {
  switch (how->is) {
    case NUMBER: return (float)(double)value;
    case PLACE: return (float)(value + 1);
    case WORD: return (float)words(how->one)[value];
    case SEAT: return (float)chair(value);
    case THING: {
      i64 live = words(layout.live)[how->one];
      for (i64 at = 0; at < length(live); at++)
        if (items(live)[at] == value) return (float)(at + 1);
      return 0;
    }
    case MEAN: {
      if (!is_block(value)) return (float)(double)value;
      i64 mean = mean_of(value);
      return (float)((double)items(mean)[0] / (double)items(mean)[1]);
    }
  }
  return 0;
}

/* Rows are zero before they are written. */
static void tell_value(const struct reader *how, i64 value, float *to) {
  if (value == NONE || !how->width) return;
  switch (how->is) {
    case ROWS:
      for (i64 at = 0; at < length(value); at++) to[items(value)[at]] = 1;
      return;
    case LIST: {
      i64 count = length(value), most = how->one;
      const struct reader *each = (struct reader *)(u32)how->two;
      *to++ = (float)count;
      for (i64 at = 0; at < count && at < most; at++, to += each->width) tell_value(each, items(value)[at], to);
      return;
    }
    case MAP: {
      const struct reader *each = (struct reader *)(u32)how->two;
      for (i64 at = 0; at < length(value); at++, to += each->width) tell_value(each, items(value)[at], to);
      return;
    }
    case PARTS:
      for (i64 at = 0; at < how->one; at++) {
        const struct reader *each = (struct reader *)(u32)how->inner[at];
        tell_value(each, items(value)[at], to);
        to += each->width;
      }
      return;
    default: *to = told_number(how, value);
  }
}

static int includes(i64 list, i64 player) {
  if (list == NONE) return 0;
  for (i64 at = 0; at < length(list); at++)
    if (items(list)[at] == player) return 1;
  return 0;
}

/* The viewers of a field may depend on removed objects. Then nobody sees it, and the host records that here. */
#define MOST_BLIND 256
static i64 blind[MOST_BLIND][2], blinded, asking_of, asking;

static int may_see(const struct seeing *field, i64 thing, const i64 *values) {
  if (field->seers == -2) return 0;
  if (includes(values[field->shown], eye)) return 1;
  for (i64 at = 0; at < blinded; at++)
    if (blind[at][0] == thing && blind[at][1] == field->seers) return 0;
  asking_of = thing;
  asking = field->seers + 1;
  G->work = layout.most_in_a_move;
  i64 seers = SEERS(field->seers, thing);
  asking = 0;
  return includes(seers, eye);
}

/* Whether the game failed while computing the viewers of a field, so that it is not computed again. */
int EXPORT(batch_blind)(void) {
  if (!asking || blinded == MOST_BLIND) return 0;
  blind[blinded][0] = asking_of;
  blind[blinded++][1] = asking - 1;
  asking = 0;
  return 1;
}

static void tell_object(const struct kind *kind, i64 thing, const i64 *values, float *to) {
  const struct seeing *field = (struct seeing *)(u32)kind->fields;
  for (i64 at = 0; at < kind->count; at++, field++) {
    const struct reader *how = (struct reader *)(u32)field->reader;
    i64 value = values[field->place];
    if (value != NONE && (field->seers == -1 || may_see(field, thing, values))) {
      /* The most common field types are encoded without a call. */
      switch (how->is) {
        case NUMBER: *to = (float)(double)value; break;
        case PLACE: *to = (float)(double)(value + 1); break;
        case SEAT: *to = (float)(double)chair(value); break;
        default: tell_value(how, value, to);
      }
    }
    to += how->width;
  }
}

static const i64 *values_of(i64 thing, i64 kind) {
  if (kind == 1) return words(layout.players) + layout.player_size * (thing - 1);
  return items(items(G->objects)[thing]);
}

/* A question: its place among all of them, the set of its options (0 if these have no numbers of their own), and the
 * number of the first of them. */
struct question {
  i64 place, options, first;
  i64 reader, kind; /* how an option is described, and the kind of the objects that are options, if they are */
};

static inline struct question *question(void) {
  return (struct question *)(u32)b->questions + *words(G->frame);
}

/* Writes the observation of `viewer` for the running game. */
static void look_at_it(float *row, i64 viewer) {
  eye = viewer;
  clear(row, b->width * 4);
  if (G->mode == DECISION) {
    row[0] = (float)chair(G->who);
    row[1] = (float)question()->place;
  }
  row += 2;
  const struct kind *kind = (struct kind *)(u32)b->kinds;
  tell_object(kind, 0, words(layout.game), row);
  row += kind->width;
  for (i64 number = 1; number < layout.kinds; number++) {
    kind++;
    i64 live = words(layout.live)[number], count = length(live), from = 0;
    if (number == 1) from = eye - 1 < count ? eye - 1 : 0;
    else *row++ = (float)count;
    for (i64 at = 0; at < count && at < kind->room; at++) {
      i64 place = at + from;
      i64 thing = items(live)[place < count ? place : place - count];
      tell_object(kind, thing, values_of(thing, number), row + at * kind->width);
    }
    row += kind->room * kind->width;
  }
}

/* -- options by number -- */

/* A set of options: the way to number them, their number, the parameters of that way, and the sets they consist of. */
struct option_set { i64 is, count, one, two, inner[]; };
enum { BY_NUMBER, BY_TABLE, OR_NONE, BY_PARTS, BY_ELEMENTS };

#define MOST_ELEMENTS 16

static i64 binomial(i64 n, i64 k) {
  i64 result = 1;
  if (k > n) return 0;
  for (i64 at = 1; at <= k; at++) result = result * (n - k + at) / at;
  return result;
}

/* Returns the position of a value in a set, or -1 if it is outside. */
static i64 position_in(const struct option_set *set, i64 value) {
  const struct option_set *inner;
  if (value == NONE) return set->is == OR_NONE ? set->count - 1 : -1;
  i64 at = -1;
  switch (set->is) {
    case OR_NONE: return position_in((struct option_set *)(u32)set->inner[0], value);
    case BY_NUMBER: at = value - set->one; break;
    case BY_TABLE: at = value >= 0 && value < set->two ? words(set->one)[value] : -1; break;
    case BY_PARTS:
      at = 0;
      for (i64 part = 0; part < set->one; part++) {
        inner = (struct option_set *)(u32)set->inner[part];
        i64 here = position_in(inner, items(value)[part]);
        if (here < 0) return -1;
        at = at * inner->count + here;
      }
      break;
    case BY_ELEMENTS: {
      /* The position of each element in order, by insertion, and then the combinatorial number system. */
      i64 own[MOST_ELEMENTS], count = length(value), low = set->one, repeats = set->two;
      inner = (struct option_set *)(u32)set->inner[0];
      if (count > MOST_ELEMENTS || count < low) return -1;
      for (i64 element = 0; element < count; element++) {
        i64 here = position_in(inner, items(value)[element]), to = element;
        if (here < 0) return -1;
        for (; to > 0 && own[to - 1] > here; to--) own[to] = own[to - 1];
        own[to] = here;
      }
      at = 0;
      for (i64 size = low; size < count; size++) at += binomial(inner->count + (repeats && size ? size - 1 : 0), size);
      for (i64 element = 0; element < count; element++) {
        if (!repeats && element && own[element] == own[element - 1]) return -1;
        at += binomial(own[element] + (repeats ? element : 0), element + 1);
      }
    }
  }
  return at >= 0 && at < set->count ? at : -1;
}

/* Returns the number of an option, or -1 if it is outside of the set. */
static i64 number_of(const struct question *asked, i64 place) {
  if (!asked->options) return b->shared + place;
  i64 at = position_in((struct option_set *)(u32)asked->options, items(G->options)[place]);
  return at < 0 ? -1 : asked->first + at;
}

/* The first of several options with a number is the one. */
static i64 place_of(const struct question *asked, i64 number) {
  if (!asked->options) return number - b->shared;
  i64 place = 0;
  while (place < length(G->options) - 1 && number_of(asked, place) != number) place++;
  return place;
}

/* Describes the options of a question that have no numbers of their own, as the deciding player sees them. */
static void describe_options(const struct question *asked, float *row) {
  clear(row, (b->actions - b->shared) * b->feature_width * 4);
  if (!asked || asked->options) return;
  eye = G->who;
  for (i64 place = 0; place < length(G->options); place++, row += b->feature_width) {
    i64 value = items(G->options)[place];
    if (value == NONE) continue;
    const struct reader *how = (struct reader *)(u32)asked->reader;
    tell_value(how, value, row);
    if (asked->kind && items(G->objects)[value] != NONE) {
      const struct kind *kind = (struct kind *)(u32)b->kinds + asked->kind;
      tell_object(kind, value, values_of(value, asked->kind), row + how->width);
    }
  }
}

/* -- games -- */

static i64 at_game, phase, too_many;
enum { ACT, SHOW_LAST, SHOW };

/* Choices and outcomes of a game since its first decision. Earlier outcomes, of which there may be many, are negative. */
#define MOST_BEFORE 10000

static inline int is_over(i64 game) {
  i64 moves = words(b->moves)[game];
  return G->mode == OVER || moves >= b->horizon || moves <= -MOST_BEFORE;
}

static inline void count_choice(i64 game) {
  i64 *moves = words(b->moves) + game;
  *moves = *moves > 0 ? *moves + 1 : 1;
}

static inline void count_outcome(i64 game) {
  i64 *moves = words(b->moves) + game;
  *moves += *moves > 0 ? 1 : -1;
}

/* Advances to the next decision of a player who is no bot, or to the end. */
static void roll_on(i64 game) {
  for (;;) {
    if (is_over(game)) return;
    if (G->mode == CHANCE) {
      count_outcome(game);
      leave_to_chance();
    } else if (b->bots >> G->who & 1) {
      count_choice(game);
      choose(pick(G->who, length(G->options)));
    } else
      return;
  }
}

static void start(i64 game) {
  i64 seed = words(b->seeds)[game];
  load_game((u32)b->fresh, (u32)b->fresh_size);
  seed_dice(sign(seed), seed < 0 ? 2 : 1, seed < 0 ? -seed : seed, (u32)b->stream, 4, 0);
  if (b->bots) seed_lots(sign(seed), seed < 0 ? 2 : 1, seed < 0 ? -seed : seed, b->seats);
  words(b->moves)[game] = 0;
  begin(b->procedure);
  roll_on(game);
}

static void renew(i64 game) {
  words(b->seeds)[game] = (i64)((u64)words(b->seeds)[game] + (u64)b->stride);
  start(game);
}

static void note_returns(i64 game) {
  double *returns = (double *)(u32)b->rewards + game * b->seats;
  int over = is_over(game), ended = G->mode == OVER;
  bytes(b->terminated)[game] = (u8)(over && ended);
  bytes(b->truncated)[game] = (u8)(over && !ended);
  for (i64 seat = 0; seat < b->seats; seat++) returns[seat] = 0;
  if (!over || !ended) return;
  if (b->payoff) {
    for (i64 seat = 0; seat < b->seats; seat++) {
      G->work = layout.most_in_a_move;
      i64 worth = WORTH(seat + 1);
      returns[seat] = is_block(worth) ? (double)items(worth)[0] / (double)items(worth)[1] : (double)worth;
    }
    return;
  }
  if (G->winners == NONE || !length(G->winners)) return;
  i64 count = length(G->winners);
  for (i64 seat = 0; seat < b->seats; seat++) returns[seat] = -1;
  for (i64 at = 0; at < count; at++) returns[items(G->winners)[at] - 1] = (double)(b->seats - count) / (double)count;
}

static i64 viewer(i64 game) {
  if (b->viewer) return b->viewer;
  return G->mode == DECISION && !is_over(game) ? G->who : 1;
}

/* Writes a game in its current state. Returns whether all its options have numbers. If not, `too_many` is how many there
 * are, or minus the place of one that is outside of the set of its question. */
static int show(i64 game) {
  u8 *mask = bytes(b->masks) + game * b->actions;
  clear(mask, b->actions);
  int offered = 0, asks = G->mode == DECISION && !is_over(game);
  ((int *)(u32)b->players)[game] = asks ? (int)G->who - 1 : -1;
  if (asks) {
    const struct question *asked = question();
    i64 count = length(G->options);
    if (!asked->options && count > b->actions - b->shared) {
      too_many = count;
      return 0;
    }
    for (i64 place = 0; place < count; place++) {
      i64 number = number_of(asked, place);
      if (number < 0) {
        too_many = -place;
        return 0;
      }
      u8 *option = mask + number;
      offered += !*option;
      *option = 1;
    }
  }
  ((int *)(u32)b->offered)[game] = offered;
  if (b->feature_width) {
    float *row = (float *)(u32)b->features + game * (b->actions - b->shared) * b->feature_width;
    describe_options(asks ? question() : 0, row);
  }
  look_at_it((float *)(u32)b->seen + game * b->width, viewer(game));
  return 1;
}

/* Returns whether no player decides, according to the last row written. */
static inline int stands_over(i64 game) { return ((int *)(u32)b->players)[game] < 0; }

static void act(i64 game) {
  if (stands_over(game)) renew(game);
  else {
    bring(game);
    i64 place = place_of(question(), words(b->chosen)[game]);
    count_choice(game);
    choose(place);
    roll_on(game);
  }
}

/* Returns whether games begin: the host marks them in `chosen`. */
static int beginning;

/* Advances games to their next decisions. Returns the game with too many options, or -1. If a game failed while computing
 * viewers, continues after that point without repeating work. */
static i64 proceed(void) {
  for (; at_game < b->games; at_game++, phase = ACT) {
    i64 game = at_game;
    if (phase == ACT) {
      if (beginning) {
        if (!words(b->chosen)[game]) continue;
        start(game);
      } else if (b->renewal == NEVER && stands_over(game)) {
        double *returns = (double *)(u32)b->rewards + game * b->seats;
        for (i64 seat = 0; seat < b->seats; seat++) returns[seat] = 0;
        continue;
      } else
        act(game);
      keep(game);
      note_returns(game);
      phase = b->renewal == SAME_STEP && !beginning && is_over(game) ? SHOW_LAST : SHOW;
    } else
      bring(game);
    if (phase == SHOW_LAST) {
      look_at_it((float *)(u32)b->last_seen + game * b->width, viewer(game));
      blinded = 0;
      /* Rewards and end are those of the previous game. */
      renew(game);
      keep(game);
      phase = SHOW;
    }
    if (!show(game)) return game;
    blinded = 0;
  }
  return -1;
}

void EXPORT(batch_use)(u32 batch) { b = (struct batch *)batch; }

/* Returns the first game in which the chosen option is not offered, or -1. */
static i64 first_refused(void) {
  const int *players = (int *)(u32)b->players;
  const u8 *mask = bytes(b->masks);
  for (i64 game = 0; game < b->games; game++, mask += b->actions) {
    u64 number = (u64)words(b->chosen)[game];
    if (players[game] >= 0 && (number >= (u64)b->actions || !mask[number])) return game;
  }
  return -1;
}

i64 EXPORT(batch_begin)(void) {
  at_game = blinded = 0;
  phase = ACT;
  beginning = 1;
  return proceed();
}

i64 EXPORT(batch_step)(void) {
  i64 refused = first_refused();
  if (refused >= 0) return -2 - refused;
  at_game = blinded = 0;
  phase = ACT;
  beginning = 0;
  return proceed();
}

i64 EXPORT(batch_proceed)(void) { return proceed(); }
i64 EXPORT(batch_options)(void) { return too_many; }

/* Picks random options: for each game, the one at its number from 0 to 1 in `any`. */
void EXPORT(batch_any)(void) {
  const double *numbers = (double *)(u32)b->any;
  for (i64 game = 0; game < b->games; game++) {
    const u8 *mask = bytes(b->masks) + game * b->actions;
    i64 wanted = (i64)(numbers[game] * (double)((int *)(u32)b->offered)[game]), at = 0;
    for (; at + 8 <= b->actions; at += 8) {
      u64 eight;
      __builtin_memcpy(&eight, mask + at, 8);
      if (!eight) continue;
      i64 here = (i64)(eight * 0x0101010101010101ULL >> 56);
      if (here > wanted) break;
      wanted -= here;
    }
    while (at < b->actions && (!mask[at] || wanted--)) at++;
    words(b->chosen)[game] = at < b->actions ? at : 0;
  }
}

/* Writes the observations of a player for the games from one on, to a separate array. */
void EXPORT(batch_look)(i64 first, u32 rows, i64 player) {
  for (at_game = first; at_game < b->games; at_game++) {
    bring(at_game);
    look_at_it((float *)rows + at_game * b->width, player);
    blinded = 0;
  }
}

/* Returns the current game, or the last one. */
i64 EXPORT(batch_at)(void) { return at_game; }
