import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bundleForBrowser, type Bundle } from '../../core/test/support/bundle.ts'
import { publicSources, root } from '../../../tests/support/workshop.ts'

const sources = join(root, 'packages/testing/src')

/** Bundles an entry with the core's sources. Names such as `#sha256` have another source in browsers than in Node. */
function bundled(entry: string): Promise<Bundle> {
  const core = [...publicSources()].filter(([name]) => /^minutebook(\/(store|wire|inspect|clock))?$/.test(name))
  return bundleForBrowser(sources, `export * from './${entry}.ts'`, Object.fromEntries(core))
}

test('the main entry needs nothing of Node, so that a scripted model also runs in browsers and at the edge', async () => {
  const { code, external } = await bundled('index')
  expect(external).toEqual([])
  expect(code).not.toContain('node:')
  expect(code).toContain('scriptedModel')
})

test('the server needs Node: the check above would see it', async () => {
  expect((await bundled('server')).external).toContain('node:http')
})
