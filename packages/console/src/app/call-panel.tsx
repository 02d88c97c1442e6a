import { useParams } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { InspectorPage } from '../inspector/inspector-page.tsx'

/** The inspector, at its address. */
export function CallPanel(): ReactElement {
  const { thread, receipt } = useParams({ from: '/threads/$thread/calls/$receipt' })
  return <InspectorPage thread={thread} receipt={receipt} />
}
