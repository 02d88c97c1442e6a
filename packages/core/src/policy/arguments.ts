import { parseJson } from '../log/canonical.ts'
import { argumentsText, type Call } from '../log/message.ts'
import type { Profile } from './profile.ts'

/** A call's arguments in the form that the profile asks for; as they came where it asks for none. */
export function argumentsAs(call: Call, { argumentsAs: form }: Profile): unknown {
  if (form === 'string') return argumentsText(call)
  if (form !== 'object' || typeof call.arguments !== 'string') return call.arguments
  const value = parseJson(call.arguments)
  return typeof value === 'object' && value !== null ? value : { value: call.arguments }
}

/** The arguments as a template prints them: a value becomes Python's JSON, with a blank after each comma and colon. */
export function printedArguments(call: Call, profile: Profile): string {
  const sent = argumentsAs(call, profile)
  if (typeof sent === 'string') return sent
  const indented = JSON.stringify(sent, null, 1) ?? '{}'
  return indented.replaceAll(/(?<=[{[])\n *|\n *(?=[}\]])/g, '').replaceAll(/\n */g, ' ')
}
