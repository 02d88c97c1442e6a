import type { ReactElement, ReactNode } from 'react'
import { useMoment } from '../ui/copy.tsx'
import { Button } from '../ui/ui.tsx'
import type { Drawing } from './shape.ts'
import { paperColours, svgText } from './svg.ts'

/** A picture for people who have no access to the console. */
export interface Picture {
  readonly title: string
  readonly drawing: Drawing
}

interface CopyPictureProps {
  /** Of the file, without its ending. */
  readonly name: string
  /** What it copies, for screen readers. */
  readonly label?: string
  /** Made when it is asked for. */
  readonly picture: () => Picture
}

/** Copies a picture, or saves it as a file if the browser does not let images into the clipboard. */
export function CopyPicture({ name, label, picture }: CopyPictureProps): ReactElement {
  const [became, setBecame] = useMoment<'Copied' | 'Saved' | 'Failed'>()
  const copy = (): void => {
    const png = pngOf(picture())
    intoClipboard(png)
      .then(() => 'Copied' as const)
      .catch(async () => {
        saveFile(`${name}.png`, await png)
        return 'Saved' as const
      })
      .then(setBecame, () => setBecame('Failed'))
  }
  return (
    <Button kind="quiet" small onClick={copy} aria-label={became ? undefined : label} data-copy-picture={name}>
      {became ?? 'Copy picture'}
    </Button>
  )
}

/** Without a secure address there is no clipboard, and not every browser takes images. */
async function intoClipboard(png: Promise<Blob>): Promise<void> {
  // The clipboard wants to be asked in the click; the picture may come later.
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })])
}

/** Pixels of a picture for each of its drawing. */
const sharpness = 2

async function pngOf({ title, drawing }: Picture): Promise<Blob> {
  const svg = svgText(drawing, { title, colourOf: paperColours() })
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = address
    await image.decode()
    const canvas = new OffscreenCanvas(drawing.width * sharpness, drawing.height * sharpness)
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
    return await canvas.convertToBlob({ type: 'image/png' })
  } finally {
    URL.revokeObjectURL(address)
  }
}

interface SaveButtonProps {
  readonly name: string
  readonly type: 'image/svg+xml' | 'text/csv'
  /** Made when it is asked for. */
  readonly text: () => string
  readonly label: string
  readonly children: ReactNode
}

/** Saves a text as a file. */
export function SaveButton({ name, type, text, label, children }: SaveButtonProps): ReactElement {
  const save = (): void => saveFile(name, new Blob([text()], { type: `${type};charset=utf-8` }))
  return (
    <Button kind="quiet" small onClick={save} aria-label={label}>
      {children}
    </Button>
  )
}

/** Lets the browser save a file. */
function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name.replace(/[^\w.-]+/g, '-').slice(-120)
  link.click()
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
