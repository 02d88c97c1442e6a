import assert from 'node:assert/strict'
import * as cl100k from 'gpt-tokenizer/encoding/cl100k_base'
import { compile } from 'minutebook'
import { gptTokenizer } from 'minutebook/gpt-tokenizer'

// Counts that OpenAI's own tokenizer gives. Text that looks like a special token is plain text.
const newer = gptTokenizer()
assert.equal(newer.name, 'o200k_base')
assert.equal(newer.count('Hello, world!'), 4)
assert.equal(newer.count('<|endoftext|>'), 7)
const older = gptTokenizer(cl100k, { name: 'cl100k_base' })
assert.equal(older.count('Hello, world!'), 4)
assert.equal(older.count('antidisestablishmentarianism'), 6)
const { tokens } = compile([{ role: 'user', content: 'Hello, world!' }], { window: 100, counter: newer })
assert.deepEqual(tokens, 4 + 4 + 3)
