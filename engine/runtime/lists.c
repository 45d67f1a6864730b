/* List operations of the rules. */
#include "runtime.h"

int EXPORT(has)(i64 value, i64 list) {
  i64 count = length(list), *each = items(list);
  if (!is_block(value)) {
    for (i64 at = 0; at < count; at++)
      if (each[at] == value) return 1;
    return 0;
  }
  for (i64 at = 0; at < count; at++)
    if (alike(each[at], value)) return 1;
  return 0;
}

i64 EXPORT(join)(i64 left, i64 right) {
  i64 first = length(left), second = length(right);
  if (first + second > layout.longest_list) fault(LONG_LIST, 0);
  i64 made = new_block(first + second), *to = items(made);
  for (i64 at = 0; at < first; at++) to[at] = items(left)[at];
  for (i64 at = 0; at < second; at++) to[first + at] = items(right)[at];
  hold(first + second);
  return made;
}

i64 EXPORT(flatten)(i64 lists) {
  i64 count = 0;
  for (i64 at = 0; at < length(lists); at++) count += length(items(lists)[at]);
  if (count > layout.longest_list) fault(LONG_LIST, 0);
  i64 made = new_block(count), *to = items(made);
  for (i64 at = 0; at < length(lists); at++)
    for (i64 each = 0; each < length(items(lists)[at]); each++) *to++ = items(items(lists)[at])[each];
  hold(count);
  return made;
}

/* Returns a list without repeats, in the order in which each element comes first. */
i64 EXPORT(distinct)(i64 list) {
  i64 made = new_block(length(list)), count = 0;
  block_of(made)[0] = 0;
  for (i64 at = 0; at < length(list); at++)
    if (!has(items(list)[at], made)) {
      items(made)[count] = items(list)[at];
      block_of(made)[0] = ++count;
    }
  return made;
}

/* Returns as many elements as there are of `count`, from `from` on. */
static i64 slice(i64 list, i64 from, i64 count) {
  i64 made = new_block(count);
  for (i64 at = 0; at < count; at++) items(made)[at] = items(list)[from + at];
  return made;
}

static i64 within_length(i64 count, i64 list) { return count < 0 ? 0 : count < length(list) ? count : length(list); }

i64 EXPORT(take_first)(i64 count, i64 list) { return slice(list, 0, within_length(count, list)); }

i64 EXPORT(take_last)(i64 count, i64 list) {
  i64 taken = within_length(count, list);
  return slice(list, length(list) - taken, taken);
}

/* Returns the element after `value`, cyclically, or `value` itself if there is none. */
i64 EXPORT(next_of)(i64 value, i64 list) {
  i64 count = length(list);
  if (!count) return value;
  for (i64 at = 0; at < count; at++)
    if (alike(items(list)[at], value)) return items(list)[at + 1 == count ? 0 : at + 1];
  return items(list)[0];
}

/* Returns the element before `value`, cyclically, or `value` itself if there is none. */
i64 EXPORT(previous_of)(i64 value, i64 list) {
  i64 count = length(list);
  if (!count) return value;
  for (i64 at = 0; at < count; at++)
    if (alike(items(list)[at], value)) return items(list)[at ? at - 1 : count - 1];
  return items(list)[count - 1];
}

/* Returns the element with an index, from 1, or NONE if there is no such element. */
i64 EXPORT(nth_of)(i64 index, i64 list) {
  return index >= 1 && index <= length(list) ? items(list)[index - 1] : NONE;
}

/* Returns the index, from 1, of the first element that is alike, or 0 if there is none. */
i64 EXPORT(index_of)(i64 value, i64 list) {
  for (i64 at = 0; at < length(list); at++)
    if (alike(items(list)[at], value)) return at + 1;
  return 0;
}

i64 EXPORT(sum)(i64 list) {
  i128 total = 0;
  for (i64 at = 0; at < length(list); at++) total += items(list)[at];
  if (total > (i128)0x7fffffffffffffffLL || total < -(i128)0x7fffffffffffffffLL) fault(TOO_LARGE, 0);
  return (i64)total;
}

