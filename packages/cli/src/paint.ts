/**
 * Puts colours on text, or leaves it as it is. Only those that can be read on a light background and on a dark one:
 * blue drowns on black and yellow on white, so yellow is for single marks beside text that says the same.
 */
export interface Paint {
  readonly plain: (text: string) => string
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly red: (text: string) => string
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
  readonly magenta: (text: string) => string
  readonly cyan: (text: string) => string
}

export function createPaint(coloured: boolean): Paint {
  const style = (on: number, off: number) => (text: string) =>
    coloured && text !== '' ? `\u001b[${on}m${text}\u001b[${off}m` : text
  return {
    plain: (text) => text,
    bold: style(1, 22),
    dim: style(2, 22),
    red: style(31, 39),
    green: style(32, 39),
    yellow: style(33, 39),
    magenta: style(35, 39),
    cyan: style(36, 39),
  }
}
