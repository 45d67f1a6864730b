/* Bots that think: who takes which option, as engine/rulewright/ai/bots define them. The games they try are copies of
 * the one that is played, made and dropped in its place; each bot has a stream of words of its own.
 *
 * Sources: see the modules of that name there.
 */
#include "lookahead.h"
#include "mcts.h"

enum { ANY, GREEDY, MCTS, PLANNER, ROLLOUT };

/* Who sits where, by places at the table: everybody moves one seat on with every game. */
static struct place { i64 kind, visits, weights, terms; double *worths; } places[SEATS];
static i64 placed;

/* Who sits where in the game that is played, by seats from 0. */
static struct bot bots[SEATS];

extern int go_on(i64);
extern i64 draw_one(i64);
extern void seed_dice(u32, u32, i64, u32, u32, i64);

/* -- what rolls come to -- */

#define MOST_OUTCOMES 12
#define SAMPLES 6

struct outcome { i64 value; double chance; };

/* Rolls whose outcomes the host has told. More of them than are weighed are none: `count` is 0. */
static struct known { u64 hash; i64 roll; struct outcome *outcomes; i64 count; } *known;
static u32 known_room, known_used;
static i64 asked; /* the roll that the host must tell of, or 0 */

static u64 hash_of(i64 value) {
  if (!is_block(value)) return (u64)value * 0x9E3779B97F4A7C15ULL;
  u64 found = (u64)items(value)[0];
  /* What is worked out on demand is left out. */
  for (i64 at = 3; at < length(value); at++) {
    found = (found ^ hash_of(items(value)[at])) * 0xBF58476D1CE4E5B9ULL;
    found ^= found >> 29;
  }
  return found;
}

static int same_roll(i64 one, i64 other) {
  if (one == other) return 1;
  if (!is_block(one) || !is_block(other)) return 0;
  if (length(one) != length(other) || items(one)[0] != items(other)[0]) return 0;
  for (i64 at = 3; at < length(one); at++)
    if (!same_roll(items(one)[at], items(other)[at])) return 0;
  return 1;
}

static struct known *place_for(struct known *table, u32 room, u64 hash, i64 roll) {
  for (u32 at = (u32)(hash >> 32);; at++) {
    struct known *found = table + (at & (room - 1));
    if (!found->roll || (found->hash == hash && same_roll(found->roll, roll))) return found;
  }
}

static struct known *new_table(u32 room) {
  struct known *table = (struct known *)take_space(room * sizeof(struct known));
  for (u32 at = 0; at < room; at++) table[at].roll = 0;
  return table;
}

/* The host tells what a roll comes to: `count` outcomes from an address on. Both stay where they are. */
void EXPORT(tell_outcomes)(i64 roll, u32 outcomes, i64 count) {
  if (2 * known_used >= known_room) {
    struct known *larger = new_table(2 * known_room);
    for (u32 at = 0; at < known_room; at++)
      if (known[at].roll) *place_for(larger, 2 * known_room, known[at].hash, known[at].roll) = known[at];
    known = larger;
    known_room *= 2;
  }
  u64 hash = hash_of(roll);
  struct known *place = place_for(known, known_room, hash, roll);
  known_used += !place->roll;
  *place = (struct known){hash, roll, (struct outcome *)outcomes, count};
}

/* The roll that the host is asked about. */
i64 EXPORT(asked_roll)(void) { return asked; }

/* Writes down what may come of the chance that the game stands at, and gives how many that are; 0 where they are more
 * than `most`. Where only the host knows, `asked` is set. */
static i64 outcomes_here(struct outcome *to, i64 most) {
  if (!G->drawing) {
    struct known *found = place_for(known, known_room, hash_of(G->roll), G->roll);
    if (!found->roll) {
      asked = G->roll;
      return 0;
    }
    if (found->count > most) return 0;
    for (i64 at = 0; at < found->count; at++) to[at] = found->outcomes[at];
    return found->count;
  }
  i64 count = 0, times[MOST_OUTCOMES];
  for (i64 at = 0; at < length(G->roll); at++) {
    i64 card = items(G->roll)[at], place = 0;
    while (place < count && to[place].value != card) place++;
    if (place == most) return 0;
    if (place == count) {
      to[count].value = card;
      times[count++] = 0;
    }
    times[place]++;
  }
  for (i64 place = 0; place < count; place++) to[place].chance = (double)times[place] / (double)length(G->roll);
  return count;
}

