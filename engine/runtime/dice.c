/* Rolls: memory blocks that describe them, combining them during play, and rolling them.
 *
 * A node is [kind, mean, dice, parts …]. `mean` is its mean as a fraction, and `dice` its maximum number of dice; both are
 * NONE until computed. The functions are those of engine/rulewright/dice.
 */
#include "runtime.h"

enum {
  CONSTANT, POOL, KEEP, SUM, NEGATION, PRODUCT, MAXIMUM, MINIMUM, COMPARISON, ABSOLUTE, MULTIPLIED, QUOTIENT, EITHER,
  VARIABLE, NAMED, SEVERAL, GROUP, TRIM, COUNT, MATCHING
};
enum { KIND, MEAN, DICE, PARTS };

/* A kind of die. Its faces are `first`, `first + step` …, or an array; `ladder` has their cumulative weights. */
struct die { i64 count, first, step, faces, ladder, together, mean; };

static inline i64 kind_of(i64 roll) { return items(roll)[KIND]; }
static inline i64 part(i64 roll, int place) { return items(roll)[PARTS + place]; }
static inline i64 parts_of(i64 roll) { return length(roll) - PARTS; }
static inline struct die *die_of(i64 roll) { return (struct die *)(u32)part(roll, 1); }

static inline i64 face(const struct die *die, u64 place) {
  return die->faces ? ((i64 *)(u32)die->faces)[place] : die->first + (i64)place * die->step;
}

static i64 node(i64 kind, i64 parts) {
  i64 made = new_block(PARTS + parts);
  items(made)[KIND] = kind;
  items(made)[MEAN] = items(made)[DICE] = NONE;
  return made;
}

static i64 constant(i64 value) {
  i64 made = node(CONSTANT, 1);
  items(made)[PARTS] = value;
  return made;
}

i64 EXPORT(as_roll)(i64 value) { return is_block(value) ? value : constant(value); }

static i64 pool(i64 count, i64 die) {
  i64 made = node(POOL, 2);
  items(made)[PARTS] = count;
  items(made)[PARTS + 1] = die;
  return made;
}

static i64 product_of_numbers(i64 one, i64 other) {
  i64 made;
  if (__builtin_mul_overflow(one, other, &made)) fault(TOO_LARGE, 0);
  return made;
}

static i64 sum_of_numbers(i64 one, i64 other) {
  i64 made;
  if (__builtin_add_overflow(one, other, &made)) fault(TOO_LARGE, 0);
  return made;
}

static i64 depth(i64 roll) {
  i64 deepest = 0, from = 0, to = parts_of(roll), step = 1;
  switch (kind_of(roll)) {
    case CONSTANT: case POOL: case VARIABLE: return 1;
    case KEEP: return 2;
    case PRODUCT: from = 1; break;
    case COMPARISON: from = 1; break;
    case QUOTIENT: to = 2; break;
    case NAMED: to = 2; break;
    case GROUP: from = 1; step = 2; break;
    case TRIM: to = 1; break;
    case COUNT: from = 1; break;
    case MATCHING: from = 1; to = 2; break;
  }
  for (i64 at = from; at < to; at += step) {
    if (!is_block(part(roll, (int)at))) continue;
    i64 below = depth(part(roll, (int)at));
    if (below > deepest) deepest = below;
  }
  return deepest + 1;
}

static i64 within_depth(i64 roll) {
  i64 found = depth(roll);
  if (found > layout.deepest) fault(DEEP_ROLL, found);
  return roll;
}

static i64 negate(i64 roll) {
  i64 kind = kind_of(roll);
  if (kind == CONSTANT) return constant(-part(roll, 0));
  if (kind == NEGATION) return part(roll, 0);
  if (kind == PRODUCT) {
    i64 made = node(PRODUCT, 2);
    items(made)[PARTS] = -part(roll, 0);
    items(made)[PARTS + 1] = part(roll, 1);
    return made;
  }
  i64 made = node(NEGATION, 1);
  items(made)[PARTS] = roll;
  return within_depth(made);
}

