// Proportions and means with confidence intervals, and tests of their differences.

import { Z, wilson } from "../../../engine/rulewright/export/js/figures/wilson_interval.js";

/** A confidence level of 99.9 % instead of 95 %, for repeated looks that stop as soon as the result is clear. */
export const OFTEN = 3.290526731491894;

/**
 * Returns the interval of the difference of two proportions, second minus first, each as successes and trials.
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

/** Returns the number of values, their mean, and the margin of its 95 % interval, from values with their counts. */
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

// No line break between a number and its sign.
const APART = "\u00a0", MINUS = "\u2212";

/** Formats a proportion. */
export function percent(share) {
  const tenths = Math.round(share * 1000);
  if (tenths === 0 && share > 0) return `under${APART}0.1${APART}%`;
  if (tenths === 1000 && share < 1) return `over${APART}99.9${APART}%`;
  return `${(tenths / 10).toFixed(1)}${APART}%`;
}

/** Formats the interval of a change, with signs. */
export function moved(low, high, said) {
  const signed = (each) => `${each > 0 ? "+" : each < 0 ? MINUS : ""}${said(Math.abs(each))}`;
  return `${signed(low)} to ${signed(high)}`;
}

/** Formats a mean with its significant digits. */
export function figure(value) {
  return (Math.abs(value) >= 1000 ? String(Math.round(value)) : String(Number(value.toFixed(2)))).replace("-", MINUS);
}