/* Rolls or draws what stands, with the words of a bot. */
static i64 rolled_by(struct bot *bot) {
  G->dice = bot->words;
  i64 found = G->drawing ? draw_one(G->roll) : roll_total(G->roll);
  bot->words = G->dice;
  return found;
}

/* -- greedy: looks one decision ahead -- */

/* Evaluations of options by `greedy` in one try, by their order: in some the rules were at fault, and an option is worth
 * nothing then. Whoever begins the try again passes over these, with the words that the bot had left. */
static struct fault { i64 at; struct generator words; } *faults;
static i64 faults_room, faults_made, evaluation, evaluated; /* the one that is made, or -1; how many were */

static struct fault *fault_at(i64 at) {
  for (i64 each = 0; each < faults_made; each++)
    if (faults[each].at == at) return faults + each;
  return 0;
}

static void note_fault(void) {
  if (faults_made == faults_room) {
    struct fault *before = faults;
    faults = (struct fault *)take_space((u32)((faults_room = 2 * faults_room + 8) * sizeof(struct fault)));
    __builtin_memcpy(faults, before, (u32)faults_made * sizeof(struct fault));
  }
  faults[faults_made++] = (struct fault){evaluation, thinks->words};
}

/* Begins a try, if one may be made. */
static int begin_try(void) {
  evaluated = 0;
  return may_try();
}

static void end_try(void) {
  faults_made = 0;
  tried();
}

#define WON 1000000

/* How well a player will stand at the next decision; so many outcomes may still be weighed one by one. */
static double worth(struct bot *bot, i64 player, i64 left, int depth) {
  struct outcome weighed[MOST_OUTCOMES];
  for (;;) {
    if (G->mode == OVER) {
      if (G->winners == NONE || !length(G->winners)) return 0;
      return has_won(player) ? WON : -WON;
    }
    if (G->mode != CHANCE) return standing_of(player);
    i64 count = left > 1 ? outcomes_here(weighed, left) : 0;
    if (asked) return 0;
    if (count == 1) {
      go_on(weighed[0].value);
      continue;
    }
    if (count) {
      double total = 0;
      keep(depth);
      for (i64 at = 0; at < count && !asked; at++) {
        if (at) try(depth, 0);
        go_on(weighed[at].value);
        total += weighed[at].chance * worth(bot, player, left / count, depth + 1);
      }
      return total;
    }
    if (left <= 1) {
      go_on(rolled_by(bot));
      continue;
    }
    double total = 0;
    keep(depth);
    for (int sample = 0; sample < SAMPLES && !asked; sample++) {
      if (sample) try(depth, 0);
      go_on(rolled_by(bot));
      total += worth(bot, player, 1, depth + 1);
    }
    return total / SAMPLES;
  }
}

static i64 *ties;
static double *worths; /* of the options that were looked at last */
static i64 ties_room;

/* The option that leaves whoever is asked best off, by the worths of all. It leaves the game as it was, but where a roll
 * is `asked`: that lies in what was tried, which stays until the host has seen it. */
static i64 favourite(struct bot *bot, int depth) {
  i64 player = G->who, count = length(G->options), tied = 0;
  struct generator before = bot->words;
  double most = 0;
  if (count > ties_room) {
    ties_room = 2 * count;
    ties = (i64 *)take_space((u32)(8 * ties_room));
    worths = (double *)take_space((u32)(8 * ties_room));
  }
  keep(depth);
  effort += count;
  for (i64 option = 0; option < count; option++) {
    struct fault *known_fault = faults_made ? fault_at(evaluated) : 0;
    double value = 0;
    evaluation = evaluated++;
    if (known_fault)
      bot->words = known_fault->words;
    else {
      try(depth, 0);
      choose(option);
      value = worth(bot, player, MOST_OUTCOMES, depth + 1);
    }
    evaluation = -1;
    if (asked) {
      bot->words = before;
      return 0;
    }
    worths[option] = value;
    if (!tied || value > most) {
      most = value;
      tied = 0;
    } else if (value < most)
      continue;
    ties[tied++] = option;
  }
  bring_back(depth);
  return ties[tied > 1 ? (i64)below(&bot->words, (u64)tied) : 0];
}

