// Which files would a release publish? Packs every package into packed/: npm run pack
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { packAll, placeTarballs } from './support/packed.ts'
import { root } from './support/workshop.ts'

// A release sets the address of its repository here. Until then packages have none.
const { values: options } = parseArgs({
  options: { repository: { type: 'string' }, out: { type: 'string', default: join(root, 'packed') } },
})
const scratch = mkdtempSync(join(tmpdir(), 'minutebook-pack-'))
try {
  const names = readdirSync(join(root, 'packages'))
  console.error(`packing ${names.length} packages …`)
  const tarballs = await packAll(names, scratch, { repository: options.repository })
  console.log(placeTarballs(tarballs, options.out).join('\n'))
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
