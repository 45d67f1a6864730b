/* The bot that searches a tree of decisions, as engine/rulewright/play/bots/mcts.py defines it; see there for sources. */
#include "bots.h"

#define EXPLORATION 1.0
#define LONGEST 100000
#define SHORT 64

/* A decision as it was met, its arrays behind it: how often each option was tried, what came of it for the player who
 * decides, and the decisions it led to. */
struct node {
  struct node *next; /* another decision that the same option led to */
  struct node *above;
  i64 step, options;
  i64 taken, who; /* of the visit that is made */
  i64 first; /* the option that is tried first, and the next ones after it */
  i64 tried, visited;
  double total, squares; /* of all rewards */
  double harmonic; /* 1 + 1/2 + 1/3 …, as many as there were visits */
  i64 visits[];
};

static inline double *rewards_of(struct node *node) { return (double *)(node->visits + node->options); }
static inline struct node **children_of(struct node *node) { return (struct node **)(node->visits + 2 * node->options); }

/* Nodes lie one behind the other in pieces of space, and all of them go with the decision. */
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

static struct node *new_node(struct generator *words, struct node *above, i64 step, i64 options) {
  u32 size = (u32)(sizeof(struct node) + (16 + sizeof(struct node *)) * (u32)options + 7) & ~7u;
  struct node *made = (struct node *)space_for_node(size);
  __builtin_memset(made, 0, size);
  made->above = above;
  made->step = step;
  made->options = options;
  made->first = options > 1 ? (i64)below(words, (u64)options) : 0;
  return made;
}

/* What chance did shows in who is asked what: the same question asked anew is the same node. */
static struct node *child_of(struct node *node, i64 option) {
  i64 step = *(i64 *)(u32)G->frame, options = length(G->options);
  struct node **first = children_of(node) + option;
  for (struct node *each = *first; each; each = each->next)
    if (each->step == step && each->options == options) return each;
  struct node *made = new_node(&G->dice, node, step, options);
  made->next = *first;
  return *first = made;
}

static i64 promising(struct node *node) {
  if (node->tried < node->options) return (node->first + node->tried) % node->options;
  double mean = node->total / (double)node->visited, highest = 0;
  double variance = node->squares / (double)node->visited - mean * mean;
  double scatter = variance > 0 ? __builtin_elementwise_sqrt(variance) : 1.0;
  i64 found = -1;
  for (i64 option = 0; option < node->options; option++) {
    double visits = (double)node->visits[option];
    double bound = rewards_of(node)[option] / visits + EXPLORATION * scatter * __builtin_elementwise_sqrt(node->harmonic / visits);
    if (found < 0 || bound > highest) {
      found = option;
      highest = bound;
    }
  }
  return found;
}

/* Whether visits go on at random to the end of the game, and only who wins counts. */
static int to_the_end;

/* Whether the game is over after a few decisions, taken at random, and nothing is left to chance on the way. */
static int is_short(void) {
  for (int each = 0; each < SHORT && G->mode != OVER; each++) {
    i64 option = (i64)below(&G->dice, (u64)length(G->options)), block = G->dice.block;
    u32 left = G->dice.left;
    choose(option);
    if (G->dice.block != block || G->dice.left != left) return 0;
  }
  return G->mode == OVER;
}

static void visit(struct node *root) {
  struct node *node = root;
  double rewards[SEATS];
  for (;;) {
    i64 option = promising(node);
    int fresh = !node->visits[option];
    node->taken = option;
    node->who = G->who;
    choose(option);
    if (fresh || G->mode == OVER) break;
    node = child_of(node, option);
  }
  if (to_the_end)
    for (int each = 0; each < LONGEST && G->mode != OVER; each++) choose((i64)below(&G->dice, (u64)length(G->options)));
  judge(rewards, !to_the_end);
  for (; node; node = node->above) {
    node->tried += !node->visits[node->taken]++;
    node->visited++;
    node->harmonic += 1.0 / (double)node->visited;
    double reward = rewards[node->who - 1];
    rewards_of(node)[node->taken] += reward;
    node->total += reward;
    node->squares += reward * reward;
  }
}

/* A search that was paused goes on where it was. */
static struct node *root;
static i64 visited;

/* The space of trees goes with the table. */
void begin_searches(void) { pieces_room = pieces_made = 0; }

/* Another game begins. */
void forget_search(void) { root = 0; }

i64 mcts(struct bot *bot) {
  int begun = 0;
  if (!root) {
    drop_nodes();
    root = new_node(&bot->words, 0, 0, length(G->options));
    visited = 0;
    begun = 1;
  }
  keep(0);
  if (begun && !(to_the_end = !judges()) && !thinks->terms) {
    try(0, SAMPLING);
    G->dice = bot->words;
    to_the_end = is_short();
    bot->words = G->dice;
  }
  for (; visited < bot->visits && !paused; visited++) {
    try(0, SAMPLING);
    G->dice = bot->words;
    visit(root);
    bot->words = G->dice;
    paused = ++effort > MOST_AT_A_TIME;
  }
  bring_back(0);
  if (paused) return 0;
  i64 found = 0;
  double best = 0;
  for (i64 option = 0; option < root->options; option++) {
    i64 visits = root->visits[option], most = root->visits[found];
    double mean = rewards_of(root)[option] / (double)(visits ? visits : 1);
    if (!option || visits > most || (visits == most && mean > best)) {
      found = option;
      best = mean;
    }
  }
  root = 0;
  return found;
}
