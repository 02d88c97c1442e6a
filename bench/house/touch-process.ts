import { realpathSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Act } from './acts.ts'
import type { Played } from './touched.ts'

// Plays one act and prints what ran. `touched.ts` starts it on the sources of one checkout, anew for each act: nothing
// that another act has loaded, made or remembered is there.
const [checkout = '', file = '', name = ''] = process.argv.slice(2)
const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
console.log(JSON.stringify(await play()))

async function play(): Promise<Played> {
  try {
    const { acts } = (await import(pathToFileURL(file).href)) as { readonly acts: readonly Act[] }
    const act = acts.find((each) => each.name === name)
    if (act === undefined) throw new Error('There is no such act.')
    const run = await act.prepare()
    await take()
    const check = await run()
    const files = await take()
    check()
    return { files }
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) }
  }
}

/** How many functions of each source of a package have run since the last time. A module's own code is none. */
async function take(): Promise<Record<string, number>> {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const packages = `${pathToFileURL(join(realpathSync(checkout), 'packages')).href}/`
  const counts = result
    .filter(({ url }) => url.startsWith(packages) && !url.includes('/node_modules/'))
    .map(({ url, functions }) => {
      const ran = functions.filter(
        ({ functionName, ranges: [whole] }) =>
          whole !== undefined && whole.count > 0 && !(functionName === '' && whole.startOffset === 0),
      )
      return [decodeURIComponent(url.slice(packages.length)), ran.length] as const
    })
  return Object.fromEntries(counts.filter(([, ran]) => ran > 0).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
