// Writes the pages of docs/reference from the sources: npm run docs:reference. A test compares them.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/workshop.ts'
import { referencePages } from './pages.ts'

for (const [name, make] of Object.entries(referencePages)) {
  const file = join(root, 'docs/reference', name)
  const text = await make()
  const isSame = existsSync(file) && readFileSync(file, 'utf8') === text
  if (!isSame) writeFileSync(file, text)
  console.log(`docs/reference/${name} is ${isSame ? 'as it was' : 'new'}.`)
}
