import { useState, type ReactElement } from 'react'
import { useImage } from '../api/entries.ts'
import { plural } from '../ui/text.ts'
import { Dialog, useOpenDialog } from '../ui/dialog.tsx'
import { Badge, Button } from '../ui/ui.tsx'

interface ImagesProps {
  readonly thread: string
  readonly entry: string
  readonly count: number
}

/** The images of a message, small. A click enlarges one. */
export function Images({ thread, entry, count }: ImagesProps): ReactElement {
  return (
    <ul aria-label={plural(count, 'image', 'images')} className="mt-1 flex flex-wrap items-center gap-2">
      {Array.from({ length: Math.min(count, most) }, (_, index) => (
        <li key={index}>
          <Thumbnail thread={thread} entry={entry} index={index} />
        </li>
      ))}
      {count > most && <li className="text-xs text-muted">and {plural(count - most, 'more image', 'more images')}</li>}
    </ul>
  )
}

/** Of one message. */
const most = 8

interface ThumbnailProps {
  readonly thread: string
  readonly entry: string
  readonly index: number
}

function Thumbnail({ thread, entry, index }: ThumbnailProps): ReactElement {
  const address = useImage(thread, entry, index)
  const [isBroken, setBroken] = useState(false)
  const openDialog = useOpenDialog()
  const name = nameOf(index)
  if (address === null || isBroken)
    return (
      <Badge title="Only PNG, JPEG, GIF and WebP images that are recorded themselves are shown.">
        {name}: not shown
      </Badge>
    )
  if (address === undefined) return <span className="block size-24 rounded-md border border-line bg-sunken" />
  const enlarge = (): void =>
    openDialog((close) => <LargeImage thread={thread} entry={entry} index={index} onClose={close} />)
  return (
    <button type="button" aria-label={`${name}: enlarge`} onClick={enlarge} className="block rounded-md">
      <img
        src={address}
        alt=""
        decoding="async"
        onError={() => setBroken(true)}
        className="max-h-32 max-w-60 rounded-md border border-line object-contain"
      />
    </button>
  )
}

interface LargeImageProps extends ThumbnailProps {
  readonly onClose: () => void
}

function LargeImage({ thread, entry, index, onClose }: LargeImageProps): ReactElement {
  // Its own address: that of the thumbnail ends with the row.
  const address = useImage(thread, entry, index)
  const name = nameOf(index)
  return (
    <Dialog label={name} onClose={onClose} className="max-w-5xl">
      <div className="space-y-2">
        {address && <img src={address} alt={name} className="mx-auto max-h-[70vh] max-w-full object-contain" />}
        <div className="flex justify-end">
          <Button small onClick={onClose}>
            Close
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

function nameOf(index: number): string {
  return `Image ${index + 1}`
}
