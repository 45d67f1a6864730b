/* Bots, as engine/rulewright/ai/bots defines them. They try options in snapshots of the game, which replace the running game
 * for a while. Each bot has its own stream of random words.
 *
 * Sources: see those modules.
 */
#include "determinize.h"
#include "lookahead.h"
#include "mcts.h"

enum { ANY, GREEDY, MCTS, PLANNER, ROLLOUT };

/* Bots by place. All of them move one seat on with every game. */
static struct place { i64 kind, visits, weights, terms; double *worths; } places[SEATS];
static i64 placed;

/* Bots of the running game, by seat from 0. */
static struct bot bots[SEATS];

extern int go_on(i64);
extern i64 draw_one(i64);
extern void seed_dice(u32, u32, i64, u32, u32, i64);

/* -- distributions of rolls -- */

#define MOST_OUTCOMES 12
#define SAMPLES 6

struct outcome { i64 value; double chance; };

/* Distributions sent by the host. If one has too many outcomes to evaluate, `count` is 0. */
static struct known { u64 hash; i64 roll; struct outcome *outcomes; i64 count; } *known;
static u32 known_room, known_used;
static i64 asked; /* the roll whose distribution the host must send, or 0 */

static u64 hash_of(i64 value) {
  if (!is_block(value)) return (u64)value * 0x9E3779B97F4A7C15ULL;
  u64 found = (u64)items(value)[0];
  /* Lazily computed parts are left out. */
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

/* Stores the distribution of a roll: `count` outcomes at an address. Neither is copied. */
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

/* Returns the roll whose distribution is requested. */
i64 EXPORT(asked_roll)(void) { return asked; }

/* Writes the outcomes of the current chance event, and returns how many there are, or 0 if more than `most`. If only the
 * host knows them, sets `asked`. */
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

/* Resolves the current chance event with the random words of a bot. */
static i64 rolled_by(struct bot *bot) {
  G->dice = bot->words;
  i64 found = G->drawing ? draw_one(G->roll) : roll_total(G->roll);
  bot->words = G->dice;
  return found;
}

/* -- greedy: looks one decision ahead -- */

/* Evaluations of options by `greedy` in one trial that failed, by order. Such an option is worth nothing. When the trial is
 * repeated, they are skipped, with the bot's random words restored. */
static struct fault { i64 at; struct generator words; } *faults;
static i64 faults_room, faults_made, evaluation, evaluated; /* the current evaluation, or -1; the number of evaluations */

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
  faults[faults_made++] = (struct fault){evaluation, current_bot->words};
}

static void begin_try(void) {
  evaluated = 0;
  begin_guess();
}

static void end_try(void) {
  faults_made = 0;
  end_guess();
}

#define WON 1000000

