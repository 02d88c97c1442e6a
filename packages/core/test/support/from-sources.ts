import { flushCompileCache, registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import { publicSources } from './workshop.ts'

// For `node --import`: a process runs on the sources of all packages, as the tests do, not on what was built.
const sources = publicSources()

registerHooks({
  resolve: (specifier, context, next) => {
    const source = sources.get(specifier)
    return next(source === undefined ? specifier : pathToFileURL(source).href, context)
  },
})

// Where NODE_COMPILE_CACHE is set, what was compiled is kept for the next process, also by one that will be killed.
if (process.env['NODE_COMPILE_CACHE'] !== undefined) setTimeout(flushCompileCache, 500).unref()
