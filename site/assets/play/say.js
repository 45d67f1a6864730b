// Messages in the language of the page, and counts and numbers in them.

import "../say.js";

export const say = globalThis.rulewrightSay;

/** Formats a count by one of two messages with `%(count)s`. */
export function sayCount(count, one, several) {
  return (count === 1 ? one : several).replace("%(count)s", count);
}

/** Formats a number with the decimal separator and the minus sign of the page. */
export const figure = (number) => String(number).replace("-", "\u2212").replace(".", say("."));
