import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { importsOf, withoutComments } from '../../../tests/support/code.ts'
import { filesBelow } from '../../../tests/support/workshop.ts'
import { consoleFolder } from '../../../tests/support/browser/built.ts'

type Sources = ReadonlyMap<string, string>

const folder = join(consoleFolder, 'src')
const sources: Sources = new Map(
  filesBelow(folder)
    .filter((file) => /\.(?:css|tsx?)$/.test(file))
    .map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
)

describe('colours', () => {
  test('are written in app/theme.css alone', () => {
    expect(coloursOutside(sources)).toEqual([])
    expect(coloursIn('theme.css', sources.get('app/theme.css') ?? '').length).toBeGreaterThan(40)
  })

  test('until the scripts run, are those of the dark theme if the system is dark', () => {
    const [dark, early] = [/\[data-theme='dark'\] \{([^}]*)\}/, /:not\(\[data-theme\]\) \{([^}]*)\}/].map((block) =>
      (block.exec(sources.get('app/theme.css') ?? '')?.[1] ?? '').split(';').map((line) => line.trim()),
    )
    expect(early!.length).toBeGreaterThan(5)
    expect(dark).toEqual(expect.arrayContaining(early!))
  })

  test.each([
    ['a.css', '.a { color: #fff; }', '#fff'],
    ['a.css', '.a { background: rgb(0 0 0 / 40%); }', 'rgb('],
    ['a.css', '.a { background: oklch(50% 0.1 20); }', 'oklch('],
    ['a.css', '.a { border: 1px solid red; }', 'red'],
    ['a.css', '.a { fill: color-mix(in srgb, white 9%, var(--surface)); }', 'white'],
    ['a.tsx', '<rect fill="#2456c7" />', '#2456c7'],
    ['a.tsx', `<rect style={{ color: 'tomato' }} />`, 'tomato'],
    ['a.tsx', '<p className="bg-black/40" />', 'bg-black'],
    ['a.tsx', '<p className="hover:text-red-500" />', 'text-red-500'],
    ['a.tsx', '<p className="text-[#fff]" />', '#fff'],
  ])('%s: %s', (file, text, colour) => {
    expect(coloursOutside(new Map([[file, text]]))).toEqual([`${file}:1: ${colour}`])
  })

  test.each([
    ['a.css', '.red { color: var(--red); background: transparent; } /* #fff */'],
    ['a.css', '.a { fill: color-mix(in srgb, var(--own) 9%, var(--surface)); }'],
    ['a.tsx', '<a href="#main" className="bg-accent text-on-accent border-transparent">#{seq} red</a> // red'],
    ['a.tsx', `<svg stroke="currentColor" fill="none" />`],
    ['app/theme.css', ':root { --page: #f6f6f4; }'],
  ])('but not %s: %s', (file, text) => {
    expect(coloursOutside(new Map([[file, text]]))).toEqual([])
  })
})

