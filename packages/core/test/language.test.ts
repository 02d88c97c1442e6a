import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Finding, rules, stumbles } from './support/plain-english.ts'
import { filesBelow, root } from '../../../tests/support/workshop.ts'

const findings = new Map(filesWithProse().map((file) => [file, stumbles(file, readFileSync(join(root, file), 'utf8'))]))

describe('plain English', () => {
  test('in the documentation, and in the comments, texts and labels of every package', () => {
    expect([...findings].flatMap(([file, all]) => all.map((one) => textOf(file, one)))).toEqual([])
  })

  test('covers what it should', () => {
    const files = [...findings.keys()]
    expect(files).toEqual(
      expect.arrayContaining([
        'README.md',
        'docs/guide.md',
        'packages/cli/README.md',
        'packages/console/src/app/app.tsx',
      ]),
    )
    expect(files.length).toBeGreaterThan(400)
  })
})

describe('each rule', () => {
  test.each(rules)('$instead: finds "$bad"', ({ pattern, bad, good }) => {
    expect(pattern.test(bad)).toBe(true)
    expect(rules.filter((rule) => rule.pattern.test(good)).map(({ instead }) => instead)).toEqual([])
  })
})

describe('the prose of a file', () => {
  const linesOf = (file: string, text: string): string[] => stumbles(file, text).map((one) => textOf(file, one))

  test('is in comments, texts and labels, not in code', () => {
    const text = [
      'const nobody = heed(anew) // mended',
      'const text = `It heeds ${nobody}.`',
      '/**',
      ' * The newest unless',
      ' * told.',
      ' */',
      'const label = <p title="On record">Nobody {nobody} is here</p>',
    ].join('\n')
    expect(linesOf('a.tsx', text)).toEqual([
      'a.tsx:1: "mended": write fix',
      'a.tsx:2: "heeds": write follow, apply',
      'a.tsx:4: "unless told": write Default: …',
      'a.tsx:7: "Nobody": write name the actor, or "no client", "no process"',
      'a.tsx:7: "On record": write recorded',
    ])
  })

  test('is what Markdown has outside of code and addresses', () => {
    const text = 'Not `nobody`, nor [this](nobody.md).\n```\nnobody\n```\nBut nobody.'
    expect(linesOf('a.md', text)).toEqual(['a.md:5: "nobody": write name the actor, or "no client", "no process"'])
  })
})

function textOf(file: string, { line, text, instead }: Finding): string {
  return `${file}:${line}: "${text}": write ${instead}`
}

function filesWithProse(): string[] {
  // Core's README is a copy of the one at the top, which packing leaves there.
  const packages = filesIn('packages', /^(?!core\/README)[^/]+\/(?:README\.md|src\/.+\.tsx?)$/)
  return ['README.md', 'CONTRIBUTING.md', 'CONTEXT.md', ...filesIn('docs', /\.md$/), ...packages]
}

function filesIn(folder: string, pattern: RegExp): string[] {
  return filesBelow(join(root, folder))
    .filter((file) => pattern.test(file) && !file.includes('node_modules/'))
    .map((file) => `${folder}/${file}`)
}
