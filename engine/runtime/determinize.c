/* Determinization, as engine/rulewright/engine/narration/determinize.py defines it: everything hidden from the player who
 * decides becomes random, consistent with what the player knows. The random words are those of the bot, in the same order.
 *
 * What the rules fix is in blocks that engine/rulewright/engine/wasm_backend/codegen/guess_table.py writes.
 */
#include "determinize.h"

#define MOST_NESTED 8
enum { GAME, PLAYER };

/* The blocks. Of a count with parts, the count is the length of a block. */
struct guesses { i64 size, width, kinds, decks, procedures, calls; };
/* A hidden field of a kind. `owner` is the place of the field with the owner of its cards, or one of those below. */
struct field { i64 size, place, viewers, shown, type, rolls, answers, first, owner; };
enum { NO_OWNER, ITSELF = -1 };
/* A deck that all share, or that each object of `kind` has. Then the field at `seen` lists its cards. */
struct deck { i64 size, alike, cards, rows, fields, holders, kind, seen; };
struct pile { i64 size, place, hidden, sorted; };
struct holder { i64 size, kind, place, field, list, owner; };           /* a field that holds cards; `field` if it is hidden */
struct procedure { i64 size, words, slots, stops; };
struct slot { i64 size, slot, always, marker, type, rolls, answers, own; };
struct stop { i64 size, step, known, passed; };
enum { OTHER, TEXT, DICE, ROW, CHOICE, TRUTH, ENTITY, RATIO, LIST, MAP, RECORD }; /* types */
enum { TOLD, FIELD, EVERY };                                              /* sources */
enum { SLOT, PLAYERS, OF, NUMBER, SUM, DIFFERENCE };                      /* paths and bounds */
enum { NUMBERS, VALUES };                                                 /* answers */

#define AS(name, word) ((const struct name *)block_of(word))
static const struct guesses *data(void) { return AS(guesses, layout.guesses); }

/* -- the game in memory -- */

/* Returns the words of an object, its kind first, or 0 if it has left the game. */
static i64 *object_at(i64 number) {
  if (!number) return (i64 *)(u32)layout.game;
  if (number <= G->seats) return (i64 *)(u32)(layout.players + 8 * layout.player_size * (number - 1));
  i64 object = items(G->objects)[number];
  return object == NONE ? 0 : items(object);
}

static i64 kind_at(i64 number) { return !number ? GAME : number <= G->seats ? PLAYER : object_at(number)[0]; }
static i64 live_of(i64 kind) { return ((i64 *)(u32)layout.live)[kind]; }

static int contains(i64 list, i64 value) {
  for (i64 at = 0; at < length(list); at++)
    if (items(list)[at] == value) return 1;
  return 0;
}

/* Returns whether a value is a player, or a list with that player. */
static int includes(i64 value, i64 player) {
  return value == NONE ? 0 : is_block(value) ? contains(value, player) : value == player;
}

/* -- what the player knows, for all trials of a decision -- */

static int looked;
static u8 *hidden;       /* for each object, which of its fields are hidden from the player */
static u8 *names;        /* for each word of the frames, one of these */
enum { OPEN, UNKNOWN, KNOWN };
static i64 *packs;       /* the cards of each deck that the player sees nowhere, each after their number */
static i64 *left;        /* the same, without those that a determinization has used */
static u32 hidden_room, names_room, packs_room, packs_size;
static i64 owning;       /* the owner of cards that are guessed, or NONE */
static i64 looking = -1; /* the field whose viewers the rules are asked for, by its place in `hidden` */
static i64 *failed;      /* those for which they failed */
static i64 failed_room, failures;

void free_guesses(void) {
  hidden_room = names_room = packs_room = 0;
  failed_room = 0;
}

void begin_look(void) {
  looked = 0;
  failures = 0;
  looking = -1;
}

int give_up_look(void) {
  if (looking < 0) return 0;
  if (failures == failed_room) {
    i64 *before = failed;
    failed = (i64 *)take_space((u32)(8 * (failed_room = 2 * failed_room + 8)));
    __builtin_memcpy(failed, before, (u32)(8 * failures));
  }
  failed[failures++] = looking;
  looking = -1;
  return 1;
}