static i64 greedy(struct bot *bot) {
  if (!begin_try()) return 0;
  i64 found = favourite(bot, 0);
  if (!asked) end_try();
  return found;
}

/* -- planner and rollout: play on with an option, to the end of the turn or of the game -- */

#define FEWEST 4
#define LONGEST_TURN 100
#define LONGEST_GAME 2000

/* An option, what `greedy` thinks of it, and what the tries came to that began with it. */
struct tried { i64 option, times; double worth, sum, squares; };

/* The options that are left, behind the one that `greedy` would take; how many rounds are to come, how often every
 * option is tried in each, how many tries of this round are made. A plan that was paused goes on where it was. */
static struct {
  struct tried *tried;
  i64 room, left, rounds, times, made;
  int begun;
} plan;

/* Chance has its say, up to the next question. */
static void roll_on(struct bot *bot) {
  while (G->mode == CHANCE) go_on(rolled_by(bot));
}

/* Goes on with an option and as `greedy` plays, whoever is asked: through so many decisions at the most, and no further
 * than somebody's own turn, unless that is nobody's. */
static void go_on_with(struct bot *bot, i64 option, int most, i64 turn) {
  choose(option);
  roll_on(bot);
  for (int each = 0; each < most && G->mode != OVER && (!turn || G->who == turn); each++) {
    i64 next = length(G->options) > 1 ? favourite(bot, 1) : 0;
    if (asked) return;
    choose(next);
    roll_on(bot);
  }
}

/* What a turn comes to that begins with an option. */
static double turn_with(struct bot *bot, i64 option) {
  i64 player = G->who;
  double rewards[SEATS];
  go_on_with(bot, option, LONGEST_TURN, player);
  if (asked) return 0;
  judge(rewards, 1);
  return rewards[player - 1];
}

/* What the rest of the game comes to that begins with an option: 1 if it is won, -1 if others win it, and where nobody
 * does, less than half of that, by who is ahead. */
static double game_with(struct bot *bot, i64 option) {
  i64 player = G->who;
  double standing[SEATS], lead[SEATS], sum = 1;
  go_on_with(bot, option, LONGEST_GAME, 0);
  if (asked) return 0;
  if (G->mode == OVER && G->winners != NONE && length(G->winners)) return has_won(player) ? 1 : -1;
  for (i64 seat = 0; seat < G->seats; seat++) standing[seat] = standing_of(seat + 1);
  leads(lead, standing);
  for (i64 seat = 0; seat < G->seats; seat++) sum += lead[seat] < 0 ? -lead[seat] : lead[seat];
  return 0.5 * lead[player - 1] / sum;
}

static void begin_round(i64 visits) {
  i64 times = visits / (plan.rounds * plan.left);
  plan.times = times ? times : 1;
  plan.made = 0;
}

/* Every option is looked at as `greedy` does, and as many are left as can be tried a few times. */
static void begin_plan(struct bot *bot) {
  if (!begin_try()) return;
  i64 count = length(G->options), most = bot->visits / FEWEST, first = favourite(bot, 0);
  if (asked) return;
  end_try();
  if (count > plan.room) plan.tried = (struct tried *)take_space((u32)((plan.room = 2 * count) * sizeof(struct tried)));
  plan.tried[0] = (struct tried){.option = first, .worth = worths[first]};
  for (i64 option = 0, used = 1; option < count; option++) {
    if (option == first) continue;
    i64 place = used++;
    for (; place > 1 && plan.tried[place - 1].worth < worths[option]; place--) plan.tried[place] = plan.tried[place - 1];
    plan.tried[place] = (struct tried){.option = option, .worth = worths[option]};
  }
  if (most < 2) most = 2;
  plan.left = count < most ? count : most;
  plan.rounds = 1;
  for (i64 left = plan.left; left > 2; left = (left + 1) / 2) plan.rounds++;
  begin_round(bot->visits);
  plan.begun = 1;
}

