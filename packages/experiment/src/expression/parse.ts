import { Environment, ParseError, type ASTNode } from '@marcbachmann/cel-js'
import { Mistake } from './code.ts'

/** The tree of an expression. Throws a `Mistake` if the text is not an expression. */
export function parse(text: string): ASTNode {
  if (text.trim() === '') throw new Mistake('is empty', 'write an expression such as "cash >= 1000"', 0)
  if (text.length > longest)
    throw new Mistake(`is longer than ${longest} characters`, 'split it: keep a part of it in a variable', 0)
  try {
    return language.parse(text).ast
  } catch (error) {
    throw error instanceof ParseError ? syntaxError(error, text) : error
  }
}

const longest = 4000
/** Of parts within parts; chains of operators are counted when they are built. */
const deepest = 60

/** Only its grammar is used: what an expression means is said here, so that all of it is bounded. */
const language: Environment = new Environment({ limits: { maxDepth: deepest, maxAstNodes: longest } })

function syntaxError({ summary, code, range }: ParseError, text: string): Mistake {
  const offset = range?.start ?? 0
  if (code === 'limit_exceeded')
    return new Mistake('is nested too deep', 'split it: keep a part of it in a variable', offset)
  if (code === 'reserved_identifier')
    return new Mistake(`uses the reserved word "${text.slice(offset, range?.end)}"`, 'choose another name', offset)
  if (code === 'invalid_macro_argument')
    return new Mistake(
      'names no item to go through the list with',
      'write it such as "prices.map(price, price * 2)"',
      offset,
    )
  if (code === 'unterminated_string') return new Mistake('holds a text that does not end', 'close its quotes', offset)
  const missing = symbols.get(/^Expected ([A-Z]+)/.exec(summary)?.[1] ?? '')
  const found = text[offset]
  if (found === undefined)
    return new Mistake('ends too early', missing === undefined ? 'complete it' : `write ${missing} behind it`, offset)
  const fix = hints.get(found) ?? (missing === undefined ? 'fix it there' : `write ${missing} before that`)
  return new Mistake(`cannot be read from ${JSON.stringify(text.slice(offset, offset + 12))} on`, fix, offset)
}

const symbols: ReadonlyMap<string, string> = new Map([
  ['RPAREN', '")"'],
  ['RBRACKET', '"]"'],
  ['RBRACE', '"}"'],
  ['COLON', '":"'],
  ['IDENTIFIER', 'a name'],
])

const hints: ReadonlyMap<string, string> = new Map([
  ['=', 'write "==" to compare'],
  ['&', 'write "&&" for "and"'],
  ['|', 'write "||" for "or"'],
  ['.', 'write a number such as 0.5 with its first digit'],
])