/* Returns a map with another entry, or the map itself if it has this entry already. Maps never change. */
i64 EXPORT(with_entry)(i64 list, i64 place, i64 value) {
  if (items(list)[place] == value) return list;
  i64 made = copy_block(list);
  items(made)[place] = value;
  return made;
}

i64 EXPORT(with_none)(i64 list) {
  i64 count = length(list), made = new_block(count + 1);
  for (i64 at = 0; at < count; at++) items(made)[at] = items(list)[at];
  items(made)[count] = NONE;
  return made;
}

/* Returns a list of the first element, or an empty list. */
i64 EXPORT(head)(i64 list) {
  i64 count = length(list) ? 1 : 0, made = new_block(count);
  if (count) items(made)[0] = items(list)[0];
  return made;
}

/* Returns the elements of a list without those of another. Each of these removes the first equal element. */
i64 EXPORT(without)(i64 list, i64 removed) {
  i64 rest = copy_block(removed), count = length(rest), made = new_block(length(list)), left = 0;
  for (i64 at = 0; at < length(list); at++) {
    i64 value = items(list)[at], place = 0;
    while (place < count && !alike(items(rest)[place], value)) place++;
    if (place < count) items(rest)[place] = items(rest)[--count];
    else items(made)[left++] = value;
  }
  block_of(made)[0] = left;
  return made;
}

/* Removes a card from a deck with its fields at `deck`: the rest and, if ordered, the cards on top and at the bottom. */
void EXPORT(draw_card)(i64 *deck, i64 card, i64 cards, int ordered) {
  if (ordered && (length(deck[1]) || (length(deck[2]) && !length(deck[0])))) {
    i64 *known = length(deck[1]) ? deck + 1 : deck + 2;
    i64 count = length(*known) - 1, made = new_block(count);
    for (i64 at = 0; at < count; at++) items(made)[at] = items(*known)[at + 1];
    *known = made;
    return;
  }
  i64 count = length(cards), made = new_block(count - 1), *to = items(made);
  int found = 0;
  for (i64 at = 0; at < count; at++) {
    if (!found && items(cards)[at] == card) { found = 1; continue; }
    *to++ = items(cards)[at];
  }
  deck[0] = made;
}

i64 EXPORT(numbers)(i64 low, i64 high) {
  i64 distance;
  if (!__builtin_sub_overflow(high, low, &distance) && distance < 0) return new_block(0);
  if (distance < 0 || distance >= layout.most_options) fault(MANY_NUMBERS, 0);
  i64 made = new_block(distance + 1);
  for (i64 at = 0; at <= distance; at++) items(made)[at] = low + at;
  return made;
}

/* Returns all choices of `low` to `high` elements, smallest first, in list order. */
i64 EXPORT(subsets)(i64 list, i64 low, i64 high) {
  i64 count = length(list), ways = 0;
  if (low < 0) low = 0;
  if (high > count) high = count;
  for (i64 size = low; size <= high; size++) {
    /* The number of choices of one size by the product formula, as far as needed. */
    i64 choices = 1;
    for (i64 at = 1; at <= size; at++) {
      i64 few = size < count - size ? size : count - size;
      if (at > few) break;
      choices = choices * (count - few + at) / at;
      if (choices > layout.most_options) break;
    }
    ways += choices > layout.most_options ? layout.most_options + 1 : choices;
    if (ways > layout.most_options) {
      fault(MANY_WAYS, count);
    }
  }
  i64 made = new_block(ways), at = 0;
  i64 places = new_block(high > 0 ? high : 0);
  for (i64 size = low; size <= high; size++) {
    i64 *chosen = items(places);
    for (i64 each = 0; each < size; each++) chosen[each] = each;
    for (;;) {
      i64 one = new_block(size);
      for (i64 each = 0; each < size; each++) items(one)[each] = items(list)[items(places)[each]];
      items(made)[at++] = one;
      i64 place = size - 1;
      while (place >= 0 && items(places)[place] == count - size + place) place--;
      if (place < 0) break;
      items(places)[place]++;
      for (i64 each = place + 1; each < size; each++) items(places)[each] = items(places)[each - 1] + 1;
    }
  }
  return made;
}

