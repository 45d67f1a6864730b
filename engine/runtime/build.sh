#!/bin/sh
# Builds the runtime from the sources beside it, the same bytes wherever it is built: the compiler is that of one wheel.
# Usage: engine/runtime/build.sh [OUTPUT]; PYTHON names one that has the wheel (extra `test`).
set -eu
cd "$(dirname "$0")"
out=${1:-../rulewright/engine/wasm_backend/runtime.wasm}
zig="${PYTHON:-python3} -m ziglang"
made=$(mktemp -d)
export ZIG_GLOBAL_CACHE_DIR="$made/cache" ZIG_LOCAL_CACHE_DIR="$made/cache"
trap 'rm -rf "$made"' EXIT
for each in memory lists rng dice play lookahead determinize mcts bots forced_outcome playouts batch wide; do
  # Every book holds a runtime, so these are made small. Games of bots take no longer for it.
  case $each in bots | determinize | lookahead | playouts) level=-Os ;; *) level=-O3 ;; esac
  $zig cc --target=wasm32-freestanding -mcpu=mvp+bulk_memory+bulk_memory_opt+sign_ext+mutable_globals+nontrapping_fptoint \
    -std=c17 $level -Wall -Wextra -Werror -Wno-unused-function -fno-sanitize=all -fno-stack-protector -ffreestanding -g0 -c $each.c -o "$made/$each.o"
done
$zig wasm-ld --no-entry --stack-first -z stack-size=131072 --table-base=16 --strip-all --gc-sections \
  --export=layout --export=room --export=epoch --export=__heap_base --max-memory=2147483648 \
  "$made"/memory.o "$made"/lists.o "$made"/rng.o "$made"/dice.o "$made"/play.o "$made"/lookahead.o "$made"/determinize.o "$made"/mcts.o "$made"/bots.o "$made"/forced_outcome.o "$made"/playouts.o "$made"/batch.o "$made"/wide.o -o "$made/runtime.wasm"
cat "$made/runtime.wasm" >"$out"
