/** What one round of a benchmark measured: by row and column. */
export interface Round {
  readonly figures: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** A hash of all prompts of the round. It does not depend on the machine: two sides that work alike have the same. */
  readonly prompts: string
}

/**
 * What a side is told, and what it says. Both sides of a comparison may be of different commits: change this, and they
 * cannot talk.
 */
export type Told = 'round' | 'end'
export type Said = { readonly ready: true } | { readonly round: Round }

/**
 * For the main program of a side: plays a round whenever it is told to, until it is told to end. `startSide` starts
 * such a program.
 */
export async function answerRounds(
  play: () => Round | Promise<Round>,
  end: () => unknown = () => undefined,
): Promise<void> {
  const say = (said: Said): void => void process.send?.(said)
  const ended = new Promise<void>((resolve, reject) => {
    process.on('message', (told: Told) => {
      if (told === 'end') resolve()
      else Promise.resolve(play()).then((round) => say({ round }), reject)
    })
    // The program that started this one is gone.
    process.once('disconnect', resolve)
  })
  say({ ready: true })
  try {
    await ended
  } finally {
    await end()
    if (process.connected) process.disconnect()
  }
}
