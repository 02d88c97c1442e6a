import { writeFileSync } from 'node:fs'
import openApiTypes, { astToString } from 'openapi-typescript'
import { apiDocument } from '../../server/src/api/document.ts'

// Writes the types of the client from the document of the API; with --print it only prints them. node --import
// ../../../tests/support/from-sources.ts write-types.ts
// Arrays are not `readonly`: openapi-fetch takes a readonly array for an object.
const header = '// Written by packages/client/generate from the OpenAPI document of the server. Do not edit.\n'
const types =
  header +
  astToString(await openApiTypes(structuredClone(apiDocument()) as never, { immutable: false, alphabetize: false }))

if (process.argv.includes('--print')) process.stdout.write(types)
else writeFileSync(new URL('../src/schema.ts', import.meta.url), types)
