import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { lastMessages, probeProfile, type CompileResult, type Message } from 'minutebook'
import { assistant, call, result, system, user, words } from '@minutebook/testing'
import { anyPolicy, windowSize } from '../support/arbitrary.ts'
import { attempt } from '../support/attempt.ts'
import { cases } from '../support/runs.ts'
import { isInstalled, skipUnlessInstalled } from './installed.ts'
import { markedLog, type MarkedLog } from './marked-log.ts'
import { probeTools } from './probes.ts'

const templates = isInstalled ? (await import('./templates.ts')).chatTemplates() : []
const toolSets = [{ sent: 'without tools' }, { sent: 'with tools', tools: probeTools }]
const promptsEach = Math.ceil(Math.max(2000, cases('usual')) / (toolSets.length * Math.max(1, templates.length)))
let rendered = 0

afterAll(() => isInstalled && console.log(`${rendered} prompts rendered by ${templates.length} chat templates`))

describe.each(templates)('$name', (template) => {
  test.each(toolSets)('takes every prompt and keeps every word, $sent', ({ tools }) => {
    const profile = probeProfile((messages) => template.render(messages, tools))
    fc.assert(
      fc.property(markedLog, anyPolicy, windowSize, (log, policy, window) => {
        fc.pre(profile.needsUser !== true || log.messages.some(({ role }) => role === 'user'))
        const compiled = attempt(log.messages, { window, policy, profile, counter: words, ...(tools && { tools }) })
        fc.pre(compiled !== undefined)
        const text = template.render(compiled.messages, tools)
        rendered += 1
        expect(textsMissing(text, compiled.messages)).toEqual([])
        expect(wordsMissing(text, compiled, log)).toEqual([])
      }),
      { numRuns: promptsEach },
    )
  })
})

describe('the check itself', () => {
  const log = [
    system('Be brief.'),
    user('one'),
    assistant('beside', call('call_1', 'search')),
    result('call_1', 'found'),
    user('two'),
  ]

  test('sees a refusal', (context) => {
    skipUnlessInstalled(context)
    expect(() => templateNamed('google-gemma-2-2b-it').render(log)).toThrow('System role not supported')
  })

  test('sees a text that is lost, and one that is moved', (context) => {
    skipUnlessInstalled(context)
    expect(textsMissing(templateNamed('meta-llama-Llama-3.1-8B-Instruct').render(log), log)).toEqual(['beside'])
    expect(textsMissing('two one', [user('one'), user('two')])).toEqual(['two'])
  })

  test('sees the word of a call that is lost', (context) => {
    skipUnlessInstalled(context)
    const marked = { messages: log, words: [[], [], ['beside', 'search'], [], []] }
    const compiled = attempt(log, { window: 100, policy: lastMessages(10), counter: words })
    expect(wordsMissing('beside', compiled!, marked)).toEqual(['search'])
  })
})

function templateNamed(name: string): (typeof templates)[number] {
  return templates.find((template) => template.name === name)!
}

/** The texts of the prompt that do not stand in the rendered text, or not after the text before them. */
function textsMissing(rendition: string, messages: readonly Message[]): string[] {
  let from = 0
  return messages.flatMap(({ content }) => {
    if (typeof content !== 'string') return [`no text but ${JSON.stringify(content)}`]
    const text = content.trim()
    const found = [text, encoded(text)].find((form) => rendition.includes(form, from))
    if (found === undefined) return [text]
    from = rendition.indexOf(found, from) + found.length
    return []
  })
}

/** Cohere's, Meta's and OpenAI's templates write a tool's result as JSON. */
function encoded(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/** The words of what the plan says is sent whole that the rendered text lacks. */
function wordsMissing(rendition: string, { plan }: CompileResult, log: MarkedLog): string[] {
  const whole = plan.spans.filter(({ verdict }) => verdict === 'verbatim')
  return whole.flatMap(({ from, to }) => log.words.slice(from, to).flat()).filter((word) => !rendition.includes(word))
}
