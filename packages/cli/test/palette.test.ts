import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { shareLooks, verdictLooks, type Look } from '../src/call/palette.ts'
import { createPaint } from '../src/terminal/terminal.ts'

const consoleFile = (path: string): string =>
  readFileSync(new URL(`../../console/src/${path}`, import.meta.url), 'utf8')

type Colour = readonly [red: number, green: number, blue: number]

/** The values of a variable of the console: light, dark. */
function cssColours(variable: string): readonly Colour[] {
  return Array.from(
    consoleFile('app/theme.css').matchAll(new RegExp(`${variable}: #([0-9a-f]{6});`, 'g')),
    ([, hex]) => {
      const value = Number.parseInt(hex!, 16)
      return [value >> 16, (value >> 8) & 255, value & 255]
    },
  )
}

/** The colour of a terminal that a command paints with. */
function ansiColour({ colour }: Look): Colour {
  // oxlint-disable-next-line no-control-regex
  const number = Number(/^\u001b\[38;5;(\d+)mx\u001b\[39m$/.exec(createPaint(true)[colour]('x'))?.[1])
  if (number >= 232) return Array.from({ length: 3 }, () => 8 + 10 * (number - 232)) as unknown as Colour
  const level = (step: number): number => [0, 95, 135, 175, 215, 255][step % 6]!
  return [36, 6, 1].map((size) => level(Math.floor((number - 16) / size))) as unknown as Colour
}

function saturation(colour: Colour): number {
  return (Math.max(...colour) - Math.min(...colour)) / Math.max(...colour)
}

/** In degrees. */
function hueOf([red, green, blue]: Colour): number {
  const degrees = (Math.atan2(Math.sqrt(3) * (green - blue), 2 * red - green - blue) * 180) / Math.PI
  return (degrees + 360) % 360
}

function hueDistance(one: Colour, other: Colour): number {
  const distance = Math.abs(hueOf(one) - hueOf(other))
  return Math.min(distance, 360 - distance)
}

/** As WCAG 2 defines it. */
function contrast(colour: Colour, background: number): number {
  const [red, green, blue] = colour.map((value) =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
  ) as unknown as Colour
  const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05
  return Math.max(light, background + 0.05) / Math.min(light, background + 0.05)
}

/** Degrees between two hues that a person calls the same, with a bluish grey among them. */
const mostDistant = 35

/** Whether two colours have the same name to a person. */
function areAlike(one: Colour, other: Colour): boolean {
  const [isGrey, isOtherGrey] = [saturation(one) < 0.15, saturation(other) < 0.15]
  return isGrey || isOtherGrey ? isGrey === isOtherGrey : hueDistance(one, other) <= mostDistant
}

describe.each(Object.entries(verdictLooks))('%s', (verdict, look) => {
  test('has the colour of the console, light and dark', () => {
    const colours = cssColours(`--verdict-${verdict}`)
    expect(colours).toHaveLength(2)
    for (const colour of colours) expect(areAlike(ansiColour(look), colour)).toBe(true)
  })

  test('has the letter of the console', () => {
    const source = consoleFile('inspector/verdict.tsx')
    expect(new RegExp(`${verdict}: \\{\\s*letter: '(.)'`).exec(source)?.[1]).toBe(look.letter)
  })

  test('can be read on white and on black', () => {
    expect(contrast(ansiColour(look), 1)).toBeGreaterThanOrEqual(3)
    expect(contrast(ansiColour(look), 0)).toBeGreaterThanOrEqual(3)
  })
})

test.each(['system', 'tools', 'pinned', 'notes', 'outline', 'recalled', 'verbatim', 'latest'] as const)(
  'the share %s of the window has the colour of the console',
  (name) => {
    const [, variable] = new RegExp(`\\.pane-${name} \\{ --own: var\\((--[a-z-]+)\\)`).exec(
      consoleFile('inspector/inspector.css'),
    )!
    const colours = cssColours(variable!)
    expect(colours).toHaveLength(2)
    for (const colour of colours)
      expect(hueDistance(ansiColour(shareLooks[name]), colour)).toBeLessThanOrEqual(mostDistant)
    expect(
      Math.min(contrast(ansiColour(shareLooks[name]), 1), contrast(ansiColour(shareLooks[name]), 0)),
    ).toBeGreaterThanOrEqual(3)
  },
)

test('a colour of another name is not alike', () => {
  const [blue, amber, grey] = [
    ansiColour(verdictLooks.verbatim),
    ansiColour(verdictLooks.clipped),
    ansiColour(verdictLooks.omitted),
  ]
  expect([areAlike(blue, amber), areAlike(blue, grey), areAlike(blue, [36, 86, 199])]).toEqual([false, false, true])
})
