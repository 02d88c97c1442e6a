// How sure is a share of right answers? Intervals for one share, and a test for two that were asked the same questions.

/** Wilson's interval for `right` of `asked`, at 95 per cent, in per cent. */
export function interval(right: number, asked: number): readonly [low: number, high: number] {
  const z = 1.96
  const share = right / asked
  const middle = share + (z * z) / (2 * asked)
  const spread = z * Math.sqrt((share * (1 - share)) / asked + (z * z) / (4 * asked * asked))
  const scale = 100 / (1 + (z * z) / asked)
  return [Math.max(0, scale * (middle - spread)), Math.min(100, scale * (middle + spread))]
}

/**
 * The two-sided sign test: how likely questions that only one of two got right fall apart at least like this, if both
 * were equally good.
 */
export function signTest(onlyOne: number, onlyOther: number): number {
  const all = onlyOne + onlyOther
  let tail = 0
  for (let count = 0; count <= Math.min(onlyOne, onlyOther); count++) tail += choose(all, count) / 2 ** all
  return Math.min(1, 2 * tail)
}

function choose(all: number, some: number): number {
  let product = 1
  for (let index = 1; index <= some; index++) product *= (all - some + index) / index
  return product
}
