import type { Thread } from '@minutebook/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { useAbout } from '../api/about.ts'
import { useClient } from '../api/client-context.tsx'
import { unwrap } from '../api/unwrap.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'

/** Begins a thread, where this key may. */
export function NewThread(): ReactElement {
  const client = useClient()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { scope } = useAbout()
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => unwrap<Thread>(await client.POST('/minutebook/v1/threads', { body: {} })),
    onSuccess: async ({ thread }) => {
      await navigate({ to: '/threads/$thread', params: { thread } })
      void queries.invalidateQueries({ queryKey: ['newest'] })
    },
  })
  if (scope === 'viewer') return <></>
  return (
    <Button
      small
      kind="plain"
      disabled={isPending}
      onClick={() => mutate()}
      aria-label="New thread"
      title={error ? error.message : 'New thread'}
    >
      <Icon name="add" />
    </Button>
  )
}
