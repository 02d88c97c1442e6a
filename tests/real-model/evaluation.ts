export interface Evaluation {
  /** The tokens that stand in the window now. */
  readonly tokens: number
  /** How many of them were still there from the prompt before: the length of the common beginning. */
  readonly reused: number
}

export class PromptTooLarge extends Error {
  readonly tokens: number
  readonly contextSize: number

  constructor(tokens: number, contextSize: number) {
    super(`The prompt has ${tokens} tokens; a window of ${contextSize} holds at most ${contextSize - 1} and an answer.`)
    this.name = 'PromptTooLarge'
    this.tokens = tokens
    this.contextSize = contextSize
  }
}
