import { gatewayProgram } from '../../../support/process/child.ts'
import { fromSources } from '../../../support/workshop.ts'

/**
 * How a gateway is started on the sources: `GATEWAY_COMMAND` puts something else in its place, such as the bare tap.
 */
export function gatewayCommand(...flags: readonly string[]): string[] {
  const other = process.env['GATEWAY_COMMAND']
  if (other !== undefined) return other.split(' ')
  return [process.execPath, '--no-warnings', ...flags, '--import', fromSources, gatewayProgram]
}
