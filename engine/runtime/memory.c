/* The heap: a bump allocator with a copying collector, which runs where generated code holds no other references. */
#include "runtime.h"

__attribute__((used, visibility("default"))) struct layout layout;

#define PAGE 65536u

/* The heap size below which nothing is collected: most games never reach it in one move. */
#define SPARE (256u << 10)

/* The maximum that memory grows beyond a request. */
#define AHEAD (8u << 20)

static u32 end_of_memory(void) { return (u32)__builtin_wasm_memory_size(0) * PAGE; }

void grow_to(u32 end) {
  u32 there = end_of_memory();
  if (end <= there) return;
  /* Memory grows by half of its size, so that the number of calls stays low; but unused
   * memory is missing elsewhere on a small machine. */
  u32 more = end - there, ahead = there / 2 < AHEAD ? there / 2 : AHEAD;
  if (more < ahead) more = ahead;
  u32 pages = (more + PAGE - 1) / PAGE;
  if (__builtin_wasm_memory_grow(0, pages) == (unsigned long)-1) {
    pages = (end - there + PAGE - 1) / PAGE;
    if (__builtin_wasm_memory_grow(0, pages) == (unsigned long)-1) fault(NO_MEMORY, 0);
  }
}

_Noreturn void fault(int code, i64 value) {
  G->fault = code;
  G->fault_value = value;
  __builtin_trap();
}

_Noreturn void EXPORT(fail)(i64 code, i64 value, i64 text, i64 row) {
  G->fault_text = text;
  G->fault_row = row;
  fault((int)code, value);
}

/* The end of the space that needs no check. Generated code reads it too. */
__attribute__((used, visibility("default"))) u32 room;

/* The maximum end of the heap, and the beginning of memory outside of games. */
static u32 heap_end = HEAP_END;

static void reach(u32 end) {
  if (end > heap_end) fault(NO_MEMORY, 0);
  grow_to(end);
  u32 there = end_of_memory();
  room = there < heap_end ? there : heap_end;
}

/* Allocates bytes at the end of the heap. */
u32 reserve(u32 bytes) {
  u32 at = (u32)G->top;
  if (bytes > (1u << 30)) fault(NO_MEMORY, 0);
  if (at + bytes > room) reach(at + bytes);
  G->top = at + bytes;
  return at;
}

i64 EXPORT(new_block)(i64 count) {
  if ((u64)count > (1u << 26)) fault(NO_MEMORY, 0);
  i64 *at = (i64 *)reserve((u32)(count + 1) * 8);
  *at = count;
  return as_block(at);
}

i64 EXPORT(copy_block)(i64 block) {
  i64 count = length(block), made = new_block(count);
  i64 *to = items(made), *from = items(block);
  /* To begin a copy in bulk takes as long as to copy some words one by one. */
  if (count >= 16) __builtin_memcpy(to, from, (u32)count * 8);
  else for (i64 at = 0; at < count; at++) to[at] = from[at];
  return made;
}

/* -- collection: live blocks are copied behind the heap, and the copy replaces it (Cheney, 1970) -- */

static u32 from_space, from_end, to_next;
static i64 distance;

static inline void keep(i64 *place) {
  i64 value = *place;
  if (!is_block(value)) return;
  u32 at = (u32)value;
  if (at < from_space || at >= from_end) return;
  i64 *old = (i64 *)at;
  i64 count = *old;
  if (count < 0) { /* already copied */
    *place = BLOCK_BIT | (i64)(u32)(-count);
    return;
  }
  u32 size = (u32)(count + 1) * 8;
  i64 *new = (i64 *)to_next;
  reach(to_next + size);
  for (i64 each = 0; each <= count; each++) new[each] = old[each];
  to_next += size;
  u32 final = (u32)((i64)(u32)new - distance);
  *old = -(i64)final;
  *place = BLOCK_BIT | (i64)final;
}

/* Memoized formulas are dropped when blocks move, and when another game may be in memory. */
void forget(void) {
  i64 *end = (i64 *)(u32)layout.live + layout.kinds + layout.kept;
  for (i64 *stand = end - layout.tables; stand < end; stand++) *stand = 0;
}

void EXPORT(clean_up)(void) {
  forget();
  from_space = (u32)layout.heap;
  from_end = (u32)G->top;
  u32 to_space = (from_end + 15) & ~15u;
  to_next = to_space;
  distance = (i64)to_space - from_space;
  keep(&G->options); keep(&G->roll); keep(&G->answer); keep(&G->objects); keep(&G->winners); keep(&G->given);
  keep(&G->events);
  i64 *place = (i64 *)(u32)layout.live, *end = place + layout.kinds + layout.kept;
  while (place < end) keep(place++);
  place = (i64 *)(u32)layout.game;
  end = place + layout.game_size;
  while (place < end) keep(place++);
  place = (i64 *)(u32)layout.players;
  end = place + G->seats * layout.player_size;
  while (place < end) keep(place++);
  place = (i64 *)(u32)layout.frames;
  end = (i64 *)(u32)G->frames_end;
  while (place < end) keep(place++);
  for (u32 scan = to_space; scan < to_next;) {
    i64 *block = (i64 *)scan;
    i64 count = *block;
    for (i64 each = 1; each <= count; each++) keep(block + each);
    scan += (u32)(count + 1) * 8;
  }
  u32 used = to_next - to_space;
  __builtin_memmove((void *)from_space, (void *)to_space, used);
  G->top = G->clean = from_space + used;
  G->limit = G->top + (used > SPARE ? used : SPARE);
}