/** A verdict is told by its colour, its pattern and its letter; each of them is written once. */
test('letters of verdicts and of panes are written in one file each, none in a style sheet', () => {
  const letters = [...sources].filter(([, text]) => /\bletter: '/.test(text)).map(([file]) => file)
  expect(letters).toEqual(['inspector/pane.ts', 'inspector/verdict.tsx'])
  const styles = [...sources].filter(([file]) => file.endsWith('.css'))
  expect(styles.filter(([, text]) => /content:\s*['"][^'"]/.test(text)).map(([file]) => file)).toEqual([])
})

describe('the server is asked by the hooks of api/', () => {
  test('and by nobody else', () => expect(askingOutside(sources)).toEqual([]))

  test.each([
    [`import { useQuery } from '@tanstack/react-query'`, 'runs/a.tsx imports useQuery'],
    [`import { useClient } from '../api/api.tsx'`, 'runs/a.tsx imports useClient'],
    ['const answer = await fetch(url)', 'runs/a.tsx calls fetch'],
  ])('%s', (text, finding) => {
    expect(askingOutside(new Map([['runs/a.tsx', text]]))).toEqual([finding])
    expect(askingOutside(new Map([['api/a.tsx', text]]))).toEqual([])
  })
})

function coloursOutside(files: Sources): string[] {
  return [...files]
    .filter(([file]) => file !== 'app/theme.css')
    .flatMap(([file, text]) => coloursIn(file, text).map(([line, colour]) => `${file}:${line}: ${colour}`))
}

/** By line. A name counts as a value of a style sheet, as a whole text of a script, and in a class of Tailwind. */
function coloursIn(file: string, text: string): (readonly [line: number, colour: string])[] {
  const patterns = file.endsWith('.css') ? [code, word] : [code, literal, classes]
  const lines = (file.endsWith('.css') ? valuesIn(text) : withoutComments(text)).split('\n')
  return lines.flatMap((line, index) =>
    patterns.flatMap((pattern) => matches(line, pattern)).map((colour) => [index + 1, colour] as const),
  )
}

/** A style sheet with all but the values of its declarations blanked, and in these the names of variables. */
function valuesIn(text: string): string {
  const bare = text.replaceAll(/\/\*[\s\S]*?\*\//g, blank)
  let shown = ''
  for (const { index, 1: value = '' } of bare.matchAll(/:([^;{}]*)(?=[;}])/g))
    shown += blank(bare.slice(shown.length, index + 1)) + value.replaceAll(/--[\w-]+/g, blank)
  return shown + blank(bare.slice(shown.length))
}

const blank = (comment: string): string => comment.replaceAll(/[^\n]/g, ' ')
const matches = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([found]) => found)

const code = /#[0-9a-f]{3,8}(?![\w-])|\b(?:rgba?|hsla?|hwb|(?:ok)?lab|(?:ok)?lch|color)\((?=[\w\s.-]*\d)/gi
const classes =
  /\b(?:bg|text|border|ring|fill|stroke|from|via|to|outline|decoration|accent|caret|shadow|divide|placeholder)-(?:black|white|(?:slate|gray|zinc|neutral|stone|red|orange|amber|yellow|lime|green|emerald|teal|cyan|sky|blue|indigo|violet|purple|fuchsia|pink|rose)-\d+)\b/g
/** All names that CSS has. */
const names = (
  'aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown ' +
  'burlywood cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan ' +
  'darkgoldenrod darkgray darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid ' +
  'darkred darksalmon darkseagreen darkslateblue darkslategray darkslategrey darkturquoise darkviolet ' +
  'deeppink deepskyblue dimgray dimgrey dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro ' +
  'ghostwhite gold goldenrod gray green greenyellow grey honeydew hotpink indianred indigo ivory khaki ' +
  'lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow ' +
  'lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray ' +
  'lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon mediumaquamarine ' +
  'mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise ' +
  'mediumvioletred midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab ' +
  'orange orangered orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru ' +
  'pink plum powderblue purple rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen ' +
  'seashell sienna silver skyblue slateblue slategray slategrey snow springgreen steelblue tan teal thistle ' +
  'tomato turquoise violet wheat white whitesmoke yellow yellowgreen'
)
  .split(' ')
  .join('|')

const word = new RegExp(`(?<![\\w-])(?:${names})(?![\\w-])`, 'gi')
const literal = new RegExp(`(?<=['"])(?:${names})(?=['"])`, 'gi')

/** `app/app.tsx` makes the client and the queries; the lab asks its own worker. */
const exempt: ReadonlySet<string> = new Set(['app/app.tsx', 'lab/use-lab.ts'])

function askingOutside(files: Sources): string[] {
  return [...files]
    .filter(([file]) => /\.tsx?$/.test(file) && !file.startsWith('api/') && !exempt.has(file))
    .flatMap(([file, text]) => {
      const queries = importsOf(text).some(({ specifier }) => specifier === '@tanstack/react-query')
      const bare = withoutComments(text)
      return [
        ...(queries ? matches(bare, /\buse(?:Query|Mutation|InfiniteQuery|QueryClient)\b/g).slice(0, 1) : []).map(
          (name) => `${file} imports ${name}`,
        ),
        ...matches(bare, /\b(?:useClient|unwrap|apiFetch)\b/g)
          .slice(0, 1)
          .map((name) => `${file} imports ${name}`),
        ...matches(bare, /(?<![\w.])fetch(?=\()/g)
          .slice(0, 1)
          .map((name) => `${file} calls ${name}`),
      ]
    })
}
