import { flushCompileCache, registerHooks, type ResolveFnOutput } from 'node:module'
import { pathToFileURL } from 'node:url'
import { publicSources } from './workshop.ts'

// For `node --import`: a process runs on the sources of all packages, as the tests do, not on what was built.
const sources = publicSources()

// Sources name each other by path and ending. There is nothing to look up for them, which would take most of the time
// of a short process.
const isSource = /^\.\.?\/[^?#]*\.ts$/
const known = (url: string): ResolveFnOutput => ({ url, format: 'module-typescript', shortCircuit: true })

registerHooks({
  resolve: (specifier, context, next) => {
    const source = sources.get(specifier)
    if (source !== undefined) return known(pathToFileURL(source).href)
    return context.parentURL !== undefined && isSource.test(specifier)
      ? known(new URL(specifier, context.parentURL).href)
      : next(specifier, context)
  },
})

// Where NODE_COMPILE_CACHE is set, what was compiled is kept for the next process, also by one that will be killed.
if (process.env['NODE_COMPILE_CACHE'] !== undefined) setTimeout(flushCompileCache, 500).unref()
