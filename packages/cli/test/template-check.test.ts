import { probeProfile } from 'minutebook'
import { expect, test } from 'vitest'
import { probed } from '../src/doctor/template-check.ts'

type Render = Parameters<typeof probeProfile>[0]

const plain: Render = (messages) =>
  messages
    .map((message) => `${message.role}: ${message.content} ${JSON.stringify(message.tool_calls ?? [])}`)
    .join('\n')
const strict: Render = (messages) => {
  if (messages.some(({ role }, index) => role === 'system' && index > 0)) throw new Error('system first')
  if (messages.some(({ role }, index) => role === messages[index - 1]?.role)) throw new Error('alternate')
  return plain(messages)
}
const toolless: Render = (messages) => plain(messages.map(({ role, content }) => ({ role, content })))

test.each([
  ['plain', plain],
  ['strict', strict],
  ['toolless', toolless],
] as const)('a %s template that must be asked is found out as one at hand', async (_, render) => {
  let asked = 0
  const profile = await probed(async (messages) => {
    asked++
    try {
      return render(messages)
    } catch {
      return null
    }
  })
  expect(profile).toEqual(probeProfile(render))
  expect(asked).toBeLessThan(40)
})

test('one that cannot be asked is left alone after the first question', async () => {
  let asked = 0
  expect(await probed(async () => void asked++)).toBeUndefined()
  expect(asked).toBe(1)
})
