// Shares and means with the range in which they lie, and whether two of them differ.

import { Z, wilson } from "../../../engine/rulewright/export/js/figures/wilson_interval.js";

/** For whoever looks again and again, and stops at what looks clear: 999 of 1000 instead of 95 of 100. */
export const OFTEN = 3.290526731491894;

/**
 * The interval of the difference of two shares, the second less the first, each as successes and trials.
 * Source: R. G. Newcombe, Statistics in Medicine 17 (1998), 873-890, method 10.
 */
export function difference([one, ofOne], [other, ofOther], z = Z) {
  if (!ofOne || !ofOther) return [-1, 1];
  const p = one / ofOne, q = other / ofOther;
  const [lowOne, highOne] = wilson(one, ofOne, z), [lowOther, highOther] = wilson(other, ofOther, z);
  return [
    q - p - Math.hypot(q - lowOther, highOne - p),
    q - p + Math.hypot(highOther - q, p - lowOne),
  ];
}

/** How many values there are, their mean, and how far it may be off, 95 times of 100: of values with how often each came. */
export function meanOf(values) {
  let count = 0, sum = 0;
  for (const [value, times] of values) {
    count += times;
    sum += Number(value) * times;
  }
  const mean = count ? sum / count : 0;
  let squares = 0;
  for (const [value, times] of values) squares += (Number(value) - mean) ** 2 * times;
  return { count, mean, within: count > 1 ? Z * Math.sqrt(squares / (count - 1) / count) : Infinity };
}

// Between a figure and its sign no line is broken.
const APART = "\u00a0", MINUS = "\u2212";

/** A share in words. */
export function percent(share) {
  const tenths = Math.round(share * 1000);
  if (tenths === 0 && share > 0) return `under${APART}0.1${APART}%`;
  if (tenths === 1000 && share < 1) return `over${APART}99.9${APART}%`;
  return `${(tenths / 10).toFixed(1)}${APART}%`;
}

/** By how much something has moved: the range of it, each end with its sign. */
export function moved(low, high, said) {
  const signed = (each) => `${each > 0 ? "+" : each < 0 ? MINUS : ""}${said(Math.abs(each))}`;
  return `${signed(low)} to ${signed(high)}`;
}

/** A mean in words, with as many places as mean something. */
export function figure(value) {
  return (Math.abs(value) >= 1000 ? String(Math.round(value)) : String(Number(value.toFixed(2)))).replace("-", MINUS);
}
