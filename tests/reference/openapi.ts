import { apiDocument } from '../../packages/server/src/api/document.ts'

/** The HTTP API as a file: what a server returns at `/minutebook/v1/openapi.json`. */
export function openApiFile(): string {
  return `${JSON.stringify(apiDocument(), null, 1)}\n`
}
