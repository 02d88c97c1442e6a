import { useState, type ReactElement } from 'react'
import { useImage } from '../api/entries.ts'
import { plural } from '../ui/text.ts'
import { Badge, Button, Dialog } from '../ui/ui.tsx'

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

function Thumbnail({
  thread,
  entry,
  index,
}: {
  readonly thread: string
  readonly entry: string
  readonly index: number
}): ReactElement {
  const address = useImage(thread, entry, index)
  const [isBroken, setBroken] = useState(false)
  const [isLarge, setLarge] = useState(false)
  const name = `Image ${index + 1}`
  if (address === null || isBroken)
    return (
      <Badge title="Only PNG, JPEG, GIF and WebP images that are recorded themselves are shown.">
        {name}: not shown
      </Badge>
    )
  if (address === undefined) return <span className="block size-24 rounded-md border border-line bg-sunken" />
  return (
    <>
      <button type="button" aria-label={`${name}: enlarge`} onClick={() => setLarge(true)} className="block rounded-md">
        <img
          src={address}
          alt=""
          decoding="async"
          onError={() => setBroken(true)}
          className="max-h-32 max-w-60 rounded-md border border-line object-contain"
        />
      </button>
      {isLarge && (
        <Dialog label={name} onClose={() => setLarge(false)} className="max-w-5xl">
          <div className="space-y-2">
            <img src={address} alt={name} className="mx-auto max-h-[70vh] max-w-full object-contain" />
            <div className="flex justify-end">
              <Button small onClick={() => setLarge(false)}>
                Close
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </>
  )
}
