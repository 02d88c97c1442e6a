// Shows that the harness works: node check.ts
import { readFileSync } from 'node:fs'
import { Tokenizer } from '@huggingface/tokenizers'
import { probeProfile } from '../../packages/core/src/compiler/profile.ts'
import { openEngine, type Engine } from './engine.ts'
import { PromptTooLarge } from './evaluation.ts'
import { outcomeOf, probes, probeTools } from './probes.ts'
import { seededRandom } from './random.ts'
import { chatTemplates, compileTemplate } from './templates.ts'
import { tinyChatTemplate, tinyModel } from './tiny-model.ts'

const textCount = 300
const pieces = [
  'the harbour',
  'minutes',
  "don't",
  '3.14',
  '2026-01-15',
  '{"role": "user"}',
  '```ts\n',
  '=>',
  '…',
  'ﬁ',
  'Zażółć',
  '港口很安静',
  '静かでした',
  '조용했다',
  'Утром',
  'الميناء',
  'सुबह',
  '🚀',
  '👩‍💻',
  '👋🏽',
  'é',
  'e\u0301',
  '<|im_start|>',
  '<|im_end|>',
  '<|endoftext|>',
  '<|unknown|>',
  '<|',
  '|>',
  '\ud83d',
  '\udc00',
  ' ',
  '  ',
  '\n',
  '\n\n',
  '\t',
  '\r\n',
  '\u0000',
  '\u200b',
  '\u00a0',
  '\u3000',
  '\u2028',
]

await timed('tiny model', () => tinyModel())
await timed('templates', () => chatTemplates())
showPlainChats()
showProfiles()
const engine = await timed('engine', () => openEngine())
await timed('tokenizers', () => compareTokenizers(engine))
await timed('window', () => showWindow(engine))
await engine.close()

async function timed<Result>(name: string, work: () => Result | Promise<Result>): Promise<Result> {
  const start = performance.now()
  const result = await work()
  console.log(`${name}: ${(performance.now() - start).toFixed(0)} ms`)
  return result
}

function showPlainChats(): void {
  for (const name of ['plain chat', 'system first']) {
    const probe = probes.find((each) => each.name === name)
    if (probe === undefined) throw new Error(`There is no probe named '${name}'.`)
    const keeping = chatTemplates().filter(
      (template) => outcomeOf(probe, (messages) => template.render(messages)) === 'kept',
    )
    console.log(`${name}: ${keeping.length} of ${chatTemplates().length} templates keep it`)
  }
}

function showProfiles(): void {
  for (const template of chatTemplates()) {
    const profile = probeProfile((messages) => template.render(messages, probeTools))
    const flags = Object.entries(profile).map(([flag, value]) => (value === true ? flag : `${flag}=${value}`))
    console.log(`  ${template.name.padEnd(46)} ${flags.join(' ')}`)
  }
}

function compareTokenizers(real: Engine): void {
  const tokenizer = new Tokenizer(JSON.parse(readFileSync(tinyModel().tokenizerPath, 'utf8')), {})
  const texts = randomTexts(textCount)
  const different = texts.filter((text) => tokenizer.encode(text).ids.length !== real.tokenize(text))
  console.log(`tokenizer.json counts like the engine on ${textCount - different.length} of ${textCount} texts`)
  if (different.length > 0) throw new Error(`They differ on ${JSON.stringify(different[0])}`)
}

/**
 * Without U+FEFF and U+0085: JavaScript's \s and Unicode's white space disagree on these two, so that after white space
 * the JavaScript tokenizer can be one token off.
 */
function randomTexts(count: number): string[] {
  const random = seededRandom(2026)
  const text = (): string => {
    const length = 1 + Math.floor(random() * 60)
    const pick = (): string => pieces[Math.floor(random() * pieces.length)] ?? ''
    return Array.from({ length }, pick)
      .join(random() < 0.5 ? ' ' : '')
      .toWellFormed()
  }
  return Array.from({ length: count }, text)
}

async function showWindow(real: Engine): Promise<void> {
  const template = compileTemplate('tiny', tinyChatTemplate)
  const prompt = template.render(
    probes.flatMap(({ messages }) => messages),
    probeTools,
  )
  const tokens = real.tokenize(prompt)
  const evaluation = await real.evaluate(prompt, tokens + 1)
  console.log(`a prompt of ${tokens} tokens fills ${evaluation.tokens} of a window of ${tokens + 1}`)
  const refusal: unknown = await real.evaluate(prompt, tokens).catch((error: unknown) => error)
  if (!(refusal instanceof PromptTooLarge)) throw new Error('A window that is too small took the prompt.')
  console.log(`and is refused by a window of ${tokens}: ${refusal.message}`)
}
