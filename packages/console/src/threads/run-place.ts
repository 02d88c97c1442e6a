import { placeOfThread } from '@minutebook/experiment/run'

export interface RunPlace {
  readonly run: string
  readonly participant: string
}

/**
 * Whose thread it is, where it is of a participant of a run: nobody else can name one so.
 *
 * @example
 * runPlace('run/stand-1/ann') // { run: 'stand-1', participant: 'ann' }
 */
export function runPlace(thread: string): RunPlace | undefined {
  const { run, participant } = placeOfThread(thread) ?? {}
  return run === undefined || participant === undefined ? undefined : { run, participant }
}

/** What a thread is called: by what was asked first, by whose it is in a run, else by its name. */
export function threadTitle(thread: string, title: string | null | undefined): string {
  const place = runPlace(thread)
  return place ? `${place.participant} in ${place.run}` : (title ?? thread)
}
