/** A chat as the engine saw it. */
export interface Seen {
  readonly messages: readonly object[]
  /** The rendered prompt: all that the model was given. */
  readonly prompt: string
  /** Tokens of that prompt, and how many of them the engine put into its window: none where it refused. */
  readonly sent: number
  readonly evaluated: number
  /** How many of those stood in the window already. */
  readonly reused: number
  readonly isRefused: boolean
}

/** Whether the engine took the prompt, but not all of it. */
export function isTruncated({ isRefused, sent, evaluated }: Seen): boolean {
  return !isRefused && evaluated !== sent
}