static i64 scale(i64 factor, i64 roll) {
  if (kind_of(roll) == NEGATION) {
    factor = -factor;
    roll = part(roll, 0);
  } else if (kind_of(roll) == PRODUCT) {
    factor = product_of_numbers(factor, part(roll, 0));
    roll = part(roll, 1);
  }
  if (kind_of(roll) == CONSTANT) return constant(product_of_numbers(factor, part(roll, 0)));
  if (!factor) return constant(0);
  if (factor == 1) return roll;
  if (factor == -1) return negate(roll);
  i64 made = node(PRODUCT, 2);
  items(made)[PARTS] = factor;
  items(made)[PARTS + 1] = roll;
  return within_depth(made);
}

/* Returns the maximum number of dice of a roll. */
static i64 dice_in(i64 roll) {
  if (items(roll)[DICE] != NONE) return items(roll)[DICE];
  i64 total = 0;
  switch (kind_of(roll)) {
    case POOL: return part(roll, 0);
    case SUM: case MAXIMUM: case MINIMUM: case NEGATION: case MULTIPLIED: case ABSOLUTE:
      for (int at = 0; at < parts_of(roll); at++) total += dice_in(part(roll, at));
      return total;
    case PRODUCT: return dice_in(part(roll, 1));
  }
  return 0;
}

static i64 within_limits(i64 roll) {
  i64 dice = dice_in(roll);
  if (dice > layout.most_dice) fault(MANY_DICE, dice);
  return roll;
}

/* Returns the simplified sum of rolls: each die once, where it first appears; then the constant, unless it is 0. */
static i64 total_of(const i64 *rolls, i64 count) {
  i64 most = 1;
  for (i64 at = 0; at < count; at++) most += is_block(rolls[at]) && kind_of(rolls[at]) == SUM ? parts_of(rolls[at]) : 1;
  i64 terms = new_block(most), *found = items(terms), used = 0;
  i64 bonus = 0;
  for (i64 at = 0; at < count; at++) {
    i64 roll = rolls[at];
    if (!is_block(roll)) {
      bonus = sum_of_numbers(bonus, roll);
      continue;
    }
    i64 inner = kind_of(roll) == SUM ? parts_of(roll) : 1;
    for (i64 each = 0; each < inner; each++) {
      i64 term = kind_of(roll) == SUM ? part(roll, (int)each) : roll;
      if (kind_of(term) == CONSTANT) {
        bonus = sum_of_numbers(bonus, part(term, 0));
        continue;
      }
      int negative = kind_of(term) == NEGATION && kind_of(part(term, 0)) == POOL;
      i64 dice = negative ? part(term, 0) : term;
      if (kind_of(dice) == POOL) {
        i64 other = 0;
        for (; other < used; other++) {
          int below = kind_of(found[other]) == NEGATION;
          i64 there = below ? part(found[other], 0) : found[other];
          if (below == negative && kind_of(there) == POOL && part(there, 1) == part(dice, 1)) {
            i64 together = pool(part(there, 0) + part(dice, 0), part(dice, 1));
            found[other] = below ? negate(together) : together;
            break;
          }
        }
        if (other < used) continue;
      }
      found[used++] = term;
    }
  }
  if (bonus || !used) found[used++] = constant(bonus);
  if (used == 1) return found[0];
  i64 made = node(SUM, used);
  for (i64 at = 0; at < used; at++) items(made)[PARTS + at] = found[at];
  return within_depth(made);
}

i64 EXPORT(dice_add)(i64 left, i64 right) {
  if (!is_block(left) && !is_block(right)) return sum_of_numbers(left, right);
  i64 both[2] = {left, right};
  return within_limits(total_of(both, 2));
}

i64 EXPORT(dice_subtract)(i64 left, i64 right) {
  if (!is_block(left) && !is_block(right)) return sum_of_numbers(left, -right);
  i64 both[2] = {left, negate(as_roll(right))};
  return within_limits(total_of(both, 2));
}

i64 EXPORT(dice_multiply)(i64 left, i64 right) {
  if (!is_block(left) && !is_block(right)) return product_of_numbers(left, right);
  return is_block(left) ? scale(right, left) : scale(left, right);
}

