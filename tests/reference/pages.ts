// Every file of docs/reference that is written from the sources, with what it must be now.
import { commandsPage } from './commands.ts'
import { configurationPage } from './configuration.ts'
import { errorsPage } from './errors.ts'
import { headersPage } from './headers.ts'
import { metricsPage } from './metrics.ts'
import { openApiFile } from './openapi.ts'

export const referencePages: Readonly<Record<string, () => string | Promise<string>>> = {
  'commands.md': commandsPage,
  'configuration.md': configurationPage,
  'errors.md': errorsPage,
  'headers.md': headersPage,
  'metrics.md': metricsPage,
  'openapi.json': openApiFile,
}
