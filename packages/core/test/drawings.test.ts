import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { filesBelow, root } from '../../../tests/support/workshop.ts'
import { drawingFiles, wrongFiles } from '../../../docs/drawings/draw.ts'

const folder = mkdtempSync(join(tmpdir(), 'minutebook-drawings-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const pages = filesBelow(join(root, 'docs'))
  .filter((file) => file.endsWith('.md'))
  .map((file) => readFileSync(join(root, 'docs', file), 'utf8'))
  .join('\n')

describe('drawings', () => {
  test('are as their script draws them', () => expect(wrongFiles(join(root, 'docs/drawings'))).toEqual([]))

  test('are all shown on a page, light and dark, with a description', () => {
    const shown = new Set([...pages.matchAll(/drawings\/([\w-]+\.svg)/g)].map(([, file]) => file))
    expect([...drawingFiles.keys()].filter((file) => !shown.has(file))).toEqual([])
    expect(
      [...pages.matchAll(/<img alt="([^"]*)" src="[^"]*drawings\//g)].filter(([, words = '']) => words.length < 5),
    ).toEqual([])
  })

  test('the animation shows its last scene where nothing moves, and there an old message is recalled', () => {
    const svg = drawingFiles.get('window-light.svg')!
    const scenes = [...svg.matchAll(/^<g id="(s\d+)"( opacity="0")?>(.*)<\/g>$/gm)]
    expect(scenes.filter(([, , hidden]) => hidden === undefined).map(([, id]) => id)).toEqual([scenes.at(-1)?.[1]])
    expect(scenes.at(-1)?.[3]).toContain('>recalled</text>')
    const animated = /<style>@media\(prefers-reduced-motion:no-preference\)\{(.*)\}<\/style>/.exec(svg)?.[1]
    expect([...(animated ?? '').matchAll(/#(s\d+)\{animation:/g)].map(([, id]) => id)).toEqual(
      scenes.map(([, id]) => id),
    )
  })

  test('one that was changed, and one that is missing, are found', () => {
    for (const [file, svg] of drawingFiles) writeFileSync(join(folder, file), svg)
    expect(wrongFiles(folder)).toEqual([])
    writeFileSync(join(folder, 'crash-dark.svg'), '<svg/>')
    rmSync(join(folder, 'state-light.svg'))
    expect(wrongFiles(folder)).toEqual(['crash-dark.svg', 'state-light.svg'])
  })
})