static u8 *room_for(u8 **at, u32 *room, u32 size) {
  if (size > *room) *at = (u8 *)take_space(*room = 2 * size);
  return *at;
}

static int is_hidden(i64 number, i64 field) { return hidden[number * data()->width + field]; }

static int may_see(i64 number, i64 player, const struct field *field, i64 place) {
  if (includes(object_at(number)[field->shown], player)) return 1;
  for (i64 at = 0; at < failures; at++)
    if (failed[at] == place) return 0;
  looking = place;
  G->work = layout.most_in_a_move;
  i64 viewers = SEERS(field->viewers, number);
  looking = -1;
  return includes(viewers, player);
}

static void look_at_fields(i64 player) {
  i64 width = data()->width;
  room_for(&hidden, &hidden_room, (u32)(G->made * width));
  for (i64 number = 0; number < G->made; number++) {
    if (!object_at(number)) continue;
    i64 fields = items(data()->kinds)[kind_at(number)];
    for (i64 at = 0; at < length(fields); at++) {
      i64 place = number * width + at;
      hidden[place] = (u8)!may_see(number, player, AS(field, items(fields)[at]), place);
    }
  }
}

/* Returns the value at a path or of a bound in the actual game, or NONE. */
static i64 reach(i64 path, i64 *frame) {
  i64 *parts = items(path);
  if (parts[0] == SLOT) return frame[parts[1]];
  if (parts[0] == PLAYERS) return live_of(PLAYER);
  if (parts[0] == NUMBER) return parts[1];
  if (parts[0] != OF) {
    i64 left = reach(parts[1], frame), right = reach(parts[2], frame);
    return left == NONE || right == NONE ? NONE : parts[0] == SUM ? left + right : left - right;
  }
  i64 number = parts[2] ? reach(parts[2], frame) : 0;
  i64 *object = number == NONE ? 0 : object_at(number);
  return object ? object[parts[1]] : NONE;
}

static int sees(i64 number, i64 field) { return object_at(number) && !is_hidden(number, field); }

static int has_seen(i64 source, i64 *frame, i64 player) {
  i64 *parts = items(source), live;
  switch (parts[0]) {
    case TOLD:
      for (i64 at = 1; at < length(source); at++)
        if (includes(reach(parts[at], frame), player)) return 1;
      return 0;
    case FIELD: {
      i64 number = parts[2] ? reach(parts[2], frame) : 0;
      return number != NONE && sees(number, parts[1]);
    }
  }
  if (parts[2] == GAME) return sees(0, parts[1]);
  live = live_of(parts[2]);
  for (i64 at = 0; at < length(live); at++)
    if (!sees(items(live)[at], parts[1])) return 0;
  return 1;
}

static int has_seen_all(i64 sources, i64 *frame, i64 player) {
  for (i64 at = 0; at < length(sources); at++)
    if (!has_seen(items(sources)[at], frame, player)) return 0;
  return 1;
}

/* The frames of running procedures, the outermost first. */
struct running { i64 *frame; const struct procedure *procedure; const struct stop *stop; u8 *names; };

static struct running frame_in(i64 at, i64 procedure) {
  struct running found = {(i64 *)(u32)at, AS(procedure, items(data()->procedures)[procedure]), 0, names + (at - layout.frames) / 8};
  i64 stops = found.procedure->stops;
  for (i64 each = 0; each < length(stops); each++)
    if (AS(stop, items(stops)[each])->step == found.frame[0]) found.stop = AS(stop, items(stops)[each]);
  return found;
}

static struct running outermost(void) { return frame_in(layout.frames, G->root); }
static int is_top(const struct running *at) { return (i64)(u32)at->frame >= G->frame; }
static struct running inner(const struct running *at) {
  return frame_in((i64)(u32)at->frame + 8 * at->procedure->words, items(data()->calls)[at->frame[0]]);
}

static i64 passed_by(const struct running *at) { return at->stop ? at->stop->passed : 0; }
static i64 passed_count(const struct running *at) { return passed_by(at) ? length(passed_by(at)) / 2 : 0; }