i64 EXPORT(dice_sum)(i64 list) {
  int numbers = 1;
  for (i64 at = 0; at < length(list); at++) numbers = numbers && !is_block(items(list)[at]);
  if (numbers) {
    i64 total = 0;
    for (i64 at = 0; at < length(list); at++) total = sum_of_numbers(total, items(list)[at]);
    return total;
  }
  return within_limits(total_of(items(list), length(list)));
}

i64 EXPORT(dice_extreme)(i64 list, int greatest) {
  int numbers = 1;
  i64 count = length(list);
  for (i64 at = 0; at < count; at++) numbers = numbers && !is_block(items(list)[at]);
  if (numbers) {
    i64 found = items(list)[0];
    for (i64 at = 1; at < count; at++)
      if (greatest ? items(list)[at] > found : items(list)[at] < found) found = items(list)[at];
    return found;
  }
  i64 made = node(greatest ? MAXIMUM : MINIMUM, count);
  for (i64 at = 0; at < count; at++) items(made)[PARTS + at] = as_roll(items(list)[at]);
  return within_limits(within_depth(made));
}

static i64 repeat(i64 count, i64 roll) {
  i64 kind = kind_of(roll);
  if (count < 0) fault(FEW_ROLLS, count);
  if (kind == CONSTANT) return constant(product_of_numbers(count, part(roll, 0)));
  if (!count) return constant(0);
  if (kind == POOL) {
    i64 dice;
    if (__builtin_mul_overflow(count, part(roll, 0), &dice) || dice > layout.most_dice) fault(MANY_DICE, dice);
    return pool(dice, part(roll, 1));
  }
  if (kind == SUM) {
    i64 terms = new_block(parts_of(roll));
    for (int at = 0; at < parts_of(roll); at++) items(terms)[at] = repeat(count, part(roll, at));
    return total_of(items(terms), length(terms));
  }
  if (kind == NEGATION) return negate(repeat(count, part(roll, 0)));
  if (count > layout.most_dice) fault(MANY_ROLLS, count);
  if (count == 1) return roll;
  i64 made = node(SUM, count);
  for (i64 at = 0; at < count; at++) items(made)[PARTS + at] = roll;
  return within_depth(made);
}

i64 EXPORT(dice_each)(i64 count, i64 roll) {
  if (!is_block(roll)) return constant(product_of_numbers(count, roll));
  return count > 0 ? repeat(count, roll) : constant(0);
}

/* -- means -- */

static i64 common(i64 one, i64 other) {
  if (one < 0) one = -one;
  while (other) {
    i64 rest = one % other;
    one = other;
    other = rest;
  }
  return one ? one : 1;
}

static i64 ratio(i128 over, i128 under) {
  i128 one = over < 0 ? -over : over, other = under;
  while (other) {
    i128 rest = one % other;
    one = other;
    other = rest;
  }
  if (one > 1) {
    over /= one;
    under /= one;
  }
  if (over > LARGEST || over < -(i128)LARGEST || under > LARGEST) fault(NO_MEAN, 0);
  i64 made = new_block(2);
  items(made)[0] = (i64)over;
  items(made)[1] = (i64)under;
  return made;
}

static i64 mean(i64 roll) {
  i64 known = items(roll)[MEAN];
  if (known != NONE) return known;
  switch (kind_of(roll)) {
    case CONSTANT: return ratio(part(roll, 0), 1);
    case POOL: {
      i64 each = die_of(roll)->mean;
      if (each == NONE) fault(NO_MEAN, 0);
      return ratio((i128)part(roll, 0) * items(each)[0], items(each)[1]);
    }
    case NEGATION: {
      i64 inner = mean(part(roll, 0));
      return ratio(-(i128)items(inner)[0], items(inner)[1]);
    }
    case PRODUCT: {
      i64 inner = mean(part(roll, 1));
      return ratio((i128)part(roll, 0) * items(inner)[0], items(inner)[1]);
    }
    case SUM: {
      i64 total = ratio(0, 1);
      for (int at = 0; at < parts_of(roll); at++) {
        i64 more = mean(part(roll, at));
        i64 shared = common(items(total)[1], items(more)[1]);
        i128 under = (i128)(items(total)[1] / shared) * items(more)[1];
        total = ratio((i128)items(total)[0] * (items(more)[1] / shared) + (i128)items(more)[0] * (items(total)[1] / shared), under);
      }
      return total;
    }
  }
  fault(NO_MEAN, 0);
}