/* -- block values -- */

int EXPORT(alike)(i64 one, i64 other) {
  if (one == other) return 1;
  if (!is_block(one) || !is_block(other)) return 0;
  i64 count = length(one);
  if (count != length(other)) return 0;
  for (i64 at = 0; at < count; at++)
    if (items(one)[at] != items(other)[at] && !alike(items(one)[at], items(other)[at])) return 0;
  return 1;
}

/* Fractions are blocks of two numbers, the second positive. */
int EXPORT(compare_ratios)(i64 one, i64 other) {
  i64 a = one, b = 1, c = other, d = 1;
  if (is_block(one)) { a = items(one)[0]; b = items(one)[1]; }
  if (is_block(other)) { c = items(other)[0]; d = items(other)[1]; }
  i128 left = (i128)a * d, right = (i128)c * b;
  return left < right ? -1 : left > right;
}

/* -- budget and limits -- */

void EXPORT(hold)(i64 elements) {
  if (elements > layout.longest_list) fault(TOO_MANY_ALIVE, 0);
  i64 crowd = (elements + layout.crowd - 1) / layout.crowd;
  if (crowd > G->crowd) G->crowd = crowd;
}

static void refuse_within(i64 value, int deep) {
  if (is_block(value)) {
    if (!deep) return;
    for (i64 at = 0; at < length(value); at++) refuse_within(items(value)[at], deep);
  } else if (value != NONE && (value > LARGEST || value < -LARGEST))
    fault(TOO_LARGE, 0);
}
void EXPORT(refuse_large)(i64 value) { refuse_within(value, 1); }

/* -- objects -- */

i64 EXPORT(create)(i64 kind, i64 object) {
  i64 number = G->made;
  if (number >= layout.most_objects) fault(TOO_MANY_OBJECTS, 0);
  i64 room = length(G->objects);
  if (number >= room) {
    i64 larger = new_block(room * 2 > number + 16 ? room * 2 : number + 16);
    i64 *to = items(larger), *from = items(G->objects);
    for (i64 at = 0; at < room; at++) to[at] = from[at];
    for (i64 at = room; at < length(larger); at++) to[at] = NONE;
    G->objects = larger;
  }
  items(G->objects)[number] = object;
  G->made = number + 1;
  i64 *live = (i64 *)(u32)layout.live + kind;
  i64 count = length(*live);
  if (count >= layout.crowd * G->crowd) hold(count + 1);
  i64 longer = new_block(count + 1);
  i64 *to = items(longer), *from = items(*live);
  for (i64 at = 0; at < count; at++) to[at] = from[at];
  to[count] = number;
  *live = longer;
  return number;
}

void EXPORT(take_out)(i64 number) {
  i64 object = items(G->objects)[number];
  if (object == NONE) fault(GONE, 0);
  i64 *live = (i64 *)(u32)layout.live + items(object)[0];
  i64 count = length(*live);
  i64 shorter = new_block(count - 1);
  i64 *to = items(shorter), *from = items(*live);
  for (i64 at = 0; at < count; at++)
    if (from[at] != number) *to++ = from[at];
  *live = shorter;
  items(G->objects)[number] = NONE;
}

/* -- events: consecutive words in a growing block -- */

void EXPORT(tell)(i64 value) {
  i64 room = length(G->events);
  if (G->told >= room) {
    i64 larger = new_block(room * 2);
    i64 *to = items(larger), *from = items(G->events);
    for (i64 at = 0; at < room; at++) to[at] = from[at];
    for (i64 at = room; at < room * 2; at++) to[at] = 0;
    G->events = larger;
  }
  items(G->events)[G->told++] = value;
}

/* Begins an event of a site. Returns 0 if it is not recorded. In simulations with coverage, most events are
 * only counted. */
int EXPORT(begin_to_tell)(i64 place, int whole) {
  if (G->flags & COUNTING && !whole) {
    ((i64 *)(u32)layout.happened)[place]++;
    return 0;
  }
  tell(place);
  return 1;
}

/* -- snapshots -- */

/* Returns the size of a snapshot. Collects first if that is worth it. */
u32 EXPORT(size_of_game)(void) {
  if (G->top - G->clean > G->clean - layout.heap + 2048) clean_up();
  return (u32)G->top - STATE_AT;
}

void EXPORT(save_game)(u32 to, u32 size) { __builtin_memcpy((void *)to, (void *)STATE_AT, size); }

void EXPORT(load_game)(u32 from, u32 size) {
  grow_to(STATE_AT + size);
  __builtin_memcpy((void *)STATE_AT, (void *)from, size);
  forget();
}

/* Allocates bytes outside of games, for snapshots and data of the host. They are freed all at once. */
static u32 outside = HEAP_END;

/* Limits the memory. The host calls it before anything else. */
void EXPORT(keep_heap_below)(u32 end) { outside = heap_end = end; }

u32 EXPORT(take_space)(u32 bytes) {
  u32 at = outside;
  outside = (outside + bytes + 15) & ~15u;
  grow_to(outside);
  return at;
}

/* A number that changes when this space is freed. Generated code reads it too. */
__attribute__((used, visibility("default"))) i64 epoch = 1;

void EXPORT(free_space)(void) {
  outside = heap_end;
  epoch++;
}

/* Returns a copy of a block of words outside of games. */
i64 EXPORT(keep_outside)(i64 block) {
  u32 bytes = (u32)(length(block) + 1) * 8, at = take_space(bytes);
  __builtin_memcpy((void *)at, block_of(block), bytes);
  return as_block((void *)at);
}
