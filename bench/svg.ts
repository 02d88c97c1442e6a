/** What all drawings share: text and lines in the reader's own light or dark. */
export const style = `
  .ground { fill: #ffffff } text { fill: #1f2328; font: 12px system-ui, sans-serif } .title { font-size: 15px; font-weight: 600 } .heading { font-weight: 600; font-size: 13px }
  .quiet { fill: #59636e } .grid { stroke: #d1d9e0; stroke-width: 1 } .label { paint-order: stroke; stroke: #ffffff; stroke-width: 3px; stroke-linejoin: round } .strong { font-weight: 600 }
  @media (prefers-color-scheme: dark) { .ground { fill: #0d1117 } text { fill: #f0f6fc } .quiet { fill: #9198a1 } .grid { stroke: #30363d } .label { stroke: #0d1117 } }
`

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

/** One decimal is enough for a place in a drawing. */
export function rounded(value: number): number {
  return Math.round(value * 10) / 10
}
