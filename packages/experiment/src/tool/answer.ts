/**
 * What was answered, for expressions to look into: a text that is JSON of a list or a map is that; any other is itself.
 */
export function answerIn(answer: unknown): unknown {
  if (typeof answer !== 'string' || !/^\s{0,100}[[{]/.test(answer)) return answer
  try {
    return JSON.parse(answer) as unknown
  } catch {
    return answer
  }
}
