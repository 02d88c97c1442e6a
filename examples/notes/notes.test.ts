import { strictUpstream } from '@minutebook/testing/server'
import { expect, test } from 'vitest'
import { program } from '../program.ts'

test('the note is kept, comes back to the model, and is never shown', async () => {
  const answer = ['The footer is in.\n\n**[Note to self: the footer lives in base.html]**', 'It is blue now.']
  await using upstream = await strictUpstream({ answer, window: 4096, split: 7 })
  const notes = program('notes', { OLLAMA_HOST: upstream.url })
  expect(await notes('Add a footer')).toEqual({ code: 0, stdout: 'The footer is in.\n', stderr: '' })
  expect(await notes('Make it blue')).toEqual({ code: 0, stdout: 'It is blue now.\n', stderr: '' })
  expect(JSON.stringify(upstream.requests[1]?.messages)).toMatch(/RECENT NOTES TO SELF.*the footer lives in base\.html/)
  expect((await notes()).stdout).toBe(
    'user: Add a footer\nassistant: The footer is in.\nuser: Make it blue\nassistant: It is blue now.\n',
  )
  expect((await notes('--dump')).stdout).toMatch(
    /--- NOTE TO SELF ---\n[^]*the footer lives in base\.html[^]*--- USER ---\nMake it blue/,
  )
})
