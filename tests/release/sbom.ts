// What is in our packages, for programs? Writes a bill of materials (CycloneDX) for each into packed/: npm run sbom
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mustRun, root } from '../support/workshop.ts'
import { bundledIn, ourPackages } from './dependencies.ts'

interface Component {
  readonly 'bom-ref': string
  readonly name: string
}

/** As much as we read of a bill. */
interface Bill {
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

/** What npm knows of a package and what it installs, with the packages that its bundle contains. */
export async function billOf(folder: string): Promise<Bill> {
  const { name, version } = ourPackages().find((each) => each.folder === folder) ?? { name: '', version: '' }
  const printed = await mustRun(
    'npm',
    ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--omit', 'peer', '--workspace', `packages/${folder}`],
    root,
  )
  const bill = JSON.parse(printed) as Bill
  const own = `${name}@${version}`
  const subject = bill.components.find((each) => each['bom-ref'] === own)
  if (subject === undefined) throw new Error(`npm sbom does not know ${own}.`)
  const workshop = bill.metadata.component['bom-ref']
  const inside = bundledIn(folder).map(({ name: other, version: of, license }) => ({
    'bom-ref': `${own}|${other}@${of}`,
    type: 'library',
    name: other,
    version: of,
    purl: `pkg:npm/${other.replace('@', '%40')}@${of}`,
    licenses: [{ expression: license }],
  }))
  return {
    ...bill,
    metadata: { ...bill.metadata, component: { ...subject, name } },
    components: [...bill.components.filter((each) => each !== subject), ...inside],
    dependencies: bill.dependencies
      .filter(({ ref }) => ref !== workshop)
      .map((each) =>
        each.ref === own
          ? { ...each, dependsOn: [...each.dependsOn, ...inside.map((component) => component['bom-ref'])] }
          : each,
      ),
  }
}

if (import.meta.main) {
  mkdirSync(join(root, 'packed'), { recursive: true })
  for (const { folder, version } of ourPackages()) {
    const file = join(root, `packed/${folder === 'core' ? 'minutebook' : `minutebook-${folder}`}-${version}.cdx.json`)
    const bill = await billOf(folder)
    writeFileSync(file, `${JSON.stringify(bill, undefined, 2)}\n`)
    console.log(`${file}: ${bill.components.length} components`)
  }
}
