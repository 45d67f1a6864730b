/* Monte Carlo tree search, as engine/rulewright/ai/bots/mcts.py defines it; see there for sources. */
#include "mcts.h"

#define EXPLORATION 1.0
#define LONGEST 100000
#define SHORT 64

#define FLOOR 0.5

/* Whether visits continue at random to the end of the game, and only the winner counts. */
static int to_the_end;

/* The winners as bits by seat from 0; no bits if there are none. UNKNOWN is more than any table has. */
#define UNKNOWN ((u64)-1)

/* A decision, followed by its arrays: visits of each option, rewards for the player who decides, child decisions, and proven
 * winners. */
struct node {
  struct node *next; /* another decision after the same option */
  struct node *above;
  i64 asked, step, options;
  i64 taken, who; /* of the current visit */
  i64 first; /* the option to try first; the others follow cyclically */
  i64 tried, visited;
  i64 sole; /* whether there was no chance event since the root, so that results can be proven */
  i64 settled, winning; /* number of proven options; one that wins for the player who decides, or -1 */
  double total, squares; /* of all rewards */
  double prizes; /* sum of the values of a victory, of playouts that ended */
  double harmonic; /* 1 + 1/2 + 1/3 …, up to the number of visits */
  i64 visits[];
};

static inline double *rewards_of(struct node *node) { return (double *)(node->visits + node->options); }
static inline u64 *proven_of(struct node *node) { return (u64 *)(node->visits + 2 * node->options); }
static inline struct node **children_of(struct node *node) { return (struct node **)(node->visits + 3 * node->options); }

/* Nodes are allocated in chunks, and freed together after the decision. */
#define PIECE (1u << 20)
static struct { u32 at, room; } *pieces;
static u32 pieces_room, pieces_made, piece, used;

static void drop_nodes(void) { piece = used = 0; }

static u32 space_for_node(u32 size) {
  while (piece < pieces_made && used + size > pieces[piece].room) piece++, used = 0;
  if (piece == pieces_made) {
    if (pieces_made == pieces_room) {
      u32 room = pieces_room ? 2 * pieces_room : 64, at = take_space(room * 8);
      __builtin_memcpy((void *)at, pieces, pieces_made * 8);
      pieces = (void *)at;
      pieces_room = room;
    }
    u32 room = size > PIECE ? size : PIECE;
    pieces[pieces_made].at = take_space(room);
    pieces[pieces_made++].room = room;
    used = 0;
  }
  u32 at = pieces[piece].at + used;
  used += size;
  return at;
}

static struct node *new_node(struct generator *words, struct node *above, i64 step, i64 options, i64 sole) {
  u32 size = (u32)(sizeof(struct node) + (24 + sizeof(struct node *)) * (u32)options + 7) & ~7u;
  struct node *made = (struct node *)space_for_node(size);
  __builtin_memset(made, 0, size);
  made->above = above;
  made->step = step;
  made->options = options;
  made->sole = sole;
  made->winning = -1;
  for (i64 option = 0; option < options; option++) proven_of(made)[option] = UNKNOWN;
  made->first = options > 1 ? (i64)below(words, (u64)options) : 0;
  return made;
}

/* Chance results are distinguished by the next decision: the same decision is the same node. */
static struct node *child_of(struct node *node, i64 option, i64 sole) {
  i64 step = *(i64 *)(u32)G->frame, options = length(G->options);
  struct node **first = children_of(node) + option;
  for (struct node *each = *first; each; each = each->next)
    if (each->step == step && each->options == options && each->asked == G->who) return each;
  struct node *made = new_node(&G->dice, node, step, options, sole);
  made->asked = G->who;
  made->next = *first;
  return *first = made;
}

/* Returns 1 if an option is proven to win for the player who decides, -1 if it is proven to lose, otherwise 0. */
static inline int proven_for(struct node *node, i64 option, i64 who) {
  u64 outcome = proven_of(node)[option];
  return !outcome || outcome == UNKNOWN ? 0 : outcome >> (who - 1) & 1 ? 1 : -1;
}

