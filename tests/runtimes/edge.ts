// Runtimes that have no files, and how a bundle of the packed packages runs on each.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { EdgeVM } from '@edge-runtime/vm'
import { chromium } from 'playwright-core'
import { rolldown } from 'rolldown'

/**
 * Bundles programs/edge.ts in a folder that has the packages, as for a browser: Node's own modules are not there. The
 * script leaves `edge` behind, with the function `answer`.
 */
export async function bundled(folder: string): Promise<string> {
  const build = await rolldown({ input: join(folder, 'edge.ts'), platform: 'browser', logLevel: 'silent' })
  try {
    const { output } = await build.generate({ format: 'iife', name: 'edge' })
    const [{ code, imports, dynamicImports }] = output
    const missing = [...imports, ...dynamicImports]
    if (missing.length > 0) throw new Error(`The bundle leaves ${missing.join(', ')} to its surroundings.`)
    return code
  } finally {
    await build.close()
  }
}

/** Vercel's edge runtime, as a virtual machine of Node. */
export function inEdgeVm(bundle: string): Promise<string> {
  return new EdgeVM().evaluate<Promise<string>>(`${bundle}\nedge.answer()`)
}

/** The page of a browser. */
export async function inChromium(bundle: string): Promise<string> {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage()
    return await page.evaluate<string>(`${bundle}\nedge.answer()`)
  } finally {
    await browser.close()
  }
}

interface Miniflare {
  dispatchFetch(url: string): Promise<Response>
  dispose(): Promise<void>
}

/** Cloudflare's workerd, by the `miniflare` that is installed in the folder. */
export async function inWorkerd(bundle: string, folder: string): Promise<string> {
  const { Miniflare } = createRequire(join(folder, 'package.json'))('miniflare') as {
    Miniflare: new (options: object) => Miniflare
  }
  const script = `${bundle}\nexport default { fetch: async () => new Response(await edge.answer()) }`
  const worker = new Miniflare({ modules: true, script, compatibilityDate: '2026-01-01' })
  try {
    return await (await worker.dispatchFetch('http://worker/')).text()
  } finally {
    await worker.dispose()
  }
}
