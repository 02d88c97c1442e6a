import { MinutebookError } from 'minutebook'
import { refusalError } from '../refusal.ts'
import { piecesOf, type PieceTerms } from './whole-body.ts'

/** The lines of a request's body, as fast as they are read and as there is memory for them. */
export async function* linesOf(request: Request, terms: PieceTerms): AsyncGenerator<string> {
  if (!(request.headers.get('content-type') ?? '').startsWith('application/x-ndjson'))
    throw new MinutebookError('wrong_media_type', 'An import is lines of JSON.', 'Send them as application/x-ndjson.')
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const reading = piecesOf(request, terms)
  let rest: string[] = []
  for (let next = await reading.next(); ; next = await reading.next()) {
    if (next.done) {
      if (next.value) throw refusalError(next.value)
      break
    }
    const lines = decoder.decode(next.value, { stream: true }).split('\n')
    const last = lines.pop() ?? ''
    const [first, ...others] = lines
    if (first !== undefined) {
      yield [...rest, first].join('')
      yield* others
      rest = []
    }
    if (last !== '') rest.push(last)
  }
  if (rest.length > 0) yield rest.join('')
}
