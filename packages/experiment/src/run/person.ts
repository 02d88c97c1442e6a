import { askUser, MinutebookError, type Message, type Model, type ModelEvent, type Store } from 'minutebook'
import { resultOf, standingsIn, turnOf, type KeptDecision } from 'minutebook/inspect'
import type { StoredEntry } from 'minutebook/store'

/**
 * Answers for a participant that is a person. It is a model that knows two things: to ask with one call of `ask_user`
 * what the participant was told, and to repeat the answer word for word. So a person is waited for as any tool call is
 * that waits for a decision, and the run needs no mechanism of its own. The answer is taken from the decision, not from
 * the prompt, which may have been clipped. A refusal is an empty answer. `system`: what each question begins with.
 *
 * @example
 * const model = personModel(store, 'run/first/ann', 'You are the judge.')
 */
export function personModel(store: Pick<Store, 'read'>, thread: string, system?: string): Model {
  const answer = async function* (): AsyncGenerator<ModelEvent> {
    const turn = await newestTurn(store, thread)
    const issuer = turn.findLast(({ kind }) => kind === 'assistant')
    const taken = issuer && standingsIn(issuer, turn)[0]?.taken
    if (taken) return yield* says(answerIn(taken))
    const question = [...(system === undefined ? [] : [system]), turn[0]?.text ?? ''].join('\n\n')
    const call = { function: { name: askUser.name, arguments: { question } } }
    yield* ends({ role: 'assistant', content: '', tool_calls: [call] }, 'calls')
  }
  return Object.assign(answer, { model: personName })
}

/**
 * The same for a run that repeats the answers of another: no person is asked. If the question is another one, there is
 * no answer to it, so a difference is noticed.
 */
export function repeatedPerson(
  store: Pick<Store, 'read'>,
  { from, into }: { readonly from: string; readonly into: string },
): Model {
  const answer = async function* (): AsyncGenerator<ModelEvent> {
    const [asked] = await newestTurn(store, into)
    const same = asked?.key === undefined ? undefined : (await store.read(from, { key: asked.key })).at(-1)
    const result = same && resultOf(turnOf(await store.read(from, { from: same.seq }), same))
    if (result?.status !== 'complete' || same?.text !== asked?.text)
      throw new MinutebookError(
        'not_recorded',
        `No person has answered this question in "${from}": something before it has changed.`,
        'Compare the runs to see where they part.',
        { thread: from },
      )
    yield* says(result.text)
  }
  return Object.assign(answer, { model: personName })
}

/** What receipts record instead of a model. */
const personName = 'person'

/** The newest turn of a thread, its question first. */
async function newestTurn(store: Pick<Store, 'read'>, thread: string): Promise<readonly StoredEntry[]> {
  for (let last = 64; ; last *= 8) {
    const entries = await store.read(thread, { last })
    const asked = entries.findLast(({ kind }) => kind === 'user')
    if (asked) return turnOf(entries, asked)
    if (entries.length < last) return []
  }
}

function answerIn({ decision }: KeptDecision): string {
  if (decision.do !== 'answer') return ''
  return typeof decision.output === 'string' ? decision.output : JSON.stringify(decision.output)
}

function* says(text: string): Generator<ModelEvent> {
  if (text !== '') yield { type: 'text', text }
  yield* ends({ role: 'assistant', content: text }, 'stop')
}

/** A person takes no tokens. */
function* ends(message: Message, finish: 'stop' | 'calls'): Generator<ModelEvent> {
  yield { type: 'end', message, finish, usage: { prompt: 0, completion: 0 } }
}
