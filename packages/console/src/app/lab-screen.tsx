import { useParams } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { LabPage } from '../lab/lab-page.tsx'

/** The lab, at its address. */
export function LabScreen(): ReactElement {
  const { thread } = useParams({ from: '/threads/$thread/lab' })
  return <LabPage thread={thread} />
}