i64 EXPORT(mean_of)(i64 roll) { return is_block(roll) ? mean(roll) : ratio(roll, 1); }

/* -- rolling -- */

struct name { i64 number, value; };
#define MOST_NAMES 64
static struct name names[MOST_NAMES];
static int named;

/* A buffer for separate results, on the heap, which is collected later. */
struct results { i64 *each; i64 count; };

static i64 rolled(i64 roll);
static struct results side_by_side(i64 roll);

static i64 one_face(const struct die *die) {
  if (!die->ladder) return face(die, below(&G->dice, (u64)die->count));
  i64 *ladder = (i64 *)(u32)die->ladder;
  i64 way = (i64)below(&G->dice, (u64)ladder[die->count - 1]), low = 0, high = die->count - 1;
  while (low < high) {
    i64 middle = (low + high) / 2;
    if (ladder[middle] > way) high = middle; else low = middle + 1;
  }
  return face(die, (u64)low);
}

/* The faces recorded by `roll_faces`: the number of dice of each pool, and their faces. */
static struct { i64 *words; i64 used, room; } shown;

static void show(const i64 *faces, i64 count) {
  if (shown.used + 1 + count > shown.room) fault(MANY_DICE, count);
  shown.words[shown.used++] = count;
  for (i64 at = 0; at < count; at++) shown.words[shown.used++] = faces[at];
}

/* Dice are drawn in groups, one number for each group: see engine/rulewright/dice/sampling/pools.py. */
static void draw_faces(const struct die *die, i64 count, i64 *to) {
  int one_by_one = die->ladder || die->together == 1;
  for (i64 at = 0; at < count;) {
    if (one_by_one) {
      to[at++] = one_face(die);
      continue;
    }
    i64 group = count - at < die->together ? count - at : die->together;
    u32 ways = 1, sides = (u32)die->count;
    for (i64 each = 0; each < group; each++) ways *= sides;
    u32 drawn = (u32)below(&G->dice, ways);
    for (i64 each = 0; each < group; each++) {
      to[at++] = face(die, drawn % sides);
      drawn /= sides;
    }
  }
  if (shown.words) show(to, count);
}

static i64 pool_total(const struct die *die, i64 count) {
  i64 total = 0;
  if (shown.words) {
    i64 *each = items(new_block(count));
    draw_faces(die, count, each);
    for (i64 at = 0; at < count; at++) total += each[at];
    return total;
  }
  if (die->ladder || die->together == 1) {
    for (i64 at = 0; at < count; at++) total += one_face(die);
    return total;
  }
  for (i64 at = 0; at < count;) {
    i64 group = count - at < die->together ? count - at : die->together;
    u32 ways = 1, sides = (u32)die->count;
    for (i64 each = 0; each < group; each++) ways *= sides;
    u32 drawn = (u32)below(&G->dice, ways);
    for (i64 each = 0; each < group; each++) {
      total += face(die, drawn % sides);
      drawn /= sides;
      at++;
    }
  }
  return total;
}

static void sort(i64 *each, i64 count) {
  for (i64 gap = count / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11)
    for (i64 at = gap; at < count; at++) {
      i64 moved = each[at], to = at;
      while (to >= gap && each[to - gap] > moved) {
        each[to] = each[to - gap];
        to -= gap;
      }
      each[to] = moved;
    }
}

static i64 added(struct results found) {
  i64 total = 0;
  for (i64 at = 0; at < found.count; at++) total += found.each[at];
  return total;
}

static int holds(i64 operator, i64 left, i64 right) {
  switch (operator) {
    case 0: return left > right;
    case 1: return left >= right;
    case 2: return left < right;
    case 3: return left <= right;
    case 4: return left == right;
  }
  return left != right;
}

