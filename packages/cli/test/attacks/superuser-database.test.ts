// Finding 7: nobody is told that the server connects to Postgres as a role that row-level security does not bind.
import { strictUpstream } from '@minutebook/testing/server'
import { expect, test } from 'vitest'
import { askAs, composeDatabase } from '../../../../tests/support/postgres/compose-roles.ts'
import { dataFolder } from '../support/data-folder.ts'
import { runCommand } from '../support/terminal.ts'

test('migrate gives the role of instances its rights, doctor says whom row-level security does not bind, and serve does not start for several tenants', async (context) => {
  const { superuser, owner, app } = await composeDatabase(context, 18)
  using data = dataFolder()
  await using upstream = await strictUpstream()
  const command = (args: readonly string[], database: string): ReturnType<typeof runCommand> =>
    runCommand([...args, '--database', database], data.path, { environment: { MINUTEBOOK_UPSTREAMS: upstream.url } })

  expect(await command(['migrate', '--app-role', 'nobody'], owner)).toMatchObject({
    code: 1,
    errors: expect.stringContaining('There is no role with this name') as string,
  })
  expect((await command(['migrate', '--app-role', 'minutebook_app'], owner)).output).toContain(
    '✓ minutebook_app has the rights of an instance',
  )
  expect(
    JSON.parse((await command(['migrate', '--app-role', 'minutebook_app', '--json'], owner)).output),
  ).toMatchObject({ applied: [], appRole: 'minutebook_app' })

  const examined = async (database: string): Promise<{ readonly code: number; readonly role: object | undefined }> => {
    const { code, output } = await command(['doctor', '--json'], database)
    const { checks } = JSON.parse(output) as {
      readonly checks: readonly { readonly what: string; readonly says: string }[]
    }
    return { code, role: checks.find(({ what, says }) => what === 'store' && says.includes('row-level security')) }
  }
  expect(await examined(app)).toEqual({
    code: 0,
    role: { what: 'store', state: 'ok', says: 'row-level security binds the role minutebook_app' },
  })
  expect(await examined(superuser)).toMatchObject({
    code: 0,
    role: {
      state: 'warn',
      says: 'The database role "postgres" is a superuser, so row-level security does not keep tenants apart',
      fix: expect.stringContaining('Connect as a role to which row-level security applies') as string,
    },
  })

  expect((await command(['keys', 'create', 'shop', '--tenant', 'shop'], app)).code).toBe(0)
  expect(await examined(superuser)).toMatchObject({
    code: 1,
    role: {
      state: 'bad',
      says: expect.stringContaining('and there are several tenants (shop): the server does not start') as string,
    },
  })
  expect(await command(['serve', '--port', '0'], superuser)).toMatchObject({
    code: 1,
    errors: expect.stringContaining('The database role "postgres" is a superuser') as string,
  })
  expect(await examined(app)).toMatchObject({ code: 0 })
  expect(await askAs(owner, 'select from minutebook.entry')).toEqual([])
})
