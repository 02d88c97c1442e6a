import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type HtmlTagDescriptor, type Plugin, type UserConfig } from 'vite'

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The page is built from what is written, core and client included. */
export default defineConfig(({ command }) => {
  // Whoever builds it within a test builds what people get.
  if (command === 'build') process.env['NODE_ENV'] = 'production'
  return settings
})

/** Writes a `.br` and a `.gz` file next to each text file that is worth it, so that the server need not compress. */
const precompress: Plugin = {
  name: 'precompress',
  apply: 'build',
  writeBundle: async ({ dir = '' }, bundle) => {
    const texts = Object.keys(bundle).filter((name) => /\.(html|js|css|svg|json)$/.test(name))
    for (const file of texts.map((name) => join(dir, name))) {
      const bytes = await readFile(file)
      if (bytes.length <= 1000) continue
      await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes))
      await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }))
    }
  },
}

/**
 * The first script imports the console when the page is painted: until then, the browser reads the console's files, which
 * the page names.
 */
const preloadConsole: Plugin = {
  name: 'preload-console',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { bundle = {} }) => {
      const chunks = Object.values(bundle).flatMap((each) => (each.type === 'chunk' ? [each] : []))
      const app = chunks.find(({ facadeModuleId }) => facadeModuleId === source('./src/app/app.tsx'))
      if (!app) throw new Error('The console is not in a file of its own.')
      const entry = chunks.find(({ isEntry, name }) => isEntry && name === 'index')
      const scripts = [app.fileName, ...app.imports].filter((file) => file !== entry?.fileName)
      const link = (rel: string, file: string): HtmlTagDescriptor => ({
        tag: 'link',
        attrs: { rel, crossorigin: true, href: `/console/${file}` },
        injectTo: 'head',
      })
      return [
        ...scripts.map((file) => link('modulepreload', file)),
        ...[...(app.viteMetadata?.importedCss ?? [])].map((file) => link('stylesheet', file)),
      ]
    },
  },
}

const settings: UserConfig = {
  base: '/console/',
  root: source('./src/app'),
  plugins: [react(), tailwind(), preloadConsole, precompress],
  resolve: {
    alias: [
      { find: /^minutebook$/, replacement: source('../core/src/index.ts') },
      { find: /^minutebook\/(compile|store|wire|inspect)$/, replacement: source('../core/src/$1.ts') },
      { find: /^@minutebook\/inspect$/, replacement: source('../inspect/src/index.ts') },
      { find: /^@minutebook\/experiment\/run$/, replacement: source('../experiment/src/run/index.ts') },
      { find: /^#sha256$/, replacement: source('../core/src/log/sha256.ts') },
      { find: /^@minutebook\/client$/, replacement: source('../client/src/index.ts') },
    ],
  },
  build: {
    outDir: source('./dist/page'),
    emptyOutDir: true,
    // The page contains packages of others, whose licences ask to be passed on with them.
    license: { fileName: 'THIRD-PARTY-LICENCES.md' },
    target: 'es2023',
    // Nothing is inlined: the page runs under a policy that allows no inline script or style.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/minutebook': 'http://127.0.0.1:11435', '/console/session': 'http://127.0.0.1:11435' } },
}
