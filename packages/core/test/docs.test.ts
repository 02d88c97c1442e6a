import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blocksOf, isRunnable, isScript, type Block } from '../../../tests/support/blocks.ts'
import { core, filesBelow, publicSources, root, run } from '../../../tests/support/workshop.ts'

const documents = ['README.md', 'CONTEXT.md', ...filesIn('docs')]
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const scripts = documents.flatMap((file) => blocksOf(file, read(file))).filter(isScript)

// Below core's tests, so that the blocks find the workspace's packages and are checked like tests.
mkdirSync(join(core, 'test/.blocks'), { recursive: true })
const folder = mkdtempSync(join(core, 'test/.blocks/run-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('blocks', () => {
  let complaints: string[] = []
  beforeAll(async () => {
    complaints = await typeErrors(scripts, folder)
  })

  for (const block of scripts) {
    const place = `${block.file}:${block.line}`
    test(`${place} has the types it should`, () => {
      expect(complaints.filter((line) => line.startsWith(nameOf(block)))).toEqual([])
    })
    if (isRunnable(block))
      test(`${place} runs`, async () => expect(await runBlock(block, folder)).toMatchObject({ code: 0, stderr: '' }))
  }
})

describe.each(['README.md', 'docs/start/library.md'])('%s, what its first block prints', (file) => {
  const blocks = blocksOf(file, read(file))
  const first = blocks.findIndex(isRunnable)
  const shown = blocks[first + 1]

  test('is shown as it is, but for what an ellipsis stands for', async () => {
    const { stdout } = await runBlock(blocks[first]!, folder)
    const lines = shown!.text.split('\n').filter((line) => line !== '' && line !== '…')
    expect([shown?.language, lines.length > 3]).toEqual(['', true])
    expect(lines.filter((line) => !stdout.split('\n').includes(line))).toEqual([])
  })
})

describe('docs/scale.md', () => {
  const results = filesIn('bench/results').map(read).join('\n')
  const measured = measuredTables(read('docs/scale.md'))

  test('has the tables that the benches wrote, as they wrote them', () => {
    expect(measured.length).toBeGreaterThan(4)
    expect(measured.filter((table) => !cellsOf(results).includes(cellsOf(table)))).toEqual([])
  })

  test('a figure that no bench wrote is found', () => {
    const [table] = measured
    expect(cellsOf(results)).not.toContain(cellsOf(table!.replace(/\d/, (digit) => String((Number(digit) + 1) % 10))))
  })
})

describe('each check can fail', () => {
  const block = (text: string): Block => ({ file: 'EXAMPLE.md', line: 1, language: 'ts', marks: [], text })

  test('a block that throws', async () => {
    expect(await runBlock(block('throw new Error("no")\n'), folder)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no') as string,
    })
  })

  test('a block with a wrong name and one with a wrong type', async () => {
    const example = block(
      `import { nothingOfTheKind } from 'minutebook'\nexport const n: number = 'one'\nvoid nothingOfTheKind\n`,
    )
    const found = await typeErrors([example], mkdtempSync(join(folder, 'bad-')))
    expect(found).toHaveLength(2)
    expect(found[0]).toContain(`no exported member 'nothingOfTheKind'`)
    expect(found[1]).toContain(`'string' is not assignable to type 'number'`)
  })

  test('a block that is never closed', () => {
    expect(() => blocksOf('EXAMPLE.md', 'a\n```ts\nb\n')).toThrow('EXAMPLE.md:2')
  })
})

/** The tables with figures: those whose cells have units. */
function measuredTables(page: string): string[] {
  return page.split('\n\n').filter((part) => part.startsWith('|') && /\d (?:ms|s|kB|MB|GB|TB)\b/.test(part))
}

/** A table without the spaces that align it. */
function cellsOf(table: string): string {
  return table.replaceAll(/ *\| */g, '|').replaceAll(/-{3,}:?/g, '-')
}

/** The pages in a folder and in all folders below it. */
function filesIn(name: string): string[] {
  if (!existsSync(join(root, name))) return []
  return filesBelow(join(root, name))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${name}/${file}`)
}

function nameOf({ file, line, language }: Block): string {
  return `${file.replaceAll(/[/.]/g, '-')}-${line}.${language}`
}

/** Runs a block as a program of its own, with minutebook taken from its sources. */
async function runBlock(block: Block, where: string): ReturnType<typeof run> {
  let text = block.text
  for (const [name, source] of publicSources()) {
    const address = pathToFileURL(source).href
    text = text.replaceAll(`'${name}'`, `'${address}'`).replaceAll(`"${name}"`, `"${address}"`)
  }
  const file = join(where, `run-${nameOf(block)}`)
  writeFileSync(file, text)
  return run(process.execPath, [file], where)
}

/** What the compiler says about the blocks: lines that begin with a block's file name. */
async function typeErrors(blocks: readonly Block[], where: string): Promise<string[]> {
  for (const block of blocks) writeFileSync(join(where, nameOf(block)), block.text)
  const paths = Object.fromEntries([...publicSources()].map(([name, source]) => [name, [source]]))
  const compilerOptions = {
    noEmit: true,
    allowJs: true,
    checkJs: true,
    noUnusedLocals: false,
    paths,
    tsBuildInfoFile: null,
  }
  const settings = {
    extends: join(core, 'test/tsconfig.json'),
    compilerOptions,
    files: blocks.map(nameOf),
    include: [],
    references: [],
  }
  writeFileSync(join(where, 'tsconfig.json'), JSON.stringify(settings))
  const { code, stdout, stderr } = await run(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', where, '--pretty', 'false'],
    where,
  )
  const lines = `${stdout}${stderr}`
    .split('\n')
    .filter((line) => blocks.some((block) => line.startsWith(nameOf(block))))
  if (code !== 0 && stdout.trim() === '') throw new Error(`The compiler ended with ${code}: ${stderr}`)
  return lines
}
