import { fileURLToPath } from 'node:url'
import { fromSources } from '../../../support/workshop.ts'

/**
 * How a gateway is started on the sources: `GATEWAY_COMMAND` puts something else in its place, such as the bare tap.
 */
export function gatewayCommand(...flags: readonly string[]): string[] {
  const other = process.env['GATEWAY_COMMAND']
  if (other !== undefined) return other.split(' ')
  const script = fileURLToPath(new URL('../../../support/process/gateway-process.ts', import.meta.url))
  return [process.execPath, '--no-warnings', ...flags, '--import', fromSources, script]
}
