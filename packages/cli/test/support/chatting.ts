import { setTimeout as pause } from 'node:timers/promises'
import { run } from '../../src/program.ts'
import { testTerminal, type Ran, type TestTerminal, type TestTerminalOptions } from './terminal.ts'
import { within } from '../../../../tests/support/patience.ts'

/** A chat whose lines are piped in. */
export async function pipedChat(
  args: readonly string[],
  data: string,
  lines: readonly string[],
  options: TestTerminalOptions = {},
): Promise<Ran> {
  const { terminal, input, output, errors } = testTerminal({
    ...options,
    environment: { MINUTEBOOK_DATA: data, ...options.environment },
  })
  input.end(lines.map((line) => `${line}\n`).join(''))
  const code = await run(['chat', ...args], terminal)
  await pause(5)
  return { code, output: output(), errors: errors() }
}

export interface TypedChat extends Pick<TestTerminal, 'output' | 'errors'> {
  type(keys: string): void
  /** Waits until something was shown that was not before. */
  shows(text: string): Promise<void>
  readonly ended: Promise<number>
}

/** A chat at a terminal, where somebody types. */
export function typedChat(args: readonly string[], data: string): TypedChat {
  const { terminal, input, output, errors } = testTerminal({
    tty: true,
    environment: { MINUTEBOOK_DATA: data, NO_COLOR: '1' },
  })
  let from = 0
  return {
    output,
    errors,
    type: (keys) => void input.write(keys),
    shows: async (text) => {
      for (let waited = 0; !output().includes(text, from); waited += 5) {
        if (waited > within(20_000)) throw new Error(`"${text}" was not shown; what was: ${output().slice(from)}`)
        await pause(5)
      }
      from = output().indexOf(text, from) + text.length
    },
    ended: run(['chat', ...args], terminal),
  }
}
