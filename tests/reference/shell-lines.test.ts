/** Can every call of the `minutebook` command that our pages show be made? All Markdown files of the repository. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { refusalOf } from '../../packages/cli/test/support/program.ts'
import { blocksOf } from '../support/blocks.ts'
import { markdownFiles, root } from '../support/workshop.ts'
import { callsIn } from './shell-lines.ts'

const shells: ReadonlySet<string> = new Set(['sh', 'bash', 'shell', 'console'])
const pages = markdownFiles()
const calls = pages.flatMap((page) =>
  blocksOf(page, readFileSync(join(root, page), 'utf8'))
    .filter(({ language }) => shells.has(language))
    .flatMap(({ line, language, text }) =>
      callsIn(language === 'console' ? typedIn(text) : text).map((words) => ({ place: `${page}:${line}`, words })),
    ),
)

/** What is typed in a block that also has what was printed. */
function typedIn(text: string): string {
  return (text.match(/^\$ .*$/gm) ?? []).join('\n')
}

describe('calls of the command in shell blocks', () => {
  test('are found', () => {
    expect(calls.length).toBeGreaterThan(70)
    expect(new Set(calls.map(({ words }) => words[0])).size).toBeGreaterThan(20)
  })

  test('are all accepted', async () => {
    const refused = await Promise.all(
      calls.map(
        async ({ place, words }) => [`${place} minutebook ${words.join(' ')}`, await refusalOf(words)] as const,
      ),
    )
    expect(refused.filter(([, refusal]) => refusal !== undefined)).toEqual([])
  })

  test.each([
    ['minutebook exlpain garden', "unknown command 'exlpain'"],
    ['minutebook explain --nonsense', "unknown option '--nonsense'"],
    ['minutebook keys make ann', 'too many arguments'],
    ['minutebook threads --mark nonsense', 'Allowed choices'],
    ['minutebook pin garden', 'missing required argument'],
  ])('a wrong one is found: %s', async (line, refusal) => {
    expect(await refusalOf(callsIn(line)[0]!)).toContain(refusal)
  })

  test('are found among other things of a shell', () => {
    const block = [
      'export KEY=$(openssl rand -hex 20) # minutebook is next',
      'MINUTEBOOK_RECORD=always minutebook serve --host 0.0.0.0 &',
      'minutebook search "old oak" | grep steps > minutebook.txt && npx @minutebook/cli show garden \\',
      '  --full',
      'cat > a.yaml <<EOF',
      'minutebook nothing',
      'EOF',
      `echo 'eval "$(minutebook completion bash)"' >> ~/.bashrc; docker exec gateway minutebook explain`,
      'echo minutebook',
      'minutebook run stand.yaml --seed $seed --name stand-${seed} ${next:+--check $next}',
    ].join('\n')
    expect(callsIn(block)).toEqual([
      ['serve', '--host', '0.0.0.0'],
      ['search', 'old oak'],
      ['show', 'garden', '--full'],
      ['explain'],
      ['completion', 'bash'],
      ['run', 'stand.yaml', '--seed', '1', '--name', 'stand-1'],
    ])
  })
})
