import { dumpLines } from '../call/call.ts'
import { withThread } from '../thread/find.ts'
import { callCommand, type CallOptions, choiceOf, type DefineCommand, show, withConnection } from './command.ts'

export const define: DefineCommand = (command, terminal, setExitCode) => {
  callCommand(command).action((thread: string | undefined, call: string | undefined, options: CallOptions) =>
    withConnection(terminal, options, setExitCode, async ({ archive }) => {
      const dump = await withThread(archive, thread, (id) => archive.dump(id, choiceOf(call, options)))
      show(terminal, options, dump, () => dumpLines(dump, terminal))
      return dump.same ? 0 : 1
    }),
  )
}
