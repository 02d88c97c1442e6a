import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { Empty } from '../ui/empty.tsx'

export function NothingHere(): ReactElement {
  return (
    <Empty title="There is nothing at this address">
      <p>
        <Link to="/" className="text-accent underline">
          Go to the threads
        </Link>
        , or check the address.
      </p>
    </Empty>
  )
}
