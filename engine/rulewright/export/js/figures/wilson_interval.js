// The confidence interval of a proportion.

/** The standard score for a confidence level of 95 %. */
export const Z = 1.959963984540054;

/** Returns the Wilson score interval of a proportion. Source: E. B. Wilson, JASA 22 (1927), 209-212. */
export function wilson(successes, trials, z = Z) {
  if (!trials) return [0, 1];
  const share = successes / trials, spread = (z * z) / trials;
  const middle = (share + spread / 2) / (1 + spread);
  const reach = (z * Math.sqrt((share * (1 - share)) / trials + spread / (4 * trials))) / (1 + spread);
  return [successes ? middle - reach : 0, successes === trials ? 1 : middle + reach];
}