/* Where something was guessed, a try may have come to nothing. */
static inline double times_of(const struct tried *tried) { return tried->times ? (double)tried->times : 1; }
static inline double mean_of_tried(const struct tried *tried) { return tried->sum / times_of(tried); }

/* Leaves the better half of the options, and the first in any case. */
static void halve(void) {
  for (i64 at = 2; at < plan.left; at++) {
    struct tried moved = plan.tried[at];
    i64 place = at;
    for (; place > 1 && mean_of_tried(plan.tried + place - 1) < mean_of_tried(&moved); place--)
      plan.tried[place] = plan.tried[place - 1];
    plan.tried[place] = moved;
  }
  plan.left = (plan.left + 1) / 2;
}

/* The square of how far a mean may be off. */
static double doubt(const struct tried *tried) {
  double mean = mean_of_tried(tried), spread = tried->squares / times_of(tried) - mean * mean;
  return spread > 0 ? spread / times_of(tried) : 0;
}

/* Round after round, the better half is left; of the last two, the one that `greedy` would take has the benefit of doubt. */
static i64 race(struct bot *bot) {
  if (length(G->options) == 1) return 0;
  if (!plan.begun) begin_plan(bot);
  if (asked || waits_for_guess()) return 0;
  if (!is_guessed()) keep(0);
  while (!paused) {
    if (plan.made == plan.left * plan.times) {
      if (plan.left == 2) break;
      halve();
      begin_round(bot->visits);
    }
    struct tried *each = plan.tried + plan.made % plan.left;
    if (!begin_try()) return 0;
    struct generator before = bot->words;
    try(0, 0);
    double reward = bot->kind == ROLLOUT ? game_with(bot, each->option) : turn_with(bot, each->option);
    if (asked) {
      bot->words = before;
      return 0;
    }
    end_try();
    each->times++;
    each->sum += reward;
    each->squares += reward * reward;
    plan.made++;
    paused = ++effort > MOST_AT_A_TIME;
  }
  if (!is_guessed()) bring_back(0);
  if (paused) return 0;
  plan.begun = 0;
  double lead = mean_of_tried(plan.tried + 1) - mean_of_tried(plan.tried);
  double noise = __builtin_elementwise_sqrt(doubt(plan.tried) + doubt(plan.tried + 1));
  return plan.tried[lead > noise].option;
}

/* -- at the table -- */

/* Who takes a place: a kind of bot with its setting. The first place begins a new table, in space that is new, too. */
void EXPORT(seat_bot)(i64 place, i64 kind, i64 visits) {
  if (!place) {
    forget_copies();
    ties_room = plan.room = known_used = faults_room = 0;
    begin_searches();
    known = new_table(known_room = 64);
  }
  places[place] = (struct place){.kind = kind, .visits = visits};
  placed = place + 1;
}

/* By what it judges: a way to judge, by its number; and what its terms are worth, from an address on, where it stays. */
void EXPORT(tell_worths)(i64 place, i64 weights, i64 terms, u32 worths) {
  places[place].weights = weights;
  places[place].terms = terms;
  places[place].worths = (double *)worths;
}

/* Nobody has begun to think. */
static void forget_thoughts(void) {
  forget_search();
  forget_guesses();
  plan.begun = 0;
  asked = 0;
  faults_made = 0;
  evaluation = -1;
}

void seat_bots(i64 number, u32 seed, u32 seed_length) {
  forget_thoughts();
  for (i64 seat = 0; seat < placed; seat++) {
    struct bot *bot = bots + seat;
    i64 place = (number + seat) % placed;
    bot->kind = places[place].kind;
    bot->visits = places[place].visits;
    bot->weights = places[place].weights;
    bot->terms = places[place].terms;
    bot->worths = places[place].worths;
    __builtin_memcpy(bot->stream, "bot ", 4);
    bot->words = (struct generator){.seed = seed, .seed_length = seed_length, .number = number, .stream = (u32)bot->stream};
    bot->words.stream_length = 4 + (u32)write_decimal(bot->stream + 4, seat + 1);
  }
}

