import { createHash } from 'node:crypto'

/** What is otherwise in every run, by what stands for it in the transcript. */
export interface Here {
  readonly gatewayPort: number
  readonly enginePort: number
  /** Folders of this machine, and how they are shown. */
  readonly folders: ReadonlyMap<string, string>
}

/** Makes one run's text like that of any other: the same ids, times, ports and folders, each as long as it was. */
export function createSteady({ gatewayPort, enginePort, folders }: Here): (text: string) => string {
  const threads = createNames(
    (count) => `20260101-0900${String(count).padStart(2, '0')}000-${digest(`thread ${count}`).slice(0, 10)}`,
  )
  const entries = createNames((count) => digest(`entry ${count}`))
  return (text) => {
    let steady = text
    for (const [folder, shown] of folders) steady = steady.replaceAll(folder, shown)
    return steady
      .replaceAll(`:${gatewayPort}`, ':11435')
      .replaceAll(`:${enginePort}`, ':11434')
      .replaceAll(/\b\d{8}-\d{9}-[0-9a-z]{10}\b/g, threads)
      .replaceAll(/\b[0-9a-f]{64}\b/g, entries)
      .replaceAll(/#login=[\w-]{32}/g, `#login=${digest('login').slice(0, 32)}`)
      .replaceAll(/^date: .*$/gim, 'Date: Thu, 01 Jan 2026 09:00:00 GMT')
      .replaceAll(/"created":\d+/g, '"created":1767258000')
      .replaceAll(/\(process \d+\)/g, '(process 4711)')
      .replaceAll(/ · \d+\.\d s · /g, ' · 0.1 s · ')
      .replaceAll(/^[\d.]+ m?s: waited [\d.]+ m?s (\(.*\)), wrote [\d.]+ m?s/gm, '1.2 s: waited 0.4 s $1, wrote 0.8 s')
      .replaceAll(/^[\d.]+ m?s (?=\([\d,]+ new tokens?\))/gm, '1.2 s ')
      .replaceAll(/ in \d+(?:ms|s)$/gm, ' in 5s')
      .replaceAll(/\b\d min ago\b/g, 'just now ')
  }
}

/** The same name for the same text, a new one for each new text. */
function createNames(nameOf: (count: number) => string): (text: string) => string {
  const names = new Map<string, string>()
  return (text) => {
    const name = names.get(text) ?? nameOf(names.size + 1)
    names.set(text, name)
    return name
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