/* Returns a winning option, an untried one, or the one with the highest upper confidence bound. */
static i64 promising(struct node *node, i64 who) {
  if (node->winning >= 0) return node->winning;
  if (node->tried < node->options) return (node->first + node->tried) % node->options;
  double mean = node->total / (double)node->visited, highest = 0;
  double variance = node->squares / (double)node->visited - mean * mean;
  double scatter = variance > 0 ? __builtin_elementwise_sqrt(variance) : 1.0;
  double floor = FLOOR * node->prizes / (double)node->visited;
  if (variance > 0 && scatter < floor) scatter = floor;
  i64 found = -1;
  for (i64 option = 0; option < node->options; option++) {
    double visits = (double)node->visits[option], bound = 0;
    if (proven_of(node)[option] == UNKNOWN)
      bound = rewards_of(node)[option] / visits + EXPLORATION * scatter * __builtin_elementwise_sqrt(node->harmonic / visits);
    else if (proven_for(node, option, who))
      continue; /* a losing option */
    if (found < 0 || bound > highest) {
      found = option;
      highest = bound;
    }
  }
  return found < 0 ? 0 : found;
}

/* Returns whether the game ends within a few random decisions, without chance events. */
static int is_short(void) {
  for (int each = 0; each < SHORT && G->mode != OVER; each++) {
    i64 option = (i64)below(&G->dice, (u64)length(G->options)), block = G->dice.block;
    u32 left = G->dice.left;
    choose(option);
    if (G->dice.block != block || G->dice.left != left) return 0;
  }
  return G->mode == OVER;
}

/* Returns the winners of a finished game. */
static u64 outcome_here(void) {
  u64 found = 0;
  for (i64 seat = 0; seat < G->seats; seat++)
    if (G->winners != NONE && has_won(seat + 1)) found |= 1ULL << seat;
  return found;
}

/* Records the result of the last option, and what it proves about earlier ones. A player who can win alone will, so other
 * options need not be known. */
static void prove(struct node *node, u64 outcome) {
  for (; node; node = node->above) {
    proven_of(node)[node->taken] = outcome;
    node->settled++;
    if (outcome >> (node->who - 1) & 1) node->winning = node->taken;
    if (outcome == 1ULL << (node->who - 1)) continue;
    if (node->settled < node->options) return;
    int best = -1, several = 0;
    u64 found = UNKNOWN;
    for (i64 option = 0; option < node->options; option++) {
      int each = proven_for(node, option, node->who);
      if (found == UNKNOWN || each > best) {
        best = each;
        found = proven_of(node)[option];
        several = 0;
      } else if (each == best && proven_of(node)[option] != found)
        several = 1;
    }
    if (several) return; /* equal for the player who decides, but not for the others */
    outcome = found;
  }
}

/* Returns whether the player who decides has an option that wins immediately and alone. */
static int can_win(void) {
  i64 count = length(G->options), block = G->dice.block, who = G->who;
  u32 left = G->dice.left;
  int found = 0;
  snapshot(1);
  for (i64 option = 0; option < count && !found; option++) {
    if (option) restore(1);
    choose(option);
    found = G->mode == OVER && G->dice.block == block && G->dice.left == left && outcome_here() == 1ULL << (who - 1);
  }
  restore(1);
  return found;
}

/* Stores the reward of each player for a proven result. Returns the value of a victory. */
static double reward(double *rewards, u64 outcome) {
  double sum = 0;
  for (i64 seat = 0; seat < G->seats && !to_the_end; seat++) sum += __builtin_fabs(evaluate(seat + 1));
  double prize = VICTORY * (1.0 + sum);
  for (i64 seat = 0; seat < G->seats; seat++) rewards[seat] = !outcome ? 0 : outcome >> seat & 1 ? prize : -prize;
  return prize;
}