/* Brings back the game in which a bot waits: what was tried may lie in its place. */
void settle(void) {
  if (!stop_thinking() && asked) bring_back(0);
  asked = 0;
}

/* Where the stack stands. Nobody comes back from calls in which the rules were at fault, and gives back what they had. */
u32 EXPORT(stack_at)(void) {
  u32 at;
  __asm__ volatile("global.get __stack_pointer\n local.set %0" : "=r"(at));
  return at;
}

void EXPORT(stack_back)(u32 at) { __asm__ volatile("local.get %0\n global.set __stack_pointer" : : "r"(at)); }

/* The rules were at fault: 1 where that was in what was guessed for a bot, so that it goes on without that try; or where
 * they are at fault before anything is tried in it, and it has `failed`. */
i64 EXPORT(give_up)(i64 failed) {
  if (!give_up_try(failed != 0)) return 0;
  if (evaluation >= 0 && !failed) {
    note_fault();
    evaluation = -1;
    return 1;
  }
  switch (thinks->kind) {
    case MCTS:
      if (!failed) thinks->words = G->dice;
      give_up_visit();
      break;
    case PLANNER:
    case ROLLOUT:
      if (!plan.begun) return 0;
      plan.made++;
      paused = ++effort > MOST_AT_A_TIME;
      break;
    default: return 0;
  }
  end_try();
  return 1;
}

/* The option that the bot takes who is asked. Where the host is to be heard first, `waits` is 1, and it is asked again:
 * it must tell what a roll comes to, if one is asked for, and guess, if a guess is wanted. */
i64 take(int *waits) {
  struct bot *bot = thinks = bots + G->who - 1;
  i64 found = 0;
  paused = effort > MOST_AT_A_TIME;
  if (paused) effort = 0;
  *waits = paused;
  if (paused) return 0;
  if (is_guessed() && bot->kind != ANY) {
    begin_thinking();
    *waits = 1; /* where the rules are at fault in a guess */
  }
  switch (bot->kind) {
    case ANY: found = pick(G->who, length(G->options)); break;
    case GREEDY: found = greedy(bot); break;
    case MCTS: found = mcts(bot); break;
    case PLANNER:
    case ROLLOUT: found = race(bot); break;
  }
  if (paused) effort = 0;
  *waits = paused || asked || waits_for_guess();
  if (!asked) pause_thinking(*waits);
  return found;
}

/* -- one decision: of a game that the host carries out -- */

/* Whoever is asked is the bot of a place, with the stream of a seat, of which so many words were used. It has not begun
 * to think. */
void EXPORT(seat_asked)(i64 place, i64 seat, u32 seed, u32 seed_length, i64 used) {
  struct bot *bot = bots + G->who - 1;
  struct place *from = places + place;
  forget_thoughts();
  *bot = (struct bot){.kind = from->kind, .visits = from->visits, .weights = from->weights, .terms = from->terms, .worths = from->worths};
  __builtin_memcpy(bot->stream, "bot ", 4);
  struct generator dice = G->dice;
  seed_dice(seed, seed_length, -1, (u32)bot->stream, 4 + (u32)write_decimal(bot->stream + 4, seat), used);
  bot->words = G->dice;
  G->dice = dice;
}

/* What whoever is asked takes; -1 where the host is to be heard first, as `take` says. */
i64 EXPORT(think)(void) {
  int waits;
  settle();
  i64 found = take(&waits);
  return waits ? -1 : found;
}

/* How many words of its stream were used by whoever thought last. */
i64 EXPORT(words_used)(void) { return thinks->words.block * 42 - thinks->words.left; }

/* The host wants to be heard sooner: after so much is tried. */
void EXPORT(pause_after)(i64 tries) { effort = MOST_AT_A_TIME - tries; }
