declare const TextDecoder: new () => { decode(bytes?: Uint8Array, options?: { readonly stream: boolean }): string }

/** A response body, as every fetch has it. */
export interface Body {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>
    cancel(): Promise<void>
  }
}

/** The lines of a body, however its bytes are split. `open`: nothing says that the line is whole. */
export async function* linesOf(body: Body): AsyncGenerator<{ readonly text: string; readonly open: boolean }> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let pieces: string[] = []
  try {
    for (;;) {
      const { done, value } = await reader.read()
      const [first = '', ...rest] = decoder.decode(value, { stream: !done }).split('\n')
      pieces.push(first)
      for (const piece of rest) {
        yield { text: pieces.join(''), open: false }
        pieces = [piece]
      }
      if (!done) continue
      yield { text: pieces.join(''), open: true }
      return
    }
  } finally {
    // Whoever stops early has no use for the rest; what cancelling meets is of no concern any more.
    reader.cancel().catch(() => undefined)
  }
}