static void look_at_frame(const struct running *at, i64 player) {
  i64 slots = at->procedure->slots;
  for (i64 each = 0; each < length(slots); each++) {
    const struct slot *slot = AS(slot, items(slots)[each]);
    if (slot->always || at->frame[slot->marker] != NONE) at->names[slot->slot] = UNKNOWN;
  }
  for (i64 each = 0; at->stop && each < length(at->stop->known); each++) {
    i64 *known = items(items(at->stop->known)[each]);
    if (at->names[known[0]] == UNKNOWN && has_seen_all(known[1], at->frame, player)) at->names[known[0]] = KNOWN;
  }
}

/* A value passed from one procedure to the next is known in both or in neither. The inner frame comes first. */
static void look_at_frames(struct running at, i64 player) {
  look_at_frame(&at, player);
  if (is_top(&at)) return;
  struct running next = inner(&at);
  look_at_frames(next, player);
  for (i64 each = 0; each < passed_count(&at); each++) {
    i64 slot = items(passed_by(&at))[2 * each], place = items(passed_by(&at))[2 * each + 1];
    if (next.names[place] == KNOWN && at.names[slot] == UNKNOWN) at.names[slot] = KNOWN;
  }
}

static void hand_on(void) {
  for (struct running at = outermost(); !is_top(&at);) {
    struct running next = inner(&at);
    for (i64 each = 0; each < passed_count(&at); each++) {
      i64 slot = items(passed_by(&at))[2 * each], place = items(passed_by(&at))[2 * each + 1];
      if (at.names[slot] == KNOWN && next.names[place] == UNKNOWN) next.names[place] = KNOWN;
    }
    at = next;
  }
}

/* Each pack has these numbers first: how many cards there is room for, its own number of cards, the number of the deck's
 * cards that lie outside the piles and are not yet known or guessed, its deck, and the object that has it, or the game. */
enum { PACK_ROOM, PACK_SIZE, ABSENT, DECK, OWNER, CARDS };
static const struct deck *deck_at(i64 number) { return AS(deck, items(data()->decks)[number]); }
static i64 owners_of(const struct deck *deck) { return deck->seen ? length(live_of(deck->kind)) : 1; }
static i64 owner_at(const struct deck *deck, i64 at) { return deck->seen ? items(live_of(deck->kind))[at] : 0; }
static i64 all_cards(const struct deck *deck, i64 owner) { return deck->seen ? object_at(owner)[deck->seen] : deck->cards; }

static u32 size_of_packs(void) {
  u32 size = 0;
  for (i64 each = 0; each < length(data()->decks); each++)
    for (i64 at = 0; at < owners_of(deck_at(each)); at++)
      size += (u32)(8 * (CARDS + length(all_cards(deck_at(each), owner_at(deck_at(each), at)))));
  return size;
}

/* The packs lie one after the other, so that the next follows the cards of one. */
static i64 *next_pack(i64 *pack) { return pack + CARDS + pack[PACK_ROOM]; }
static int has_owner(const i64 *pack) { return deck_at(pack[DECK])->seen != 0; }

static i64 find_in(i64 *pack, i64 card) {
  for (i64 at = 0; at < pack[PACK_SIZE]; at++)
    if (pack[CARDS + at] == card) return at;
  return NONE;
}

static i64 remove_at(i64 *pack, i64 at) {
  i64 card = pack[CARDS + at];
  for (pack[PACK_SIZE]--; at < pack[PACK_SIZE]; at++) pack[CARDS + at] = pack[CARDS + at + 1];
  return card;
}

/* Returns the pack that a card outside the piles comes from, and counts the card, or returns 0. It is a pack of the owner
 * of the card, if there is one, and else the one with the most absent cards. A `seen` card must be in the pack. */
