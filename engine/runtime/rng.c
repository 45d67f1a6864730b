/* Random numbers: words for dice (SHAKE128) and bytes for bots (BLAKE2b), as engine/rulewright/dice/sampling defines them
 * in random_generator.py and fast_rng.py. Sources: FIPS 202; RFC 7693. */
#include "runtime.h"

u64 write_decimal(u8 *to, i64 number) {
  u8 digits[24];
  u64 count = 0, at = 0;
  u64 rest = number < 0 ? -(u64)number : (u64)number;
  if (number < 0) to[at++] = '-';
  do digits[count++] = '0' + rest % 10; while (rest /= 10);
  while (count) to[at++] = digits[--count];
  return at;
}

static u64 write_text(u8 *to, const char *text) {
  u64 count = 0;
  while (text[count]) { to[count] = text[count]; count++; }
  return count;
}

#define LONGEST_KEY 4096

/* A key, whose prefix is reused by the next game if seeds only differ in equally many digits. */
struct key {
  u8 text[LONGEST_KEY] __attribute__((aligned(16)));
  u32 size;  /* size of the reused prefix; 0 if there is none */
  u32 seed_length, digits, at; /* of the seed: length, digits of its number, and offset in the key */
};
static struct key dice_key, lots_key;

static int begins_so(const struct key *key, u32 seed, u32 seed_length, u64 digits) {
  if (!key->size || key->seed_length != seed_length || key->digits != digits) return 0;
  for (u32 each = 0; each < seed_length; each++)
    if (key->text[key->at + each] != ((u8 *)seed)[each]) return 0;
  return 1;
}

/* Writes a key: prefix, seed with its number if any, and stream, each after its length; then the number of the block.
 * Returns its length. Zeros follow up to the next whole word. */
static u32 write_key(struct key *key, const char *beginning, u32 seed, u32 seed_length, i64 number, const u8 *stream, u32 stream_length, i64 block) {
  u8 digits[24];
  u64 more = number >= 0 ? write_decimal(digits, number) : 0;
  u8 *to = key->text;
  if (!begins_so(key, seed, seed_length, more)) {
    u64 at = write_text(to, beginning);
    at += write_decimal(to + at, (i64)(seed_length + more));
    to[at++] = ':';
    key->at = (u32)at;
    for (u32 each = 0; each < seed_length; each++) to[at++] = ((u8 *)seed)[each];
    key->size = (u32)at;
    key->seed_length = seed_length;
    key->digits = (u32)more;
  }
  u64 at = key->size;
  for (u64 each = 0; each < more; each++) to[at++] = digits[each];
  at += write_decimal(to + at, stream_length);
  to[at++] = ':';
  for (u32 each = 0; each < stream_length; each++) to[at++] = stream[each];
  at += write_decimal(to + at, block);
  for (u64 each = at; each & 7; each++) to[each] = 0;
  return (u32)at;
}

#define TURN(x, n) (((x) << (n)) | ((x) >> (64 - (n))))

static const u64 round_constants[24] = {
    0x0000000000000001ULL, 0x0000000000008082ULL, 0x800000000000808AULL, 0x8000000080008000ULL, 0x000000000000808BULL,
    0x0000000080000001ULL, 0x8000000080008081ULL, 0x8000000000008009ULL, 0x000000000000008AULL, 0x0000000000000088ULL,
    0x0000000080008009ULL, 0x000000008000000AULL, 0x000000008000808BULL, 0x800000000000008BULL, 0x8000000000008089ULL,
    0x8000000000008003ULL, 0x8000000000008002ULL, 0x8000000000000080ULL, 0x000000000000800AULL, 0x800000008000000AULL,
    0x8000000080008081ULL, 0x8000000000008080ULL, 0x0000000080000001ULL, 0x8000000080008008ULL};

