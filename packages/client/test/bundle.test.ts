import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'

test('it bundles for browsers without anything of Node', async () => {
  const bundle = await rolldown({
    input: fileURLToPath(new URL('../src/index.ts', import.meta.url)),
    platform: 'browser',
    external: [/^node:/],
    onLog: () => undefined,
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  const [{ code, imports }] = output
  expect(imports).toEqual([])
  expect(code).not.toMatch(/["'`]node:|\bBuffer\b/)
  expect(code.length).toBeLessThan(13_500)
})
