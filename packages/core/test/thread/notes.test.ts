import { memoryStore, openBook, type Thread, type ThreadOptions } from 'minutebook'
import { describe, expect, test } from 'vitest'
import { assistant, call, scriptedModel } from '@minutebook/testing'
import { script, type Line } from '../support/scripted.ts'

function talk(
  options: ThreadOptions,
  ...lines: readonly Line[]
): { readonly thread: Thread; readonly model: ReturnType<typeof script> } {
  const model = script(...lines)
  return {
    model,
    thread: openBook({ store: memoryStore(), model, window: 4096, system: 'Be brief.', ...options }).thread('t'),
  }
}

async function shown(thread: Thread, text: string): Promise<string> {
  let all = ''
  for await (const event of thread.send(text)) if (event.type === 'text') all += event.text
  return all
}

describe('a note in a block', () => {
  test('is asked for, taken out, kept, and in the next prompt', async () => {
    const { thread, model } = talk(
      { notes: 'block' },
      'I added the footer. [NOTE TO SELF: footer is in base.html]',
      'Done.',
    )
    expect(await shown(thread, 'Add a footer')).toBe('I added the footer.')
    await thread.send('Now make it blue').done
    expect(model.requests[0]?.messages[0]?.content).toContain('[NOTE TO SELF:')
    expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'system',
      'user',
    ])
    expect(model.requests[1]?.messages[3]?.content).toContain('RECENT NOTES TO SELF')
    expect(model.requests[1]?.messages[3]?.content).toContain('footer is in base.html')
    expect((await thread.dump({ turn: 2 })).text).toContain('--- NOTE TO SELF ---')
    expect(JSON.stringify(await thread.visible())).not.toContain('base.html')
  })

  test('is left alone where notes are off', async () => {
    const { thread } = talk({}, 'Done. [NOTE TO SELF: x]')
    expect(await shown(thread, 'Go')).toBe('Done. [NOTE TO SELF: x]')
  })

  test('that was revoked is in no later prompt, and the past is as it was', async () => {
    const { thread, model } = talk({ notes: 'block' }, 'One. [NOTE TO SELF: hostile]', 'Two.', 'Three.')
    await thread.send('a').done
    await thread.send('b').done
    const note = (await thread.entries()).find(({ kind }) => kind === 'note')
    await thread.revoke(note!.id)
    await thread.send('c').done
    expect(model.requests.map(({ messages }) => JSON.stringify(messages).includes('hostile'))).toEqual([
      false,
      true,
      false,
    ])
    expect(await thread.verify()).toMatchObject({ ok: true, prompts: 3 })
    await expect(thread.revoke((await thread.entries())[0]!.id)).rejects.toMatchObject({ code: 'not_revocable' })
  })
})

describe('a note by tool', () => {
  test('beside another call: the call is run, the note is kept, nobody sees it', async () => {
    const { thread, model } = talk(
      { notes: 'tool' },
      assistant(null, call('n', 'note_to_self', { text: 'remember the lamp' }), call('c', 'look')),
      'Done.',
      'Yes.',
    )
    await thread.send('Go').done
    await thread.send('And?').done
    expect((await thread.entries()).filter(({ kind }) => kind === 'note').map(({ text }) => text)).toEqual([
      'remember the lamp',
    ])
    expect(model.requests[0]?.tools.map((tool) => tool.function.name)).toEqual(['note_to_self'])
    const kinds = model.requests[1]?.messages.map(({ role }) => role)
    expect(kinds).toEqual(['system', 'user', 'assistant', 'tool', 'system'])
    expect(JSON.stringify(model.requests[2]?.messages)).toContain('remember the lamp')
    expect(JSON.stringify(await thread.visible())).not.toContain('remember the lamp')
    expect(await thread.verify()).toMatchObject({ ok: true, prompts: 3 })
  })

  test('alone: the model is asked on, and its answer ends the turn', async () => {
    const { thread, model } = talk(
      { notes: 'tool' },
      assistant(null, call('n', 'note_to_self', { text: 'hm' })),
      'Done.',
    )
    expect(await thread.send('Go').done).toMatchObject({ status: 'complete', text: 'Done.' })
    expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'system'])
  })
})

describe('the journal', () => {
  test('says what the tools did, is not in the prompt beside them, and is never shown', async () => {
    const { thread, model } = talk({}, assistant(null, call('c', 'look', { where: 'attic' })), 'Nothing there.', 'Yes.')
    await thread.send('Go').done
    await thread.send('Sure?').done
    const journal = (await thread.entries()).find(({ kind }) => kind === 'journal')
    expect(journal?.text).toContain('look')
    expect(JSON.stringify(model.requests[2]?.messages)).toContain('attic')
    expect((await thread.visible()).map(({ kind }) => kind)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
      'assistant',
    ])
    expect((await thread.dump({ turn: 2 })).text).not.toContain('--- JOURNAL ---')
  })

  test('is one for a turn, however many steps that takes', async () => {
    const { thread } = talk(
      {},
      assistant(null, call('a', 'look')),
      assistant(null, call('b', 'listen')),
      'Nothing there.',
    )
    await thread.send('Go').done
    const journals = (await thread.entries()).filter(({ kind }) => kind === 'journal')
    expect(journals.map(({ text }) => text.split('\n').map((line) => line.split(' ')[0]))).toEqual([['look', 'listen']])
  })

  test('can be turned off', async () => {
    const { thread } = talk({ journal: false }, assistant(null, call('c', 'look')), 'Done.')
    await thread.send('Go').done
    expect((await thread.entries()).some(({ kind }) => kind === 'journal')).toBe(false)
  })
})

describe('what is no note', () => {
  test('a block that the end of the window cut off is not shown either', async () => {
    const model = scriptedModel([{ text: 'Cut. [NOTE TO SELF: zeb', finish: 'length' }])
    const cut = openBook({ store: memoryStore(), model, window: 4096, notes: 'block' }).thread('t')
    expect(await shown(cut, 'Go')).toBe('Cut.')
    expect((await cut.visible())[1]).toMatchObject({ kind: 'assistant', text: 'Cut.', status: 'partial' })
  })

  test('a call of the tool without a text is answered, and the model can mend it', async () => {
    const { thread, model } = talk(
      { notes: 'tool' },
      assistant(null, call('n', 'note_to_self', { note: 'x' })),
      'Done.',
    )
    expect(await thread.send('Go').done).toMatchObject({ status: 'complete', text: 'Done.' })
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      role: 'tool',
      content: '(failed: give the note as { "text": "…" })',
    })
    expect((await thread.visible()).map(({ kind }) => kind)).toEqual(['user', 'assistant'])
  })
})