/* Returns whether a roll has a fixed result. */
static int settled(i64 roll) {
  switch (kind_of(roll)) {
    case CONSTANT: return 1;
    case VARIABLE:
      for (int at = named - 1; at >= 0; at--)
        if (names[at].number == part(roll, 0)) return 1;
      return 0;
    case SUM: case MAXIMUM: case MINIMUM: case MULTIPLIED:
      for (int at = 0; at < parts_of(roll); at++)
        if (!settled(part(roll, at))) return 0;
      return 1;
    case NEGATION: case ABSOLUTE: return settled(part(roll, 0));
    case PRODUCT: return settled(part(roll, 1));
    case COMPARISON: return settled(part(roll, 1)) && settled(part(roll, 2));
    case QUOTIENT: return settled(part(roll, 0)) && settled(part(roll, 1));
    case EITHER:
      return settled(part(roll, 0)) && settled(rolled(part(roll, 0)) ? part(roll, 1) : part(roll, 2));
    case SEVERAL:
      return settled(part(roll, 0)) && (rolled(part(roll, 0)) < 1 || settled(part(roll, 1)));
    case NAMED:
      return 0;
  }
  return 0;
}

static i64 with_names(i64 roll) {
  i64 count = parts_of(roll) - 2;
  i64 values[MOST_NAMES];
  if (named + count > MOST_NAMES) fault(UNNAMED_ROLL, 0);
  if (count == 1) values[0] = rolled(part(roll, 0));
  else {
    struct results found = side_by_side(part(roll, 0));
    sort(found.each, found.count);
    for (i64 at = 0; at < count; at++) values[at] = found.each[found.count - 1 - at];
  }
  for (i64 at = 0; at < count; at++) {
    names[named].number = part(roll, (int)at + 2);
    names[named++].value = values[at];
  }
  i64 found = rolled(part(roll, 1));
  named -= (int)count;
  return found;
}

static i64 several(i64 roll) {
  i64 inner = part(roll, 1);
  int known = named && settled(part(roll, 0));
  i64 count = rolled(part(roll, 0)), total = 0;
  if (count < 1) return 0;
  if (kind_of(inner) == POOL) {
    i64 dice = part(inner, 0);
    /* If a name is the count, results are separate, and rolled one by one unless each is a single die. */
    if (!known || dice == 1) {
      i64 all = product_of_numbers(count, dice);
      return pool_total(die_of(inner), all);
    }
  }
  for (i64 at = 0; at < count; at++) total = sum_of_numbers(total, rolled(inner));
  return total;
}

static i64 matches(i64 what, struct results found, i64 number) {
  sort(found.each, found.count);
  i64 most = 0, sets = 0, different = 0, longest = 0, run = 0;
  for (i64 at = 0; at < found.count;) {
    i64 end = at;
    while (end < found.count && found.each[end] == found.each[at]) end++;
    if (end - at > most) most = end - at;
    if (end - at >= number) sets++;
    different++;
    run = at > 0 && found.each[at] == found.each[at - 1] + 1 ? run + 1 : 1;
    if (run > longest) longest = run;
    at = end;
  }
  return what == 0 ? most : what == 1 ? sets : what == 2 ? different : longest;
}

