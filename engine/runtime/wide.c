/* 128-bit arithmetic and memory moves, which the compiler requires under these names. */
#include "runtime.h"

typedef union { i128 whole; struct { u64 low; i64 high; } half; } wide;

i128 __multi3(i128 one, i128 other) {
  wide a = {one}, b = {other}, made;
  u64 mask = 0xffffffffULL;
  u64 low = (a.half.low & mask) * (b.half.low & mask);
  u64 carry = low >> 32;
  low &= mask;
  carry += (a.half.low >> 32) * (b.half.low & mask);
  low += (carry & mask) << 32;
  u64 high = carry >> 32;
  carry = low >> 32;
  low &= mask;
  carry += (b.half.low >> 32) * (a.half.low & mask);
  low += (carry & mask) << 32;
  high += carry >> 32;
  high += (a.half.low >> 32) * (b.half.low >> 32);
  made.half.low = low;
  made.half.high = (i64)(high + (u64)a.half.high * b.half.low + a.half.low * (u64)b.half.high);
  return made.whole;
}

typedef unsigned __int128 u128;

static u128 long_division(u128 over, u128 under, u128 *rest) {
  u128 quotient = 0, left = 0;
  for (int bit = 127; bit >= 0; bit--) {
    left = left << 1 | (over >> bit & 1);
    if (left >= under) {
      left -= under;
      quotient |= (u128)1 << bit;
    }
  }
  *rest = left;
  return quotient;
}

i128 __divti3(i128 over, i128 under) {
  u128 rest, found = long_division(over < 0 ? -(u128)over : (u128)over, under < 0 ? -(u128)under : (u128)under, &rest);
  return (over < 0) != (under < 0) ? -(i128)found : (i128)found;
}

i128 __modti3(i128 over, i128 under) {
  u128 rest;
  long_division(over < 0 ? -(u128)over : (u128)over, under < 0 ? -(u128)under : (u128)under, &rest);
  return over < 0 ? -(i128)rest : (i128)rest;
}

u128 __ashlti3(u128 value, int by);
u128 __lshrti3(u128 value, int by);

u128 __ashlti3(u128 value, int by) {
  union { u128 whole; struct { u64 low, high; } half; } a = {value};
  if (by >= 64) { a.half.high = a.half.low << (by - 64); a.half.low = 0; }
  else if (by) { a.half.high = a.half.high << by | a.half.low >> (64 - by); a.half.low <<= by; }
  return a.whole;
}

u128 __lshrti3(u128 value, int by) {
  union { u128 whole; struct { u64 low, high; } half; } a = {value};
  if (by >= 64) { a.half.low = a.half.high >> (by - 64); a.half.high = 0; }
  else if (by) { a.half.low = a.half.low >> by | a.half.high << (64 - by); a.half.high >>= by; }
  return a.whole;
}

void *memmove(void *to, const void *from, unsigned long size) {
  u8 *a = to;
  const u8 *b = from;
  if (a < b)
    for (unsigned long at = 0; at < size; at++) a[at] = b[at];
  else
    while (size--) a[size] = b[size];
  return to;
}

void *memcpy(void *to, const void *from, unsigned long size) { return memmove(to, from, size); }

void *memset(void *to, int byte, unsigned long size) {
  for (u8 *at = to; size--; at++) *at = (u8)byte;
  return to;
}
