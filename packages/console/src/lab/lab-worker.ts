import { createLabDesk } from './lab-desk.ts'
import type { LabRequest } from './lab-messages.ts'

/** Beside the page, so that a slider never waits for a prompt. */
const desk = createLabDesk({
  respond: (response) => (postMessage as (message: unknown) => void)(response),
  breathe: () => new Promise((resolve) => setTimeout(resolve, 0)),
  now: () => performance.now(),
})

addEventListener('message', ({ data }: MessageEvent<LabRequest>) => desk.take(data))
