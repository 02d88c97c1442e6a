import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { mustRun, root } from '../tests/support/workshop.ts'
import { checkOut, type Checkout } from './checkout.ts'
import { measureHouse } from './house/measure-house.ts'
import { reportHouses, type Compared, type Measured } from './house/report-houses.ts'
import { countTouched, hasSameActs, reportTouched } from './house/touched.ts'

const { values: options } = parseArgs({
  options: {
    package: { type: 'string', default: 'core' },
    all: { type: 'boolean', default: false },
    against: { type: 'string' },
    installed: { type: 'boolean', default: false },
    touched: { type: 'boolean', default: false },
    files: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})

const others: Checkout[] = []
try {
  await (options.touched ? printTouched() : printHouses())
} finally {
  for (const other of others) other.remove()
}

async function printHouses(): Promise<void> {
  const before = options.against === undefined ? undefined : await opened(options.against)
  // What is built here may hold files whose sources are gone. So a copy is built.
  const now = options.installed ? await opened() : root
  const folders = new Set(
    [before, now].filter((folder) => folder !== undefined).flatMap((folder) => readdirSync(join(folder, 'packages'))),
  )
  const names = options.all ? [...folders].toSorted() : [options.package]
  const unknown = names.find((name) => !folders.has(name))
  if (unknown !== undefined)
    throw new Error(`There is no package ${unknown}; there are ${[...folders].toSorted().join(', ')}.`)
  const compared: Compared[] = []
  for (const name of names)
    compared.push({
      name,
      ...(before !== undefined && { before: await measured(before, name) }),
      now: await measured(now, name),
    })
  if (options.json) console.log(JSON.stringify(compared, undefined, 2))
  else console.log(reportHouses(compared))
}

async function printTouched(): Promise<void> {
  const before = options.against === undefined ? undefined : await opened(options.against)
  const touched = await countTouched(root, before)
  if (options.json) console.log(JSON.stringify(touched, undefined, 2))
  else console.log(reportTouched(touched, options.files))
  if (before !== undefined && !hasSameActs(root, before))
    console.error(`${options.against} has acts of its own, which differ from those here.`)
}

async function opened(commit?: string): Promise<string> {
  const checkout = await checkOut(commit)
  others.push(checkout)
  return checkout.folder
}

async function measured(checkout: string, name: string): Promise<Measured> {
  const folder = join(checkout, 'packages', name)
  return {
    house: measureHouse(folder),
    installed: options.installed && existsSync(folder) ? await installedSize(folder) : undefined,
  }
}

/** Builds the package, as it is built before it is published. */
async function installedSize(folder: string): Promise<number> {
  const printed = await mustRun('npm', ['pack', '--dry-run', '--json'], folder)
  // What the build says comes first.
  const [packed] = JSON.parse(printed.slice(printed.search(/^\[/m))) as [{ unpackedSize: number }]
  return packed.unpackedSize
}
