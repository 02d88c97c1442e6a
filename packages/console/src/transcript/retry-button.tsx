import type { ReactElement, ReactNode } from 'react'
import { useAbout } from '../api/about.ts'
import type { Entry } from '../api/entries.ts'
import { Button } from '../ui/button.tsx'
import { useSpeech } from './speech.ts'

/** Has a question answered once more, where this key may. */
export function RetryButton({
  question,
  children,
}: {
  readonly question: Entry
  readonly children: ReactNode
}): ReactElement {
  const { scope } = useAbout()
  const { again, isSending, live, run } = useSpeech()
  if (scope === 'viewer' || run !== undefined || question.status === 'erased') return <></>
  return (
    <Button kind="quiet" small disabled={isSending || live.isRunning} onClick={() => void again(question)}>
      {children}
    </Button>
  )
}
