import { writeFileSync } from 'node:fs'
import { experimentSchema } from '@minutebook/experiment'

// Writes the JSON Schema of experiments for editors.
writeFileSync(new URL('./schema.json', import.meta.url), `${JSON.stringify(experimentSchema(), null, 2)}\n`)
