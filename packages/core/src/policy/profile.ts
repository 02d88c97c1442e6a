/** What a model's chat template allows. An absent flag means no demand. Rendering honours every flag that is set. */
export interface Profile {
  /** At most one system message, and it comes first: a later one is refused, left out or moved. */
  readonly systemFirstOnly?: boolean
  /** Calls and results aside, user and assistant messages take turns, beginning with a user's. */
  readonly mustAlternate?: boolean
  /** No system message at all: its text goes into the first user message. */
  readonly noSystem?: boolean
  /** The first message, or the first after the system message, is a user's. */
  readonly needsUser?: boolean
  /** No tool calls and no tool role: tool traffic is quoted as text in the past tense. */
  readonly noTools?: boolean
  /** An assistant message stands between a tool result and the next user message. */
  readonly answerAfterTool?: boolean
  /** The only form in which a call's arguments come out right. Absent: both do. */
  readonly argumentsAs?: 'object' | 'string'
  /** An assistant message carries at most one call: parallel calls become call, result, call, result. */
  readonly oneCallAtATime?: boolean
  /** An assistant message with calls carries no text: its text stands in a message of its own, before the call. */
  readonly callsWithoutText?: boolean
  /** A call's id is exactly nine letters or digits. */
  readonly nineCharacterIds?: boolean
  /**
   * Content is always a text, no list of calls is empty, no assistant message says nothing, every call has an id,
   * results follow in the order of the calls. What any template may count on; without it messages keep their shape.
   */
  readonly normalized?: boolean
}

/** True where a system message can only stand at the head: a conversation whose roles must alternate has no place for another. */
export function systemOnlyFirst({ systemFirstOnly, noSystem, mustAlternate }: Profile): boolean {
  return systemFirstOnly === true || noSystem === true || mustAlternate === true
}