static void permute(u64 *s) {
  u64 a0 = s[0], a1 = s[1], a2 = s[2], a3 = s[3], a4 = s[4], a5 = s[5], a6 = s[6], a7 = s[7], a8 = s[8], a9 = s[9];
  u64 a10 = s[10], a11 = s[11], a12 = s[12], a13 = s[13], a14 = s[14], a15 = s[15], a16 = s[16], a17 = s[17];
  u64 a18 = s[18], a19 = s[19], a20 = s[20], a21 = s[21], a22 = s[22], a23 = s[23], a24 = s[24];
  for (int round = 0; round < 24; round++) {
    u64 c0 = a0 ^ a5 ^ a10 ^ a15 ^ a20, c1 = a1 ^ a6 ^ a11 ^ a16 ^ a21, c2 = a2 ^ a7 ^ a12 ^ a17 ^ a22;
    u64 c3 = a3 ^ a8 ^ a13 ^ a18 ^ a23, c4 = a4 ^ a9 ^ a14 ^ a19 ^ a24;
    u64 d0 = c4 ^ TURN(c1, 1), d1 = c0 ^ TURN(c2, 1), d2 = c1 ^ TURN(c3, 1), d3 = c2 ^ TURN(c4, 1), d4 = c3 ^ TURN(c0, 1);
    u64 b0 = a0 ^ d0, b10 = TURN(a1 ^ d1, 1), b20 = TURN(a2 ^ d2, 62), b5 = TURN(a3 ^ d3, 28), b15 = TURN(a4 ^ d4, 27);
    u64 b16 = TURN(a5 ^ d0, 36), b1 = TURN(a6 ^ d1, 44), b11 = TURN(a7 ^ d2, 6), b21 = TURN(a8 ^ d3, 55), b6 = TURN(a9 ^ d4, 20);
    u64 b7 = TURN(a10 ^ d0, 3), b17 = TURN(a11 ^ d1, 10), b2 = TURN(a12 ^ d2, 43), b12 = TURN(a13 ^ d3, 25), b22 = TURN(a14 ^ d4, 39);
    u64 b23 = TURN(a15 ^ d0, 41), b8 = TURN(a16 ^ d1, 45), b18 = TURN(a17 ^ d2, 15), b3 = TURN(a18 ^ d3, 21), b13 = TURN(a19 ^ d4, 8);
    u64 b14 = TURN(a20 ^ d0, 18), b24 = TURN(a21 ^ d1, 2), b9 = TURN(a22 ^ d2, 61), b19 = TURN(a23 ^ d3, 56), b4 = TURN(a24 ^ d4, 14);
    a0 = b0 ^ (~b1 & b2); a1 = b1 ^ (~b2 & b3); a2 = b2 ^ (~b3 & b4); a3 = b3 ^ (~b4 & b0); a4 = b4 ^ (~b0 & b1);
    a5 = b5 ^ (~b6 & b7); a6 = b6 ^ (~b7 & b8); a7 = b7 ^ (~b8 & b9); a8 = b8 ^ (~b9 & b5); a9 = b9 ^ (~b5 & b6);
    a10 = b10 ^ (~b11 & b12); a11 = b11 ^ (~b12 & b13); a12 = b12 ^ (~b13 & b14); a13 = b13 ^ (~b14 & b10); a14 = b14 ^ (~b10 & b11);
    a15 = b15 ^ (~b16 & b17); a16 = b16 ^ (~b17 & b18); a17 = b17 ^ (~b18 & b19); a18 = b18 ^ (~b19 & b15); a19 = b19 ^ (~b15 & b16);
    a20 = b20 ^ (~b21 & b22); a21 = b21 ^ (~b22 & b23); a22 = b22 ^ (~b23 & b24); a23 = b23 ^ (~b24 & b20); a24 = b24 ^ (~b20 & b21);
    a0 ^= round_constants[round];
  }
  s[0] = a0; s[1] = a1; s[2] = a2; s[3] = a3; s[4] = a4; s[5] = a5; s[6] = a6; s[7] = a7; s[8] = a8; s[9] = a9;
  s[10] = a10; s[11] = a11; s[12] = a12; s[13] = a13; s[14] = a14; s[15] = a15; s[16] = a16; s[17] = a17; s[18] = a18;
  s[19] = a19; s[20] = a20; s[21] = a21; s[22] = a22; s[23] = a23; s[24] = a24;
}

#define RATE 168

/* Unused words are taken from the front; `words` has them at its end. */
static void fill(struct generator *from) {
  u32 size = write_key(&dice_key, "rulewright:1:", from->seed, from->seed_length, from->number, (const u8 *)from->stream, from->stream_length, from->block);
  const u64 *words = (const u64 *)dice_key.text;
  u64 sponge[25];
  for (int at = 0; at < 25; at++) sponge[at] = 0;
  while (size >= RATE) {
    for (u32 each = 0; each < RATE / 8; each++) sponge[each] ^= words[each];
    permute(sponge);
    words += RATE / 8;
    size -= RATE;
  }
  for (u32 each = 0; 8 * each < size; each++) sponge[each] ^= words[each];
  ((u8 *)sponge)[size] ^= 0x1F;
  ((u8 *)sponge)[RATE - 1] ^= 0x80;
  permute(sponge);
  for (int each = 0; each < 21; each++) ((u64 *)from->words)[each] = sponge[each];
  from->left = 42;
  from->block++;
}

