import type { ReactElement } from 'react'
import { useThreads } from '../api/threads.ts'
import { Empty } from '../ui/empty.tsx'

/** Beside the list, before a thread is chosen. */
export function Welcome(): ReactElement {
  const { threads, isLoading } = useThreads([])
  if (isLoading) return <></>
  if (threads.length > 0)
    return (
      <Empty title="Choose a thread">
        <p>
          See what was said, and what the model saw of it. <kbd>↑</kbd> <kbd>↓</kbd> move through the list,{' '}
          <kbd>Ctrl K</kbd> opens the commands.
        </p>
      </Empty>
    )
  return (
    <Empty title="Nothing is on record yet">
      <p>Point your app at this server, and every conversation appears here:</p>
      <pre className="overflow-x-auto rounded-md border border-line bg-surface p-3 text-left">{`Ollama clients   ${location.origin}\nOpenAI clients   ${location.origin}/v1`}</pre>
      <p>
        Or begin one here: <b>New thread</b>.
      </p>
    </Empty>
  )
}