static i64 *pack_of(i64 *from, i64 decks, i64 card, i64 owner, int seen) {
  i64 *best = 0, *end = from + packs_size / 8;
  for (i64 *pack = from; pack < end; pack = next_pack(pack)) {
    if (!contains(decks, pack[DECK]) || (owner != NONE && has_owner(pack) && pack[OWNER] != owner)) continue;
    int fits = seen              ? find_in(pack, card) != NONE
               : !pack[PACK_SIZE] ? 0
                                 : length(decks) == 1 || has_owner(pack) || contains(deck_at(pack[DECK])->cards, card);
    if (!fits) continue;
    int own = pack[OWNER] == owner, best_is = best && best[OWNER] == owner;
    if (!best || own > best_is || (own == best_is && pack[ABSENT] > best[ABSENT])) best = pack;
  }
  if (best) best[ABSENT]--;
  return best;
}

/* Notes a card that the player sees: it is not in the pack. */
static void take_seen(i64 decks, i64 card, i64 owner) {
  i64 *pack = pack_of(packs, decks, card, owner, 1);
  if (pack) remove_at(pack, find_in(pack, card));
}

/* Returns the owner of the cards in a field of an object, or NONE if this is unknown. */
static i64 owner_in(i64 number, i64 owner) {
  return owner == ITSELF ? number : owner == NO_OWNER ? NONE : object_at(number)[owner];
}

static void lay_out_packs(void) {
  i64 *pack = packs;
  for (i64 each = 0; each < length(data()->decks); each++) {
    const struct deck *deck = deck_at(each);
    for (i64 at = 0; at < owners_of(deck); at++) {
      i64 owner = owner_at(deck, at), cards = all_cards(deck, owner);
      pack[PACK_ROOM] = pack[PACK_SIZE] = pack[ABSENT] = length(cards);
      pack[DECK] = each;
      pack[OWNER] = owner;
      for (i64 card = 0; card < length(cards); card++) pack[CARDS + card] = items(cards)[card];
      for (i64 pile = 0; pile < length(deck->fields); pile++)
        pack[ABSENT] -= length(object_at(owner)[AS(pile, items(deck->fields)[pile])->place]);
      pack = next_pack(pack);
    }
  }
}

static void look_at_cards(void) {
  packs_size = size_of_packs();
  if (!packs_size) return;
  if (packs_size > packs_room) {
    packs = (i64 *)take_space(packs_room = 2 * packs_size);
    left = (i64 *)take_space(packs_room);
  }
  lay_out_packs();
  for (i64 each = 0; each < length(data()->decks); each++) {
    const struct deck *deck = deck_at(each);
    if (items(deck->alike)[0] != each) continue; /* the first deck of a table is there for all of them */
    for (i64 number = 0; number < G->made; number++) {
      if (!object_at(number)) continue;
      for (i64 at = 0; at < length(deck->holders); at++) {
        const struct holder *holder = AS(holder, items(deck->holders)[at]);
        if (holder->kind != kind_at(number) || (holder->field >= 0 && is_hidden(number, holder->field))) continue;
        i64 value = object_at(number)[holder->place];
        if (value == NONE) continue;
        i64 owner = owner_in(number, holder->owner);
        if (!holder->list) take_seen(deck->alike, value, owner);
        for (i64 card = 0; holder->list && card < length(value); card++) take_seen(deck->alike, items(value)[card], owner);
      }
    }
  }
}

int find_known(void) {
  if (looked) return 0;
  i64 player = G->who;
  look_at_fields(player);
  u32 size = (u32)((G->frames_end - layout.frames) / 8);
  __builtin_memset(room_for(&names, &names_room, size), OPEN, size);
  look_at_frames(outermost(), player);
  hand_on();
  look_at_cards();
  return looked = 1;
}

/* -- random values -- */

static struct generator *words; /* the random words of the bot */
static i64 random_below(i64 number) { return (i64)below(words, (u64)number); }
static i64 any_of(i64 list) { return items(list)[random_below(length(list))]; }

static i64 roll_any(i64 rolls) {
  i64 roll = *(i64 *)(u32)any_of(rolls); /* a roll can vary, so the list has its address */
  struct generator dice = G->dice;
  G->dice = *words;
  i64 found = roll_total(roll);
  *words = G->dice;
  G->dice = dice;
  return found;
}

static i64 draw_from(i64 *pack) { return remove_at(pack, random_below(pack[PACK_SIZE])); }

/* Where visible values of the same field are: in the objects of a kind, at these places of maps. */
struct alike { i64 kind, index; const struct field *field; i64 depth, places[MOST_NESTED]; };

