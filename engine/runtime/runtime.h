/* Shared by all parts of the runtime: the memory layout of values, lists and the state of a game.
 *
 * A value has 64 bits. Numbers, booleans, choices, rows and objects are stored directly. `NONE` is no value. Compound values
 * are blocks on the heap, and their value is the address with bit 62 set. Numbers of games are always smaller, so that blocks
 * are recognised by their bits.
 */
#ifndef RULEWRIGHT_RUNTIME_H
#define RULEWRIGHT_RUNTIME_H

typedef long long i64;
typedef unsigned long long u64;
typedef __int128 i128;
typedef unsigned int u32;
typedef unsigned char u8;

#define EXPORT(name) __attribute__((export_name(#name), noinline)) name
#define NONE ((i64)0x8000000000000000ULL)
#define BLOCK_BIT 0x4000000000000000LL
#define LARGEST 1000000000000000000LL

static inline int is_block(i64 value) { return (u64)value >> 62 == 1; }
static inline i64 *items(i64 block) { return (i64 *)(u32)block + 1; }
static inline i64 *block_of(i64 block) { return (i64 *)(u32)block; }
static inline i64 length(i64 block) { return *(i64 *)(u32)block; }
static inline i64 as_block(const void *address) { return BLOCK_BIT | (i64)(u32)address; }

/* The modes of a game. */
enum { RUNNING, DECISION, CHANCE, OVER };

/* The results of running a procedure. */
enum { ENDED, STOPPED, FINISHED, SPENT };

/* How a game runs: whether events are recorded, and whether dice and bots are handled inside. */
enum { RECORDING = 1, SAMPLING = 2, PLAYING = 4, PRESENTING = 8, BY_ITSELF = 16, COUNTING = 32, STEP_BY_STEP = 64, FORCING = 128, DICE_BY_STEP = 256 };

/* Faults of the rules. The host has their messages. */
enum {
  NO_FAULT,
  SAID,            /* a message of the rules: number of a text */
  NOTHING_TO_CHOOSE,
  GONE,
  BELOW,           /* the value; the site gives the field: number of a text */
  BELOW_ROW,       /* the value; a text; a row's text */
  TOO_LARGE,
  TOO_MUCH_WORK,
  TOO_MANY_OBJECTS,
  TOO_MANY_ALIVE,
  LONG_LIST,
  MANY_WAYS,       /* the number */
  MANY_NUMBERS,
  DIVIDED_BY_ZERO,
  MANY_DICE,       /* the number */
  MANY_ROLLS,      /* the number */
  DEEP_ROLL,       /* the depth */
  FEW_ROLLS,       /* the number */
  ROLL_OVER_ZERO,
  UNNAMED_ROLL,
  UNFINISHED_LOOP,
  NO_MEMORY,
  NO_MEAN,
  INTERRUPTED, /* the host interrupted the run */
};

/* A stream of random words: see engine/rulewright/dice/sampling/random_generator.py. */
struct generator {
  u32 seed, seed_length; /* the seed as in the key, without its number */
  i64 number;            /* the number after it, or -1 */
  u32 stream, stream_length;
  i64 block; /* the number of blocks used or in use */
  u32 left;  /* unused words of the current block */
  u32 pad;
  u32 words[42];
};

/* A game. Its values follow in memory: everything from `STATE` to `top` is the game. */
struct state {
  i64 mode, who, options, roll;
  i64 answer;
  i64 frame;   /* the address of the top frame */
  i64 made;    /* the number of objects created so far, which is the number of the next one */
  i64 objects; /* a block with the block of each object, or NONE; players and the game are stored elsewhere */
  i64 winners, given;
  i64 work, crowd;
  i64 root, seats;
  i64 events, told; /* the block of events, and the number of words used */
  i64 top;          /* the end of the heap */
  i64 limit;        /* the heap size at which it is collected */
  i64 flags;
  i64 decisions, most_decisions;
  i64 fault, fault_value, fault_text, fault_row;
  i64 rule; /* the number of the running step, or the negated number of the procedure whose results are computed */
  i64 ended_by;
  i64 frames_end; /* the end of the top frame */
  i64 clean;      /* the end of the heap after the last collection */
  i64 drawing;    /* whether the chance event is a draw from a list */
  i64 results;    /* the number of results of the last procedure */
  i64 first;      /* the player who made the first decision, or 0 */
  struct generator dice;
};

/* What generated code declares about a ruleset. */
struct layout {
  i64 kinds;
  i64 heap;         /* the start of the heap */
  i64 live;         /* the address of the lists of live objects, by kind */
  i64 game, game_size;
  i64 players, player_size; /* the size of a player in values; the first has number 1 */
  i64 frames;
  i64 most_in_a_move, longest_list, most_objects, crowd, most_options, most_dice, deepest;
  i64 clocks, measures;
  i64 results; /* the address of the results of a procedure */
  i64 happened; /* the address of the event counters, if events are counted */
  i64 kept;    /* the number of words after the lists of live objects, for memoized formulas */
  i64 judges;  /* whether the rules have an evaluation */
  i64 tables;  /* of these, those at the end: memo tables of formulas with several arguments */
  i64 guesses; /* a block with what bots must know to determinize (see determinize.c), or 0 if nothing is hidden */
};

#define STATE_AT 0x200000
#define HEAP_END 0x10000000u /* default: the host may set another */
#define G ((struct state *)STATE_AT)
extern struct layout layout;

/* Functions of generated code, by their index in the function table. */
#define RUN ((int (*)(i64 procedure, u32 frame, int resume))1)
#define STANDING ((i64(*)(i64 player))2)
#define MEASURE ((i64(*)(i64 measure))3)
#define CLOCK ((i64(*)(i64 measure))4)
#define WORTH ((i64(*)(i64 player))5)
#define SEERS ((i64(*)(i64 field, i64 thing))6)
#define TERMS ((void (*)(i64 weights, i64 player, u32 to))8)
#define THROUGH ((int (*)(u32 frame))7) /* the root procedure with random bots, fused */

_Noreturn void fault(int code, i64 value);

/* Set by the host from another thread to interrupt the run. */
extern volatile i64 stop;
static inline void heed(void) {
  if (stop) fault(INTERRUPTED, 0);
}

u32 reserve(u32 bytes);
void grow_to(u32 end);
u32 take_space(u32 bytes);
u32 size_of_game(void);
void save_game(u32 to, u32 size);
void load_game(u32 from, u32 size);
i64 new_block(i64 count);
i64 copy_block(i64 block);
int alike(i64 one, i64 other);
int compare_ratios(i64 one, i64 other);
u32 word(struct generator *from);
u64 below(struct generator *from, u64 number);
i64 pick(i64 player, i64 number);
u64 write_decimal(u8 *to, i64 number);
i64 roll_total(i64 roll);
void count_chance_from_zero(void);
int resolve_chance(void);
void clean_up(void);
void seat_bots(i64 number, u32 seed, u32 seed_length);
i64 take(int *waits);
void settle(void);
void forget(void);
void tell(i64 value);
void *memcpy(void *to, const void *from, unsigned long size);
void *memset(void *to, int byte, unsigned long size);
void *memmove(void *to, const void *from, unsigned long size);
void hold(i64 elements);

#endif