static void visit(struct node *root) {
  struct node *node = root;
  double rewards[SEATS], prize;
  u64 outcome;
  for (;;) {
    i64 option = promising(node, G->who), block = G->dice.block;
    u32 left = G->dice.left;
    node->taken = option;
    node->who = G->who;
    outcome = proven_of(node)[option];
    if (outcome != UNKNOWN) break;
    choose(option);
    i64 sole = node->sole && G->dice.block == block && G->dice.left == left;
    if (G->mode == OVER) {
      if (sole) prove(node, outcome_here());
      break;
    }
    if (!node->visits[option]) {
      if (sole && to_the_end && can_win()) prove(node, outcome = 1ULL << (G->who - 1));
      break;
    }
    node = child_of(node, option, sole);
  }
  if (outcome != UNKNOWN)
    prize = reward(rewards, outcome);
  else {
    if (to_the_end)
      for (int each = 0; each < LONGEST && G->mode != OVER; each++) choose((i64)below(&G->dice, (u64)length(G->options)));
    prize = reward_players(rewards, !to_the_end);
  }
  for (; node; node = node->above) {
    node->tried += !node->visits[node->taken]++;
    node->visited++;
    node->harmonic += 1.0 / (double)node->visited;
    double got = rewards[node->who - 1];
    rewards_of(node)[node->taken] += got;
    node->total += got;
    node->squares += got * got;
    node->prizes += prize;
  }
}

/* Returns whether more visits cannot change the choice. */
static int is_decided(struct node *node) { return node->winning >= 0 || node->settled == node->options; }

/* Returns the most visited option unless one is proven to win; never one that is worse than a proven result. */
static i64 chosen(struct node *node) {
  i64 found = -1, most = 0;
  int certain = 0, rank = 0;
  double best = 0;
  for (i64 option = 0; option < node->options; option++) certain |= !proven_of(node)[option];
  for (i64 option = 0; option < node->options; option++) {
    i64 visits = node->visits[option];
    double mean = rewards_of(node)[option] / (double)(visits ? visits : 1);
    int doubtful = certain && proven_of(node)[option] == UNKNOWN && mean <= 0;
    int each = 2 * proven_for(node, option, G->who) - doubtful;
    if (found >= 0 && (each != rank ? each < rank : visits != most ? visits < most : mean <= best)) continue;
    found = option;
    rank = each;
    most = visits;
    best = mean;
  }
  return found;
}

/* A paused search continues here. */
static struct node *root;
static i64 visited;
static int unjudged; /* whether the kind of evaluation is still undecided */

/* Nodes are freed with the seats. */
void begin_searches(void) { pieces_room = pieces_made = 0; }

/* Resets the search for another game. */
void forget_search(void) { root = 0; }

/* Gives up a visit in an impossible determinized game, or the first check of how soon games end. */
void give_up_visit(void) {
  if (unjudged)
    unjudged = 0;
  else
    visited++;
}

i64 mcts(struct bot *bot) {
  if (!root) {
    drop_nodes();
    root = new_node(&bot->words, 0, 0, length(G->options), !has_hidden());
    visited = 0;
    to_the_end = !has_evaluation();
    unjudged = !to_the_end && !current_bot->terms;
  }
  if (!has_hidden()) snapshot(0);
  if (unjudged) {
    begin_guess();
    try(0, SAMPLING);
    G->dice = bot->words;
    to_the_end = is_short();
    bot->words = G->dice;
    end_guess();
    unjudged = 0;
  }
  while (visited < bot->visits && !paused && !is_decided(root)) {
    begin_guess();
    try(0, SAMPLING);
    G->dice = bot->words;
    visit(root);
    bot->words = G->dice;
    end_guess();
    visited++;
    paused = ++effort > MOST_AT_A_TIME;
  }
  if (!has_hidden()) restore(0);
  if (paused) return 0;
  i64 found = chosen(root);
  root = 0;
  return found;
}