static i64 value_at(const struct alike *alike, i64 value) {
  for (i64 at = 0; at < alike->depth && value != NONE; at++) value = items(value)[alike->places[at]];
  return value;
}

/* Returns how many visible values there are, or the one with a number. */
static i64 visible_value(const struct alike *alike, i64 wanted) {
  i64 count = 0, seen = 0;
  for (i64 number = 0; number < G->made; number++) {
    if (!object_at(number) || kind_at(number) != alike->kind || is_hidden(number, alike->index)) continue;
    seen = 1;
    i64 value = value_at(alike, object_at(number)[alike->field->place]);
    if (value != NONE && count++ == wanted) return value;
  }
  if (!seen && value_at(alike, alike->field->first) != NONE && count++ == wanted) return value_at(alike, alike->field->first);
  return count;
}

/* Returns how many values a type has, as far as they can be listed, and the one with a number. */
static i64 count_values(const i64 *parts, i64 size) {
  return parts[0] == ROW ? parts[2] : parts[0] == CHOICE ? size - 1 : length(live_of(parts[1]));
}

static i64 listed_value(const i64 *parts, i64 at) {
  return parts[0] == ROW ? at : parts[0] == CHOICE ? parts[1 + at] : items(live_of(parts[1]))[at];
}

/* Returns a list of `count` random values in their order, or 0 if there are not so many. */
static i64 select_values(i64 type, i64 count) {
  i64 *parts = items(type), values = count_values(parts, length(type)), taken = 0;
  if (values < count || !values) return 0;
  i64 made = new_block(count);
  for (i64 at = 0; at < values; at++)
    if (random_below(values - at) < count - taken) items(made)[taken++] = listed_value(parts, at);
  return made;
}

/* Returns a random value of a type. Of `held`, only its presence and its length are used. */
static i64 any_value(i64 type, i64 held, struct alike *alike) {
  if (held == NONE) return NONE;
  i64 *parts = items(type);
  switch (parts[0]) {
    case LIST: case MAP: case RECORD: {
      i64 count = length(held), made = parts[0] == LIST && parts[2] ? select_values(parts[1], count) : 0;
      if (made) return made;
      made = new_block(count);
      struct alike *within = parts[0] == MAP && alike && alike->depth < MOST_NESTED ? alike : 0;
      if (within) within->depth++;
      for (i64 at = 0; at < count; at++) {
        if (within) within->places[within->depth - 1] = at;
        i64 value = any_value(parts[parts[0] == RECORD ? 1 + at : 1], items(held)[at], within);
        items(made)[at] = value;
      }
      if (within) within->depth--;
      return made;
    }
    case ROW: {
      i64 *pack = pack_of(left, parts[1], held, owning, 0); /* players know which deck a card was drawn from */
      return pack ? draw_from(pack) : random_below(parts[2]);
    }
    case CHOICE: return parts[1 + random_below(length(type) - 1)];
    case TRUTH: return random_below(2);
    case ENTITY: {
      i64 live = live_of(parts[1]), count = length(live), at = random_below(count ? count : 1);
      return count ? items(live)[at] : held;
    }
    case RATIO: return parts[1];
  }
  i64 likely = alike ? visible_value(alike, -1) : 0;
  if (likely) return visible_value(alike, random_below(likely));
  if (parts[0] == TEXT) return parts[1];
  if (!is_block(held)) return 0;
  return parts[0] == DICE && parts[1] ? *(i64 *)(u32)parts[1] : held;
}

/* Returns a random answer of decisions, or a list of as many as `held` has. */
static i64 any_answer(i64 answers, i64 held, i64 *frame) {
  if (held == NONE) return NONE;
  if (is_block(held)) {
    i64 count = length(held), made = new_block(count);
    for (i64 at = 0; at < count; at++) {
      i64 value = any_answer(answers, items(held)[at], frame);
      items(made)[at] = value;
    }
    return made;
  }
  i64 answer = any_of(answers), *parts = items(answer);
  if (parts[0] == VALUES) return parts[1 + random_below(length(answer) - 1)];
  i64 low = parts[1] ? reach(parts[1], frame) : NONE, high = parts[2] ? reach(parts[2], frame) : NONE;
  if (low == NONE) low = high == NONE ? 0 : high;
  if (high == NONE || high < low) high = low;
  return low + random_below(high - low + 1);
}

