/* What every part of the runtime shares: how values, lists and the state of a game lie in memory.
 *
 * A value is 64 bits. Numbers, truth values, choices, rows and objects are themselves; `NONE` is no value; whatever is
 * made of several values is a block on the heap, and its value is the address with bit 62 set. No number of a game is
 * as large as that, so blocks are told from numbers by their bits alone.
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

/* What a game is at. */
enum { RUNNING, DECISION, CHANCE, OVER };

/* What a procedure that was carried out comes to. */
enum { ENDED, STOPPED, FINISHED, SPENT };

/* How a game is driven: whether events are kept, dice are rolled on the spot, and bots asked on the spot. */
enum { RECORDING = 1, SAMPLING = 2, PLAYING = 4, PRESENTING = 8, BY_ITSELF = 16, COUNTING = 32, STEP_BY_STEP = 64, TURNING = 128 };

/* Why a game cannot go on; the host has the words. */
enum {
  NO_FAULT,
  SAID,            /* a message of the rules: number of a text */
  NOTHING_TO_CHOOSE,
  GONE,
  BELOW,           /* the value; the field is known by the place in the code: number of a text */
  BELOW_ROW,       /* the value; a text; a row's text */
  TOO_LARGE,
  TOO_MUCH_WORK,
  TOO_MANY_OBJECTS,
  TOO_MANY_ALIVE,
  LONG_LIST,
  MANY_WAYS,       /* of how many */
  MANY_NUMBERS,
  DIVIDED_BY_ZERO,
  MANY_DICE,       /* how many */
  MANY_ROLLS,      /* how many */
  DEEP_ROLL,       /* how deep */
  FEW_ROLLS,       /* how many times */
  ROLL_OVER_ZERO,
  UNNAMED_ROLL,
  UNFINISHED_LOOP,
  NO_MEMORY,
  NO_MEAN,
  INTERRUPTED, /* the host has had all play stop */
};

/* The source of a stream of words: see engine/rulewright/dice/sampling/random_generator.py, which defines it. */
struct generator {
  u32 seed, seed_length; /* the seed as it is written in a key, but for its number */
  i64 number;            /* what follows it, or -1 */
  u32 stream, stream_length;
  i64 block; /* the blocks used up or in use */
  u32 left;  /* words that are left of the one in use */
  u32 pad;
  u32 words[42];
};

/* A game. What follows it in memory, up to `top`, is its values: `STATE` to `top` is all there is of it. */
struct state {
  i64 mode, who, options, roll;
  i64 answer;
  i64 frame;   /* the address of the frame on top */
  i64 made;    /* how many objects there have been; the number of the next one */
  i64 objects; /* a block with the block of each object, or NONE; players and the game lie elsewhere */
  i64 winners, given;
  i64 work, crowd;
  i64 root, seats;
  i64 events, told; /* a block that events are written into, and how much of it is used */
  i64 top;          /* where the heap ends */
  i64 limit;        /* where it is cleaned up */
  i64 flags;
  i64 decisions, most_decisions;
  i64 fault, fault_value, fault_text, fault_row;
  i64 rule; /* the number of the step that is carried out, or below zero the procedure whose results are worked out */
  i64 ended_by;
  i64 frames_end; /* where the frame on top ends */
  i64 clean;      /* where the heap ended when it was last cleaned up */
  i64 drawing;    /* whether a chance is one of a list, and no roll */
  i64 results;    /* how many values the procedure that ended last gives */
  i64 spare;
  struct generator dice;
};

/* What the code of a ruleset tells the runtime about itself. */
struct layout {
  i64 kinds;
  i64 heap;         /* the address at which the heap begins */
  i64 live;         /* the address of the lists of living objects, by kind */
  i64 game, game_size;
  i64 players, player_size; /* of one player, in values; the first has number 1 */
  i64 frames;
  i64 most_in_a_move, longest_list, most_objects, crowd, most_options, most_dice, deepest;
  i64 clocks, measures;
  i64 results; /* the address of what a procedure gives */
  i64 happened; /* the address of how often each event happened, where that is counted */
  i64 kept;    /* words behind the lists of living objects, for what formulas came to */
  i64 judges;  /* whether the rules say how well a player stands */
  i64 tables;  /* of these, those at the end: the stands of formulas that answer several questions */
};

#define STATE_AT 0x200000
#define HEAP_END 0x10000000u /* unless the host says otherwise */
#define G ((struct state *)STATE_AT)
extern struct layout layout;

/* Functions of the ruleset's own code, by their places in the table of functions. */
#define RUN ((int (*)(i64 procedure, u32 frame, int resume))1)
#define STANDING ((i64(*)(i64 player))2)
#define MEASURE ((i64(*)(i64 measure))3)
#define CLOCK ((i64(*)(i64 measure))4)
#define WORTH ((i64(*)(i64 player))5)
#define SEERS ((i64(*)(i64 field, i64 thing))6)
#define TERMS ((void (*)(i64 weights, i64 player, u32 to))8)
#define THROUGH ((int (*)(u32 frame))7) /* the first procedure, by bots that take any option, without a stop */

_Noreturn void fault(int code, i64 value);

/* Set by the host, from another thread, to have play stop where rules are carried out next. */
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
