import { colours, type Colour, type Drawing, type Shape } from './shape.ts'

/**
 * A drawing as an SVG file that needs nothing else: its own colours and fonts, a light ground, no script, and texts that
 * are only texts.
 *
 * @example
 * svgText(drawingOf(figure, 720), { title: 'cash', colourOf: (name) => colours.get(name) ?? 'black' })
 */
export function svgText(
  { width, height, shapes }: Drawing,
  { title, colourOf }: { readonly title: string; readonly colourOf: (name: Colour) => string },
): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="Helvetica, Arial, sans-serif">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="${escaped(colourOf('surface'))}"/>`,
    ...shapes.map((shape) => element(shape, colourOf)),
    '</svg>',
    '',
  ].join('\n')
}

/** The colours of the light theme, whichever is shown: paper is white. */
export function paperColours(): (name: Colour) => string {
  const sheet = document.createElement('div')
  sheet.className = 'on-paper'
  sheet.hidden = true
  document.body.append(sheet)
  const style = getComputedStyle(sheet)
  const read = new Map<Colour, string>()
  for (const name of colours) read.set(name, style.getPropertyValue(`--${name}`).trim())
  sheet.remove()
  return (name) => read.get(name) ?? 'currentColor'
}

function element({ tag, at, stroke, fill, text }: Shape, colourOf: (name: Colour) => string): string {
  const attributes = Object.entries({
    ...at,
    fill: fill === undefined ? 'none' : colourOf(fill),
    ...(stroke !== undefined && { stroke: colourOf(stroke) }),
  })
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join('')
  return text === undefined ? `<${tag}${attributes}/>` : `<${tag}${attributes}>${escaped(text)}</${tag}>`
}

function escaped(text: string): string {
  return text.replace(notOfXml, '\ufffd').replace(/[&<>"']/g, (character) => entities[character]!)
}

/** What no XML file may have, not even written as a number. */
const notOfXml = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
