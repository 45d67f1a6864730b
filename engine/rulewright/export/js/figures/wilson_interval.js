// The confidence interval of a share.

/** The standard score of a confidence of 95 %. */
export const Z = 1.959963984540054;

/** The Wilson score interval of a share. Source: E. B. Wilson, JASA 22 (1927), 209-212. */
export function wilson(successes, trials, z = Z) {
  if (!trials) return [0, 1];
  const share = successes / trials, spread = (z * z) / trials;
  const middle = (share + spread / 2) / (1 + spread);
  const reach = (z * Math.sqrt((share * (1 - share)) / trials + spread / (4 * trials))) / (1 + spread);
  return [successes ? middle - reach : 0, successes === trials ? 1 : middle + reach];
}