static i64 rolled(i64 roll) {
  i64 total = 0;
  switch (kind_of(roll)) {
    case CONSTANT: return part(roll, 0);
    case POOL: return pool_total(die_of(roll), part(roll, 0));
    case SUM:
      for (int at = 0; at < parts_of(roll); at++) total = sum_of_numbers(total, rolled(part(roll, at)));
      return total;
    case NEGATION: return -rolled(part(roll, 0));
    case PRODUCT: return product_of_numbers(part(roll, 0), rolled(part(roll, 1)));
    case MAXIMUM: case MINIMUM:
      total = rolled(part(roll, 0));
      for (int at = 1; at < parts_of(roll); at++) {
        i64 other = rolled(part(roll, at));
        if (kind_of(roll) == MAXIMUM ? other > total : other < total) total = other;
      }
      return total;
    case COMPARISON: {
      i64 left = rolled(part(roll, 1));
      return holds(part(roll, 0), left, rolled(part(roll, 2)));
    }
    case ABSOLUTE: total = rolled(part(roll, 0)); return total < 0 ? -total : total;
    case MULTIPLIED:
      total = 1;
      for (int at = 0; at < parts_of(roll); at++) total = product_of_numbers(total, rolled(part(roll, at)));
      return total;
    case QUOTIENT: {
      i64 over = rolled(part(roll, 0)), under = rolled(part(roll, 1));
      if (!under) fault(ROLL_OVER_ZERO, 0);
      extern i64 divide(i64, i64, int);
      return divide(over, under, (int)part(roll, 2));
    }
    case EITHER: return rolled(part(roll, 0)) ? rolled(part(roll, 1)) : rolled(part(roll, 2));
    case VARIABLE:
      for (int at = named - 1; at >= 0; at--)
        if (names[at].number == part(roll, 0)) return names[at].value;
      fault(UNNAMED_ROLL, part(roll, 0));
    case NAMED: return with_names(roll);
    case SEVERAL: return several(roll);
    case KEEP: case TRIM: case GROUP: return added(side_by_side(roll));
    case COUNT: {
      struct results found = side_by_side(part(roll, 1));
      for (i64 at = 0; at < found.count; at++) total += holds(part(roll, 0), found.each[at], rolled(part(roll, 2)));
      return total;
    }
    case MATCHING: return matches(part(roll, 0), side_by_side(part(roll, 1)), part(roll, 2));
  }
  fault(UNNAMED_ROLL, 0);
}

static i64 results_of(i64 roll) {
  i64 total = 0;
  switch (kind_of(roll)) {
    case POOL: return part(roll, 0);
    case GROUP:
      for (int at = 0; at < parts_of(roll); at += 2) total += part(roll, at);
      return total;
  }
  return 1;
}

static struct results side_by_side(i64 roll) {
  i64 low = 0, high = 0, dice = roll;
  if (kind_of(roll) == KEEP) {
    dice = part(roll, 0);
    i64 dropped = part(dice, 0) - part(roll, 1);
    if (part(roll, 2)) low = dropped; else high = dropped;
  } else if (kind_of(roll) == TRIM) {
    dice = part(roll, 0);
    low = part(roll, 1);
    high = part(roll, 2);
  }
  i64 count = results_of(dice);
  i64 *each = items(new_block(count));
  if (kind_of(dice) == POOL) draw_faces(die_of(dice), count, each);
  else {
    i64 *to = each;
    for (int at = 0; at < parts_of(dice); at += 2) {
      i64 times = part(dice, at), member = part(dice, at + 1);
      if (kind_of(member) == POOL && part(member, 0) == 1) draw_faces(die_of(member), times, to);
      else
        for (i64 one = 0; one < times; one++) to[one] = rolled(member);
      to += times;
    }
  }
  if (kind_of(roll) != POOL && (low || high || kind_of(roll) == KEEP)) sort(each, count);
  struct results found = {each + low, count - low - high};
  return found;
}

/* Rolls with the game's dice. */
i64 EXPORT(roll_total)(i64 roll) {
  named = 0, shown.words = 0;
  if (kind_of(roll) == POOL) return pool_total(die_of(roll), part(roll, 0));
  return rolled(roll);
}

/* Rolls with the game's dice and records all faces: returns a block of the total and, for each pool in the order rolled, its
 * number of dice and their faces. */
i64 EXPORT(roll_faces)(i64 roll) {
  i64 room = 2 * layout.most_dice + 1, made = new_block(room);
  shown.words = items(made), shown.used = 1, shown.room = room;
  named = 0;
  items(made)[0] = rolled(roll);
  shown.words = 0;
  *block_of(made) = shown.used;
  G->top = (u32)made + 8 * (1 + shown.used);
  return made;
}

/* Returns a random element of a list that is not empty. */
i64 EXPORT(draw_one)(i64 list) { return items(list)[below(&G->dice, (u64)length(list))]; }