/* Returns the expected value of a player at the next decision. At most `left` more outcomes are evaluated one by one. */
static double worth(struct bot *bot, i64 player, i64 left, int depth) {
  struct outcome weighed[MOST_OUTCOMES];
  for (;;) {
    if (G->mode == OVER) {
      if (G->winners == NONE || !length(G->winners)) return 0;
      return has_won(player) ? WON : -WON;
    }
    if (G->mode != CHANCE) return evaluate(player);
    i64 count = left > 1 ? outcomes_here(weighed, left) : 0;
    if (asked) return 0;
    if (count == 1) {
      go_on(weighed[0].value);
      continue;
    }
    if (count) {
      double total = 0;
      snapshot(depth);
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
    snapshot(depth);
    for (int sample = 0; sample < SAMPLES && !asked; sample++) {
      if (sample) try(depth, 0);
      go_on(rolled_by(bot));
      total += worth(bot, player, 1, depth + 1);
    }
    return total / SAMPLES;
  }
}

static i64 *ties;
static double *worths; /* values of the options, from the last call */
static i64 ties_room;

/* Returns the best option of the player who decides, and sets `worths`. Restores the game, unless `asked` is set: then the
 * requested roll is in the trial, which stays in memory until the host has read it. */
static i64 favourite(struct bot *bot, int depth) {
  i64 player = G->who, count = length(G->options), tied = 0;
  struct generator before = bot->words;
  double most = 0;
  if (count > ties_room) {
    ties_room = 2 * count;
    ties = (i64 *)take_space((u32)(8 * ties_room));
    worths = (double *)take_space((u32)(8 * ties_room));
  }
  snapshot(depth);
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
  restore(depth);
  return ties[tied > 1 ? (i64)below(&bot->words, (u64)tied) : 0];
}

static i64 greedy(struct bot *bot) {
  begin_try();
  i64 found = favourite(bot, 0);
  if (!asked) end_try();
  return found;
}

/* -- planner and rollout: play on after an option, to the end of the turn or of the game -- */

#define FEWEST 4
#define LONGEST_TURN 100
#define LONGEST_GAME 2000

/* An option, its value for `greedy`, and the statistics of the trials that began with it. */
struct tried { i64 option, times; double worth, sum, squares; };

/* The remaining options, with that of `greedy` first; the rounds left, the trials per option and round, and the trials made
 * in this round. A paused plan continues here. */
static struct {
  struct tried *tried;
  i64 room, left, rounds, times, made;
  int begun;
} plan;

/* Resolves chance events up to the next decision. */
static void roll_on(struct bot *bot) {
  while (G->mode == CHANCE) go_on(rolled_by(bot));
}

/* Takes an option and plays on greedily for all players: for at most `most` decisions, and only in the turn of player
 * `turn`, unless that is 0. */
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

/* Returns the reward of a turn that begins with an option. */
static double turn_with(struct bot *bot, i64 option) {
  i64 player = G->who;
  double rewards[SEATS];
  go_on_with(bot, option, LONGEST_TURN, player);
  if (asked) return 0;
  reward_players(rewards, 1);
  return rewards[player - 1];
}

/* Returns the result of the game after an option: 1 for a win, -1 for a loss, and otherwise less than half of that, by the
 * lead. */
static double game_with(struct bot *bot, i64 option) {
  i64 player = G->who;
  double standing[SEATS], lead[SEATS], sum = 1;
  go_on_with(bot, option, LONGEST_GAME, 0);
  if (asked) return 0;
  if (G->mode == OVER && G->winners != NONE && length(G->winners)) return has_won(player) ? 1 : -1;
  for (i64 seat = 0; seat < G->seats; seat++) standing[seat] = evaluate(seat + 1);
  compute_leads(lead, standing);
  for (i64 seat = 0; seat < G->seats; seat++) sum += lead[seat] < 0 ? -lead[seat] : lead[seat];
  return 0.5 * lead[player - 1] / sum;
}

static void begin_round(i64 visits) {
  i64 times = visits / (plan.rounds * plan.left);
  plan.times = times ? times : 1;
  plan.made = 0;
}

/* Evaluates every option greedily, and keeps as many as can be tried a few times. */
static void begin_plan(struct bot *bot) {
  begin_try();
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

/* In a determinized game, a trial may have failed. */
static inline double times_of(const struct tried *tried) { return tried->times ? (double)tried->times : 1; }
static inline double mean_of_tried(const struct tried *tried) { return tried->sum / times_of(tried); }

/* Keeps the better half of the options, and always the first. */
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

/* Returns the variance of the mean. */
static double variance_of(const struct tried *tried) {
  double mean = mean_of_tried(tried), spread = tried->squares / times_of(tried) - mean * mean;
  return spread > 0 ? spread / times_of(tried) : 0;
}

/* Halves the options each round. Of the last two, the greedy one is kept unless the other is significantly better. */
static i64 race(struct bot *bot) {
  if (length(G->options) == 1) return 0;
  if (!plan.begun) begin_plan(bot);
  if (asked) return 0;
  if (!has_hidden()) snapshot(0);
  while (!paused) {
    if (plan.made == plan.left * plan.times) {
      if (plan.left == 2) break;
      halve();
      begin_round(bot->visits);
    }
    struct tried *each = plan.tried + plan.made % plan.left;
    begin_try();
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
  if (!has_hidden()) restore(0);
  if (paused) return 0;
  plan.begun = 0;
  double lead = mean_of_tried(plan.tried + 1) - mean_of_tried(plan.tried);
  double noise = __builtin_elementwise_sqrt(variance_of(plan.tried) + variance_of(plan.tried + 1));
  return plan.tried[lead > noise].option;
}

/* -- seats -- */

/* Sets the bot of a place. Place 0 resets all of them, and the memory they use. */
void EXPORT(seat_bot)(i64 place, i64 kind, i64 visits) {
  if (!place) {
    free_snapshots();
    free_guesses();
    ties_room = plan.room = known_used = faults_room = 0;
    begin_searches();
    known = new_table(known_room = 64);
  }
  places[place] = (struct place){.kind = kind, .visits = visits};
  placed = place + 1;
}

/* Sets the evaluation of a bot: the number of its weights function, and the weights at an address, which are not copied. */
void EXPORT(tell_worths)(i64 place, i64 weights, i64 terms, u32 worths) {
  places[place].weights = weights;
  places[place].terms = terms;
  places[place].worths = (double *)worths;
}

/* Resets the state of all searches. */
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

/* Restores the game of a bot that waits: a trial may be in its place. */
void settle(void) {
  if (!stop_thinking() && asked) restore(0);
  asked = 0;
}

/* The stack pointer. Calls in which the rules fail do not return, so that the host must free their stack. */
u32 EXPORT(stack_at)(void) {
  u32 at;
  __asm__ volatile("global.get __stack_pointer\n local.set %0" : "=r"(at));
  return at;
}

void EXPORT(stack_back)(u32 at) { __asm__ volatile("local.get %0\n global.set __stack_pointer" : : "r"(at)); }

/* Handles a failure of the rules. Returns 1 if it happened in a determinized game or before, so that the bot continues
 * without that trial. */
i64 EXPORT(give_up)(void) {
  int begun = 0;
  if (give_up_look()) return 1;
  if (!give_up_try(&begun)) return 0;
  if (evaluation >= 0 && begun) {
    note_fault();
    evaluation = -1;
    return 1;
  }
  switch (current_bot->kind) {
    case MCTS:
      if (begun) current_bot->words = G->dice;
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

/* Returns the option of the bot that decides. If the host must act first, sets `waits`: to pause, or to send a distribution.
 * It then calls again. */
i64 take(int *waits) {
  struct bot *bot = current_bot = bots + G->who - 1;
  i64 found = 0;
  paused = effort > MOST_AT_A_TIME;
  if (paused) effort = 0;
  *waits = paused;
  if (paused) return 0;
  if (has_hidden() && bot->kind != ANY) {
    begin_thinking();
    *waits = 1; /* if the rules fail in a determinized game */
  }
  switch (bot->kind) {
    case ANY: found = pick(G->who, length(G->options)); break;
    case GREEDY: found = greedy(bot); break;
    case MCTS: found = mcts(bot); break;
    case PLANNER:
    case ROLLOUT: found = race(bot); break;
  }
  if (paused) effort = 0;
  *waits = paused || asked;
  if (!asked) pause_thinking(*waits);
  return found;
}

/* -- a single decision, in a game that the host runs -- */

/* Makes the bot of a place decide next, with the stream of a seat, of which `used` words are used. Its search is new. */
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

/* Returns the option of the bot that decides, or -1 if the host must act first, as in `take`. */
i64 EXPORT(think)(void) {
  int waits;
  settle();
  i64 found = take(&waits);
  return waits ? -1 : found;
}

/* Returns how many words of its stream the last bot has used. */
i64 EXPORT(words_used)(void) { return current_bot->words.block * 42 - current_bot->words.left; }

/* Makes bots pause after a number of trials. */
void EXPORT(pause_after)(i64 tries) { effort = MOST_AT_A_TIME - tries; }
