/** A count for people: 12,345. */
export function grouped(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

/** A part of a whole for people: 12.5%. */
export function percentOf(part: number, whole: number): string {
  if (whole <= 0) return '0%'
  const share = (100 * part) / whole
  return `${share > 0 && share < 10 ? share.toFixed(1) : Math.round(share)}%`
}

/** A difference with its sign: +3%, −12%. */
export function signedPercent(share: number): string {
  const rounded = Math.round(share * 1000) / 10
  return `${rounded > 0 ? '+' : rounded < 0 ? '−' : ''}${Math.abs(rounded)}%`
}

export function plural(count: number, one: string, many: string): string {
  return `${grouped(count)} ${count === 1 ? one : many}`
}