u32 word(struct generator *from) {
  if (!from->left) fill(from);
  return from->words[42 - from->left--];
}

/* Returns a uniformly distributed number from 0 to `number` - 1. */
u64 below(struct generator *from, u64 number) {
  if (number <= 0x100000000ULL) {
    u32 found = word(from);
    /* Only such a high word can be rejected. */
    if (found >= 0x100000000ULL - number) {
      u64 limit = 0x100000000ULL - 0x100000000ULL % number;
      while (found >= limit) found = word(from);
    }
    return found % number;
  }
  u64 over = -number % number; /* 2**64 modulo the number */
  for (;;) {
    u64 low = word(from), found = low | (u64)word(from) << 32;
    if (found < -over || !over) return found % number;
  }
}

/* Returns a word of the game's dice. Generated code divides it by constant numbers of sides. */
i64 EXPORT(dice_word)(void) { return word(&G->dice); }

/* Returns a number for a word that may be rejected: see `below`. */
i64 EXPORT(dice_word_below)(i64 found, i64 sides) {
  i64 limit = 0x100000000LL - 0x100000000LL % sides;
  while (found >= limit) found = word(&G->dice);
  return found;
}

/* Sets the stream of a game's dice: (seed, stream), from the first word or a later one. */
void EXPORT(seed_dice)(u32 seed, u32 seed_length, i64 number, u32 stream, u32 stream_length, i64 index) {
  struct generator *dice = &G->dice;
  dice->seed = seed;
  dice->seed_length = seed_length;
  dice->number = number;
  dice->stream = stream;
  dice->stream_length = stream_length;
  dice->block = index / 42;
  dice->left = 0;
  if (seed_length + stream_length + 100 > LONGEST_KEY) fault(NO_MEMORY, 0);
  if (index % 42) {
    fill(dice);
    dice->left = 42 - (u32)(index % 42);
  }
}

i64 EXPORT(dice_index)(void) { return G->dice.block * 42 - G->dice.left; }

/* -- random bots -- */

#define SEATS 64
static struct lots {
  u32 left;
  i64 block;
  u8 bytes[64];
} drawn[SEATS];
static u32 lots_seed, lots_seed_length;
static i64 lots_number, lots_seats;

void EXPORT(seed_lots)(u32 seed, u32 seed_length, i64 number, i64 seats) {
  lots_seed = seed;
  lots_seed_length = seed_length;
  lots_number = number;
  if (seed_length + 100 > LONGEST_KEY) fault(NO_MEMORY, 0);
  lots_seats = seats < SEATS ? seats : SEATS;
  for (i64 seat = 0; seat < lots_seats; seat++) drawn[seat].left = 0, drawn[seat].block = 0;
}

/* Saves and restores the positions of the bots' streams for one of many games, with its seed. */
void keep_lots(u32 to, i64 seats) { __builtin_memcpy((void *)to, drawn, (unsigned long)seats * sizeof(struct lots)); }

void bring_lots(u32 from, i64 seats, u32 seed, u32 seed_length, i64 number) {
  lots_seed = seed;
  lots_seed_length = seed_length;
  lots_number = number;
  lots_seats = seats;
  __builtin_memcpy(drawn, (void *)from, (unsigned long)seats * sizeof(struct lots));
}

static const u64 start[8] = {0x6a09e667f3bcc908ULL, 0xbb67ae8584caa73bULL, 0x3c6ef372fe94f82bULL, 0xa54ff53a5f1d36f1ULL,
                             0x510e527fade682d1ULL, 0x9b05688c2b3e6c1fULL, 0x1f83d9abfb41bd6bULL, 0x5be0cd19137e2179ULL};

#define MIX(a, b, c, d, x, y)                                                                                      \
  a = a + b + m[x]; d = TURN(d ^ a, 32); c = c + d; b = TURN(b ^ c, 40);                                               \
  a = a + b + m[y]; d = TURN(d ^ a, 48); c = c + d; b = TURN(b ^ c, 1)

