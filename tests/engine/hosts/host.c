/* Plays a whole game in C, on the runtime of the wasmtime wheel, by nothing but what the export says of its memory.
 *
 * `layout.h` is what a build makes of `rules.json`: addresses, words, and the events with how many details each has.
 * At each decision it takes the option whose place is the number of the stop, as far as there are so many; it prints
 * who takes what, the rule of every event, and who has won. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layout.h"

/* The wheel brings the library without its headers. This is as much of them as is used here. */
typedef struct { uint64_t words[2]; } instance_t;
typedef struct { uint64_t kind, of[3]; } extern_t;
typedef struct { uint8_t kind; union { int32_t i32; int64_t i64; uint64_t words[3]; } of; } value_t;
typedef struct { size_t size; char *data; } name_t;
void *wasm_engine_new(void);
void *wasmtime_store_new(void *engine, void *data, void (*finalizer)(void *));
void *wasmtime_store_context(void *store);
void *wasmtime_module_new(void *engine, const uint8_t *code, size_t size, void **module);
void *wasmtime_instance_new(void *context, void *module, const extern_t *imports, size_t count, instance_t *made, void **trap);
bool wasmtime_instance_export_get(void *context, const instance_t *of, const char *name, size_t length, extern_t *found);
void *wasmtime_func_call(void *context, const void *func, const value_t *given, size_t count, value_t *got, size_t gets, void **trap);
uint8_t *wasmtime_memory_data(void *context, const void *memory);
void wasmtime_error_message(const void *error, name_t *message);

static void *context;
static instance_t instance;
static extern_t memory;

static void need(bool holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "%s\n", what);
  exit(1);
}

static int64_t *word(uint64_t at) { return (int64_t *)(wasmtime_memory_data(context, memory.of) + at); }
static int64_t *block(int64_t value) { return word((uint32_t)value); } /* how many values it has, and then these */

/* A call: `kinds` says of each argument whether it has 32 bits (`i`) or 64 (`l`), and of what comes back (`-`: nothing). */
static int64_t call(const char *name, const char *kinds, char back, const int64_t *given) {
  extern_t found;
  value_t arguments[8] = {0}, got = {0};
  size_t count = strlen(kinds);
  void *trap = NULL;
  need(wasmtime_instance_export_get(context, &instance, name, strlen(name), &found), name);
  for (size_t at = 0; at < count; at++) {
    arguments[at].kind = kinds[at] == 'l';
    if (kinds[at] == 'l') arguments[at].of.i64 = given[at];
    else arguments[at].of.i32 = (int32_t)given[at];
  }
  void *error = wasmtime_func_call(context, found.of, arguments, count, &got, back != '-', &trap);
  if (error || trap) {
    fprintf(stderr, "%s: fault %lld at rule %lld\n", name, (long long)*word(AT_FAULT), (long long)*word(AT_RULE));
    exit(1);
  }
  return back == 'l' ? got.of.i64 : got.of.i32;
}

/* Tells of what happened since, and has the place for it free again. */
static void tell(void) {
  int64_t told = *word(AT_TOLD), *events = block(*word(AT_EVENTS)) + 1;
  for (int64_t at = 0; at < told; at += 1 + EVENT_DETAILS[events[at]]) printf("event %s\n", EVENT_RULES[events[at]]);
  *word(AT_TOLD) = 0;
}

int main(int count, char **arguments) {
  need(count == 3, "host RULES.WASM SEED");
  FILE *file = fopen(arguments[1], "rb");
  need(file, arguments[1]);
  static uint8_t code[4 << 20];
  size_t size = fread(code, 1, sizeof code, file);
  void *engine = wasm_engine_new(), *store = wasmtime_store_new(engine, NULL, NULL), *module = NULL, *trap = NULL;
  context = wasmtime_store_context(store);
  need(!wasmtime_module_new(engine, code, size, &module), "this is no module");
  need(!wasmtime_instance_new(context, module, NULL, 0, &instance, &trap) && !trap, "it cannot be made");
  need(wasmtime_instance_export_get(context, &instance, "memory", 6, &memory), "memory");

  /* A game about to begin: its words, what is to be recorded and rolled by the module itself, and its dice. */
  memcpy(word(STATE), FRESH, sizeof FRESH);
  *word(AT_FLAGS) = RECORDING | SAMPLING;
  char seed[64];
  snprintf(seed, sizeof seed, "i%s", arguments[2]);
  int64_t texts = call("take_space", "i", 'i', (int64_t[]){128});
  memcpy(word((uint64_t)texts), seed, strlen(seed));
  memcpy((char *)word((uint64_t)texts) + 64, "dice", 4);
  call("seed_dice", "iiliil", '-', (int64_t[]){texts, (int64_t)strlen(seed), -1, texts + 64, 4, 0});
  call("begin", "l", 'i', (int64_t[]){START});

  for (int64_t stop = 0; *word(AT_MODE) == DECISION; stop++) {
    tell();
    int64_t *options = block(*word(AT_OPTIONS)), taken = stop % options[0];
    printf("player %lld takes %s\n", (long long)*word(AT_WHO), WORDS[options[1 + taken]]);
    call("choose", "l", 'i', &taken);
  }
  tell();
  int64_t *winners = block(*word(AT_WINNERS));
  for (int64_t at = 1; at <= winners[0]; at++) printf("won by %lld\n", (long long)winners[at]);
  return 0;
}
