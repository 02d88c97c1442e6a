import { join } from 'node:path'
import { rolldown, type Plugin } from 'rolldown'
import { sourceFolder } from '../../../../tests/support/workshop.ts'

export interface Bundle {
  readonly code: string
  /** Modules that the bundle leaves to its surroundings. */
  readonly external: readonly string[]
}

/**
 * Bundles for the browser. `text` is the entry's own code, standing in the folder `from`; without it `from` is the
 * entry file.
 */
export async function bundleForBrowser(
  from: string,
  text?: string,
  alias: Record<string, string> = {},
): Promise<Bundle> {
  const entry: Plugin = {
    name: 'entry',
    resolveId: (id) => (text !== undefined && id === 'entry' ? `${from}/entry-of-this-bundle.ts` : null),
    load: (id) => (text !== undefined && id.endsWith('/entry-of-this-bundle.ts') ? text : null),
  }
  const names = { '#sha256': join(sourceFolder, 'log/sha256.ts'), ...alias }
  const build = await rolldown({
    input: text === undefined ? from : 'entry',
    platform: 'browser',
    resolve: { alias: names },
    plugins: [entry],
    external: (id) => !id.startsWith('.') && !id.startsWith('/') && id !== 'entry' && !(id in names),
    logLevel: 'silent',
  })
  try {
    const { output } = await build.generate({ format: 'esm' })
    const chunks = output.filter((part) => part.type === 'chunk')
    const own = new Set(chunks.map((chunk) => chunk.fileName))
    return {
      code: chunks[0]?.code ?? '',
      external: chunks.flatMap((chunk) => [...chunk.imports, ...chunk.dynamicImports]).filter((name) => !own.has(name)),
    }
  } finally {
    await build.close()
  }
}
