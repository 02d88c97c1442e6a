import { mcpServer } from '@minutebook/experiment'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/**
 * A program that writes its process ids and the ends of its input to a file. The first one answers nonsense, and goes on
 * when its input ends.
 */
const program = `
import { appendFileSync, existsSync } from 'node:fs'
const isFirst = !existsSync('log')
const log = (line) => appendFileSync('log', line + ' ' + process.pid + '\\n')
log('begun')
let rest = ''
process.stdin.on('data', (data) => {
  const lines = (rest + data).split('\\n')
  rest = lines.pop()
  for (const { id, method, params } of lines.map((line) => JSON.parse(line))) {
    const say = (result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n')
    if (method === 'initialize')
      say({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'f', version: '1' } })
    if (method === 'tools/list') say({ tools: isFirst ? 'nonsense' : [{ name: 'add', inputSchema: { type: 'object' } }] })
  }
})
process.stdin.on('end', () => {
  log('ended')
  if (!isFirst) process.exit(0)
})
setInterval(() => {}, 1000)
`

test('a connection that is made while a broken one closes is kept, and ends with the server', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-server-'))
  await writeFile(join(folder, 'program.mjs'), program)
  const lines = (): readonly string[] => readFileSync(join(folder, 'log'), 'utf8').trim().split('\n')
  const living = (): readonly number[] =>
    lines()
      .filter((line) => line.startsWith('begun'))
      .map((line) => Number(line.split(' ')[1]))
      .filter(isAlive)
  const server = mcpServer({ name: 'f', command: [process.execPath, 'program.mjs'], folder })
  try {
    const broken = server.tools()
    await expect.poll(() => lines().some((line) => line.startsWith('ended')), { timeout: 10_000 }).toBe(true)
    const tools = await server.tools()
    expect(tools.map(({ name }) => name)).toEqual(['f_add'])
    await broken
    await expect.poll(() => living().length).toBe(1)
    await server.close()
    await expect.poll(living, { timeout: 5000 }).toEqual([])
  } finally {
    for (const id of living()) process.kill(id, 'SIGKILL')
    await rm(folder, { recursive: true })
  }
}, 30_000)

function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch {
    return false
  }
}
