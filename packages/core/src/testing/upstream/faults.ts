/** What goes wrong, on purpose. Chunks are lines of NDJSON or server-sent events; an answer in one piece is one chunk. */
export interface UpstreamFaults {
  /** Answers with this status and an error in the protocol's own shape. */
  readonly failWith?: number
  /** Answers 200, sends so many chunks, then an error in the protocol's own shape. */
  readonly errorAfter?: number
  /** What the error says. */
  readonly errorText?: string
  /** Sends so many chunks, then nothing more. 0: does not even begin to answer. */
  readonly stallAfter?: number
  /** Sends so many chunks, then destroys the connection. 0: does not even begin to answer. */
  readonly abortAfter?: number
  /** Sends so many chunks, then ends the answer as if it were whole. */
  readonly endAfter?: number
  /** Bytes of the body that are written at a time, wherever they fall. */
  readonly split?: number
  /** Milliseconds before each chunk. */
  readonly delay?: number
  /** false: reports no token counts. */
  readonly usage?: boolean
  /** true: answers in one piece, even where a stream was asked for. */
  readonly whole?: boolean
}