/* Returns all choices of `low` to `high` elements in every order, smallest first, in the order of their places. */
i64 EXPORT(sequences)(i64 list, i64 low, i64 high) {
  i64 count = length(list), ways = 0;
  if (low < 0) low = 0;
  if (high > count) high = count;
  for (i64 size = low; size <= high; size++) {
    i64 choices = 1;
    for (i64 at = 0; at < size && choices <= layout.most_options; at++) choices *= count - at;
    ways += choices;
    if (ways > layout.most_options) fault(MANY_WAYS, count);
  }
  i64 made = new_block(ways), at = 0;
  i64 places = new_block(count), used = new_block(count);
  for (i64 each = 0; each < count; each++) items(used)[each] = 0;
  for (i64 size = low; size <= high; size++) {
    i64 depth = 0;
    if (size) items(places)[0] = -1;
    while (depth >= 0) {
      if (depth == size) {
        i64 one = new_block(size);
        for (i64 each = 0; each < size; each++) items(one)[each] = items(list)[items(places)[each]];
        items(made)[at++] = one;
        depth--;
        continue;
      }
      /* Advance the element at this depth to the next one that no earlier depth uses. */
      i64 place = items(places)[depth];
      if (place >= 0) items(used)[place] = 0;
      do place++; while (place < count && items(used)[place]);
      items(places)[depth] = place;
      if (place == count) {
        items(places)[depth--] = -1;
        continue;
      }
      items(used)[place] = 1;
      if (++depth < size) items(places)[depth] = -1;
    }
  }
  return made;
}

static inline int before(i64 one, i64 other, int ratios) {
  return ratios ? compare_ratios(one, other) < 0 : one < other;
}

/* Sorts `values` by `keys`. The sort is stable. */
void EXPORT(order)(i64 values, i64 keys, int ratios) {
  i64 count = length(values), *value = items(values), *key = items(keys);
  if (count <= 24) {
    for (i64 at = 1; at < count; at++) {
      i64 moved = value[at], by = key[at], to = at;
      while (to > 0 && before(by, key[to - 1], ratios)) {
        value[to] = value[to - 1];
        key[to] = key[to - 1];
        to--;
      }
      value[to] = moved;
      key[to] = by;
    }
    return;
  }
  i64 *other_values = items(new_block(count)), *other_keys = items(new_block(count));
  i64 *from = value, *from_keys = key, *to = other_values, *to_keys = other_keys;
  for (i64 width = 1; width < count; width *= 2) {
    for (i64 left = 0; left < count; left += 2 * width) {
      i64 middle = left + width < count ? left + width : count, right = left + 2 * width < count ? left + 2 * width : count;
      i64 one = left, other = middle;
      for (i64 at = left; at < right; at++) {
        int second = one >= middle || (other < right && before(from_keys[other], from_keys[one], ratios));
        i64 taken = second ? other++ : one++;
        to[at] = from[taken];
        to_keys[at] = from_keys[taken];
      }
    }
    i64 *swap = from; from = to; to = swap;
    swap = from_keys; from_keys = to_keys; to_keys = swap;
  }
  if (from != value)
    for (i64 at = 0; at < count; at++) value[at] = from[at];
}

/* -- graph search: places by increasing cost, then in the order found -- */

/* A search is a block: [found, queue, visited, their lengths; total and place of the current one]. Found places have a table
 * of their own. Rows of the queue are (total, number, place, predecessor). */
enum { W_FOUND, W_WAITING, W_WENT, W_COUNT, W_WAIT, W_GONE, W_TOTAL, W_PLACE, W_SIZE };