static const u8 order[12][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3}};

static void compress(u64 *h, const u64 *m, u64 counted, int last) {
  u64 v0 = h[0], v1 = h[1], v2 = h[2], v3 = h[3], v4 = h[4], v5 = h[5], v6 = h[6], v7 = h[7];
  u64 v8 = start[0], v9 = start[1], v10 = start[2], v11 = start[3];
  u64 v12 = counted ^ start[4], v13 = start[5], v14 = last ? ~start[6] : start[6], v15 = start[7];
#define ROUND(r)                                                                                                   \
  MIX(v0, v4, v8, v12, order[r][0], order[r][1]); MIX(v1, v5, v9, v13, order[r][2], order[r][3]);              \
  MIX(v2, v6, v10, v14, order[r][4], order[r][5]); MIX(v3, v7, v11, v15, order[r][6], order[r][7]);            \
  MIX(v0, v5, v10, v15, order[r][8], order[r][9]); MIX(v1, v6, v11, v12, order[r][10], order[r][11]);          \
  MIX(v2, v7, v8, v13, order[r][12], order[r][13]); MIX(v3, v4, v9, v14, order[r][14], order[r][15])
  ROUND(0); ROUND(1); ROUND(2); ROUND(3); ROUND(4); ROUND(5);
  ROUND(6); ROUND(7); ROUND(8); ROUND(9); ROUND(10); ROUND(11);
  h[0] ^= v0 ^ v8; h[1] ^= v1 ^ v9; h[2] ^= v2 ^ v10; h[3] ^= v3 ^ v11;
  h[4] ^= v4 ^ v12; h[5] ^= v5 ^ v13; h[6] ^= v6 ^ v14; h[7] ^= v7 ^ v15;
}

#define PARAMETERS 0x01010040 /* 64 bytes, no key, no tree */

static u32 write_lots_key(i64 seat) {
  u8 stream[24];
  u32 named = (u32)write_text(stream, "bot ");
  named += (u32)write_decimal(stream + named, seat + 1);
  return write_key(&lots_key, "rulewright:lots:1:", lots_seed, lots_seed_length, lots_number, stream, named, drawn[seat].block);
}

static void fill_lots(i64 seat) {
  static u64 blocks[LONGEST_KEY / 8];
  u64 h[8];
  for (int at = 0; at < 8; at++) h[at] = start[at];
  h[0] ^= PARAMETERS;
  u32 size = write_lots_key(seat), at = 0, ends = (size + 127) & ~127u;
  /* Zeros fill the last word of the key. */
  for (u32 each = 0; 8 * each < ends; each++) blocks[each] = 8 * each < size ? ((const u64 *)lots_key.text)[each] : 0;
  for (; size - at > 128; at += 128) compress(h, blocks + at / 8, at + 128, 0);
  compress(h, blocks + at / 8, size, 1);
  for (int each = 0; each < 8; each++) ((u64 *)drawn[seat].bytes)[each] = h[each];
  drawn[seat].left = 64;
  drawn[seat].block++;
}

static inline u32 lot(i64 seat) {
  if (!drawn[seat].left) fill_lots(seat);
  return drawn[seat].bytes[64 - drawn[seat].left--];
}

/* Returns a byte of a player's stream. Generated code uses it if the number of options divides 256. */
i64 EXPORT(lot_of)(i64 player) { return lot(player - 1); }

/* Returns the option of the bot `random` of a player. */
i64 EXPORT(pick)(i64 player, i64 number) {
  i64 seat = player - 1;
  if (number <= 256) {
    u32 found = lot(seat);
    if (found >= 256 - (u32)number) {
      u32 limit = 256 - 256 % (u32)number;
      while (found >= limit) found = lot(seat);
    }
    /* Division by multiplication: with 2^16 / number rounded up, it is exact for all bytes. */
    static u32 over[257];
    if (!over[number]) over[number] = (u32)((65536 + number - 1) / number);
    return found - (found * over[number] >> 16) * (u32)number;
  }
  int size = 0;
  while ((u64)(number - 1) >> (8 * size)) size++;
  u64 values = 1ULL << (8 * size), limit = values - values % (u64)number;
  for (;;) {
    u64 found = 0;
    for (int at = 0; at < size; at++) found |= (u64)lot(seat) << (8 * at);
    if (found < limit) return (i64)(found % (u64)number);
  }
}
