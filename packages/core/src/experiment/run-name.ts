import { MinutebookError } from '../log/error.ts'

/** The thread that holds the log of a run. Its name is one of those that are kept for records, not for conversations. */
export function runThread(run: string): string {
  return `${runPrefix}${run}`
}

/** The thread of a participant: an ordinary one. */
export function participantThread(run: string, participant: string): string {
  return `run/${run}/${participant}`
}

/** The run and participant that a thread is of; undefined where it is of none. */
export function placeOfThread(thread: string): { readonly run: string; readonly participant?: string } | undefined {
  if (thread.startsWith(runPrefix)) return { run: thread.slice(runPrefix.length) }
  const [first, run, participant, ...more] = thread.split('/')
  return first === 'run' && run && participant && more.length === 0 ? { run, participant } : undefined
}

/** Throws `invalid_run` for what cannot be the name of a run. */
export function checkRunName(run: string): string {
  if (!isName.test(run) || run === 'compare') throw new MinutebookError('invalid_run', 'This cannot be the name of a run; use 1 to 80 lower-case letters, digits, dots, dashes and underscores, and begin with a letter or a digit; "compare" is taken.', { run })
  return run
}

const runPrefix = 'minutebook:run/'
const isName = /^[a-z0-9][a-z0-9._-]{0,79}$/