i64 EXPORT(walk)(void) {
  i64 made = new_block(W_SIZE);
  i64 *w = items(made);
  w[W_FOUND] = new_block(16);
  for (int at = 0; at < 16; at++) items(w[W_FOUND])[at] = NONE;
  w[W_WAITING] = new_block(4 * 8);
  w[W_WENT] = new_block(2 * 8);
  w[W_COUNT] = w[W_WAIT] = w[W_GONE] = w[W_TOTAL] = 0;
  w[W_PLACE] = NONE;
  return made;
}

static u32 hash_of(i64 value) {
  u64 mixed = 0x9E3779B97F4A7C15ULL;
  if (is_block(value))
    for (i64 at = 0; at < length(value); at++) mixed = (mixed ^ hash_of(items(value)[at])) * 0x9E3779B97F4A7C15ULL;
  else mixed = ((u64)value + 1) * mixed;
  return (u32)(mixed >> 33);
}

/* Adds a place. Returns 0 if it was found before. NONE never is a place. */
int EXPORT(walk_finds)(i64 walk, i64 place) {
  i64 *w = items(walk);
  i64 room = length(w[W_FOUND]);
  if (w[W_COUNT] * 2 >= room) {
    i64 larger = new_block(room * 2);
    for (i64 at = 0; at < room * 2; at++) items(larger)[at] = NONE;
    for (i64 at = 0; at < room; at++) {
      i64 moved = items(w[W_FOUND])[at];
      if (moved == NONE) continue;
      u32 to = hash_of(moved) & (u32)(room * 2 - 1);
      while (items(larger)[to] != NONE) to = (to + 1) & (u32)(room * 2 - 1);
      items(larger)[to] = moved;
    }
    w[W_FOUND] = larger;
    room *= 2;
  }
  i64 *found = items(w[W_FOUND]);
  u32 at = hash_of(place) & (u32)(room - 1);
  while (found[at] != NONE) {
    if (alike(found[at], place)) return 0;
    at = (at + 1) & (u32)(room - 1);
  }
  found[at] = place;
  w[W_COUNT]++;
  return 1;
}

static inline int sooner(const i64 *one, const i64 *other) {
  return one[0] < other[0] || (one[0] == other[0] && one[1] < other[1]);
}

/* Puts the last place found into the queue with its total cost. */
void EXPORT(walk_waits)(i64 walk, i64 total, i64 place, i64 from) {
  i64 *w = items(walk);
  i64 room = length(w[W_WAITING]) / 4;
  if (w[W_WAIT] >= room) {
    i64 larger = new_block(room * 8);
    for (i64 at = 0; at < room * 4; at++) items(larger)[at] = items(w[W_WAITING])[at];
    for (i64 at = room * 4; at < room * 8; at++) items(larger)[at] = 0;
    w[W_WAITING] = larger;
  }
  i64 *heap = items(w[W_WAITING]);
  i64 row[4] = {total, w[W_COUNT], place, from};
  i64 at = w[W_WAIT]++;
  while (at > 0) {
    i64 above = (at - 1) / 2;
    if (!sooner(row, heap + 4 * above)) break;
    for (int each = 0; each < 4; each++) heap[4 * at + each] = heap[4 * above + each];
    at = above;
  }
  for (int each = 0; each < 4; each++) heap[4 * at + each] = row[each];
}

/* Visits the nearest place in the queue. Returns 0 if the queue is empty. */
int EXPORT(walk_goes)(i64 walk) {
  i64 *w = items(walk);
  if (!w[W_WAIT]) return 0;
  i64 *heap = items(w[W_WAITING]);
  i64 total = heap[0], place = heap[2], from = heap[3];
  i64 count = --w[W_WAIT];
  i64 row[4];
  for (int each = 0; each < 4; each++) row[each] = heap[4 * count + each];
  i64 at = 0;
  for (;;) {
    i64 below = 2 * at + 1;
    if (below >= count) break;
    if (below + 1 < count && sooner(heap + 4 * (below + 1), heap + 4 * below)) below++;
    if (!sooner(heap + 4 * below, row)) break;
    for (int each = 0; each < 4; each++) heap[4 * at + each] = heap[4 * below + each];
    at = below;
  }
  if (count)
    for (int each = 0; each < 4; each++) heap[4 * at + each] = row[each];
  i64 room = length(w[W_WENT]) / 2;
  if (w[W_GONE] >= room) {
    i64 larger = new_block(room * 4);
    for (i64 each = 0; each < room * 2; each++) items(larger)[each] = items(w[W_WENT])[each];
    for (i64 each = room * 2; each < room * 4; each++) items(larger)[each] = 0;
    w[W_WENT] = larger;
  }
  items(w[W_WENT])[2 * w[W_GONE]] = place;
  items(w[W_WENT])[2 * w[W_GONE] + 1] = from;
  w[W_GONE]++;
  w[W_TOTAL] = total;
  w[W_PLACE] = place;
  return 1;
}

