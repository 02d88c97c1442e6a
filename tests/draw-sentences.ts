import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { diceOf } from './support/dice.ts'
import { filesBelow, root } from './support/workshop.ts'

// Draws sentences from the documentation, from comments and from texts that users see, to be read by somebody who does
// not know the project: `npm run sentences -- --seed 7`. A sentence that needs a second reading is to be written again.
const { values: options } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, count: { type: 'string', default: '50' } },
})
const dice = diceOf(Number(options.seed))

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  ...below('docs', /\.md$/),
  ...below('packages', /^[^/]+\/README\.md$/),
]
const sources = below('packages', /^[^/]+\/src\/.+\.tsx?$/).filter((file) => !file.endsWith('client/src/schema.ts'))
const pools: readonly (readonly [name: string, sentences: readonly string[]])[] = [
  ['documentation', documents.flatMap((file) => sentencesOf(file, documentProse))],
  ['comment', sources.flatMap((file) => sentencesOf(file, commentProse))],
  ['text', sources.flatMap((file) => sentencesOf(file, textProse))],
]

console.log(`${options.count} sentences, seed ${options.seed}\n`)
for (let number = 0; number < Number(options.count); number++) {
  const [name, sentences] = pools[number % pools.length]!
  console.log(`${number + 1}. (${name}) ${sentences[dice.below(sentences.length)] ?? ''}`)
}

function below(folder: string, pattern: RegExp): string[] {
  return filesBelow(join(root, folder))
    .filter((file) => pattern.test(file) && !file.includes('node_modules/'))
    .map((file) => `${folder}/${file}`)
}

/** Sentences of six words or more, with the file that they are in. */
function sentencesOf(file: string, prose: (text: string) => readonly string[]): string[] {
  return prose(readFileSync(join(root, file), 'utf8'))
    .flatMap((paragraph) => paragraph.replaceAll(/\s+/g, ' ').split(/(?<=[.!?])\s+(?=[A-Z`*"[])/))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.split(' ').length >= 6 && /^[A-Z`*"].*[.!?]$/.test(sentence))
    .map((sentence) => `${sentence}  [${file}]`)
}

function documentProse(text: string): string[] {
  return text
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .split(/\n\s*\n|\n(?=[-|#>])|\|/)
    .map((paragraph) => paragraph.replace(/^[-#>\s]+/, ''))
}

function commentProse(text: string): string[] {
  const blocks = [...text.matchAll(/\/\*\*([\s\S]*?)\*\//g)].map(([, block = '']) => block.replaceAll(/^\s*\* ?/gm, ''))
  const lines = [...text.matchAll(/(?:^[ \t]*\/\/ .*\n)+/gm)].map(([found]) => found.replaceAll(/^[ \t]*\/\/ /gm, ''))
  return [...blocks, ...lines].map((comment) => comment.replace(/@example[\s\S]*/, ''))
}

function textProse(text: string): string[] {
  return [...text.matchAll(/(['`"])((?:(?!\1)[^\\\n]){30,})\1/g)].map(([, , found = '']) => found)
}