/* -- the parts of the game -- */

static void guess_fields(void) {
  for (i64 number = 0; number < G->made; number++) {
    if (!object_at(number)) continue;
    i64 kind = kind_at(number), fields = items(data()->kinds)[kind];
    for (i64 at = 0; at < length(fields); at++) {
      const struct field *field = AS(field, items(fields)[at]);
      if (!is_hidden(number, at)) continue;
      i64 held = object_at(number)[field->place];
      struct alike alike = {.kind = kind, .index = at, .field = field};
      owning = owner_in(number, field->owner);
      i64 value = field->rolls && held != NONE ? roll_any(field->rolls)
                  : field->answers             ? any_answer(field->answers, held, 0)
                                               : any_value(field->type, held, &alike);
      object_at(number)[field->place] = value;
    }
  }
  owning = NONE;
}

/* Fills each hidden deck with random unseen cards, as many as it has. A deck with an owner may have others besides. */
static void guess_decks(void) {
  for (i64 *pack = left, *end = left + packs_size / 8; pack < end; pack = next_pack(pack)) {
    const struct deck *deck = deck_at(pack[DECK]);
    for (i64 at = 0; at < length(deck->fields); at++) {
      const struct pile *pile = AS(pile, items(deck->fields)[at]);
      if (!pile->hidden) continue;
      i64 *place = object_at(pack[OWNER]) + pile->place, count = length(*place);
      if (!has_owner(pack) && pack[PACK_SIZE] < count) count = pack[PACK_SIZE];
      i64 made = new_block(count);
      for (i64 card = 0; card < count; card++) {
        i64 drawn = pack[PACK_SIZE] ? draw_from(pack) : random_below(deck->rows), to = card;
        /* Cards in unknown positions are in the order of the table. */
        for (; pile->sorted && to && items(made)[to - 1] > drawn; to--) items(made)[to] = items(made)[to - 1];
        items(made)[to] = drawn;
      }
      *place = made;
    }
  }
}

static i64 guess_name(const struct slot *slot, i64 *frame, i64 player) {
  i64 held = frame[slot->slot];
  if (!slot->always) {
    i64 count = held == NONE ? 0 : length(held), made = new_block(count);
    for (i64 at = 0; at < count; at++) items(made)[at] = any_of(G->options);
    return made;
  }
  if (slot->rolls && held != NONE) return roll_any(slot->rolls);
  i64 found = slot->answers ? any_answer(slot->answers, held, frame) : any_value(slot->type, held, 0);
  /* All players know their own choices. */
  if (slot->own && held != NONE && player <= length(held)) items(found)[player - 1] = items(held)[player - 1];
  return found;
}

static void guess_names(void) {
  struct running at = outermost(), before = at;
  for (int first = 1;; first = 0) {
    i64 slots = at.procedure->slots;
    for (i64 each = 0; each < length(slots); each++) {
      const struct slot *slot = AS(slot, items(slots)[each]);
      if (at.names[slot->slot] != UNKNOWN) continue;
      int handed = 0;
      for (i64 pair = 0; !first && pair < passed_count(&before); pair++)
        if (items(passed_by(&before))[2 * pair + 1] == slot->slot) {
          at.frame[slot->slot] = before.frame[items(passed_by(&before))[2 * pair]];
          handed = 1;
        }
      if (!handed) at.frame[slot->slot] = guess_name(slot, at.frame, G->who);
    }
    if (is_top(&at)) return;
    before = at;
    at = inner(&at);
  }
}

void determinize(struct generator *of_bot) {
  words = of_bot;
  __builtin_memcpy(left, packs, size_of_packs());
  guess_fields();
  guess_decks();
  guess_names();
  /* Whatever formulas have kept may be of other values now. */
  __builtin_memset((i64 *)(u32)layout.live + layout.kinds, 0, (u32)(8 * layout.kept));
}