i64 EXPORT(walk_place)(i64 walk) { return items(walk)[W_PLACE]; }
i64 EXPORT(walk_total)(i64 walk) { return items(walk)[W_TOTAL]; }

/* Returns the visited places in order. */
i64 EXPORT(walk_all)(i64 walk) {
  i64 count = items(walk)[W_GONE], made = new_block(count);
  for (i64 at = 0; at < count; at++) items(made)[at] = items(items(walk)[W_WENT])[2 * at];
  return made;
}

/* Returns the places on the path to a goal, from the start, or an empty list if it was not reached. */
i64 EXPORT(walk_way)(i64 walk, i64 goal) {
  i64 *went = items(items(walk)[W_WENT]), count = items(walk)[W_GONE], steps = 0;
  for (i64 here = goal; here != NONE;) {
    i64 at = 0;
    while (at < count && !alike(went[2 * at], here)) at++;
    if (at == count) break;
    steps++;
    here = went[2 * at + 1];
  }
  i64 made = new_block(steps);
  for (i64 here = goal, to = steps - 1; to >= 0; to--) {
    i64 at = 0;
    while (!alike(went[2 * at], here)) at++;
    items(made)[to] = here;
    here = went[2 * at + 1];
  }
  return made;
}

/* -- numbers -- */

/* Divides with rounding: 0 down, 1 up, 2 to the nearest (halves away from zero), 3 towards zero. */
i64 EXPORT(divide)(i64 left, i64 right, int rounding) {
  if (!right) fault(DIVIDED_BY_ZERO, 0);
  if (right == -1) {
    i64 negative;
    if (__builtin_sub_overflow(0, left, &negative)) fault(TOO_LARGE, 0);
    return negative;
  }
  i64 quotient = left / right, rest = left % right;
  if (rest && (rest < 0) != (right < 0)) { quotient--; rest += right; }
  if (!rest || rounding == 0) return quotient;
  if (rounding == 1) return quotient + 1;
  if (rounding == 3) return quotient < 0 ? quotient + 1 : quotient;
  u64 doubled = 2 * (u64)(rest < 0 ? -rest : rest), whole = (u64)(right < 0 ? -right : right);
  if (doubled == whole) return quotient >= 0 ? quotient + 1 : quotient;
  return doubled > whole ? quotient + 1 : quotient;
}

i64 EXPORT(modulo)(i64 left, i64 right) {
  if (!right) fault(DIVIDED_BY_ZERO, 0);
  if (right == -1) return 0;
  i64 rest = left % right;
  return rest && (rest < 0) != (right < 0) ? rest + right : rest;
}

i64 EXPORT(add_checked)(i64 left, i64 right) {
  i64 made;
  if (__builtin_add_overflow(left, right, &made) || made == NONE) fault(TOO_LARGE, 0);
  return made;
}

i64 EXPORT(subtract_checked)(i64 left, i64 right) {
  i64 made;
  if (__builtin_sub_overflow(left, right, &made) || made == NONE) fault(TOO_LARGE, 0);
  return made;
}

/* Multiplies, and fails if the product is too large. */
i64 EXPORT(multiply_checked)(i64 left, i64 right) {
  i128 made = (i128)left * right;
  if (made > LARGEST || made < -(i128)LARGEST) fault(TOO_LARGE, 0);
  return (i64)made;
}
