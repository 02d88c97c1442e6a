import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gateway, temporaryFolder } from '../../../../tests/support/server/gateway.ts'
import { rawGet } from '../../../../tests/support/server/raw.ts'

function builtPage(): string {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Minutebook</title>')
  writeFileSync(join(folder, 'assets/main-1a2b.js'), `export {} // ${'x'.repeat(2000)}`)
  writeFileSync(join(folder, '../secret.txt'), 'secret')
  return folder
}

test('every address below /console is the page, for whoever reaches the server', async () => {
  const { url } = await gateway(
    { keys: [{ name: 'a', tenant: 'default', scope: 'app', sha256: '1'.repeat(64) }] },
    { consoleFolder: builtPage() },
  )
  for (const path of [
    '/console',
    '/console/',
    '/console/threads/garden',
    '/console/threads/~YS9i/calls/9f2c',
    '/console/search?query=shade',
  ]) {
    const response = await fetch(url + path)
    expect({
      path,
      status: response.status,
      type: response.headers.get('content-type'),
      cache: response.headers.get('cache-control'),
    }).toEqual({ path, status: 200, type: 'text/html; charset=utf-8', cache: 'no-cache' })
    expect(await response.text()).toContain('<title>Minutebook</title>')
  }
})

test('nothing but its own scripts may run in it, and nothing of it be framed or sniffed', async () => {
  const { url } = await gateway({}, { consoleFolder: builtPage() })
  for (const path of ['/console', '/console/assets/main-1a2b.js', '/console/assets/none.js', '/console/session']) {
    const { headers } = await fetch(url + path)
    const policy = new Map(
      headers
        .get('content-security-policy')!
        .split('; ')
        .map((rule) => [rule.split(' ', 1)[0]!, rule.split(' ').slice(1).join(' ')]),
    )
    expect(policy.get('default-src')).toBe("'none'")
    expect(policy.get('script-src')).toBe("'self'")
    expect(policy.get('style-src')).toBe("'self'")
    expect(policy.get('connect-src')).toBe("'self'")
    expect(policy.get('img-src')).toBe("'self' data: blob:")
    expect(policy.get('frame-ancestors')).toBe("'none'")
    expect(policy.get('base-uri')).toBe("'none'")
    expect(policy.get('require-trusted-types-for')).toBe("'script'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  }
})

test('a file whose name changes with it is kept for ever, and goes as the build compressed it', async () => {
  const folder = builtPage()
  writeFileSync(join(folder, 'assets/main-1a2b.js.gz'), 'bytes of gzip')
  writeFileSync(join(folder, 'assets/main-1a2b.js.br'), 'bytes of brotli')
  const { url } = await gateway({}, { consoleFolder: folder })
  const path = '/console/assets/main-1a2b.js'
  const sent = async (accepted: string): Promise<string[]> => {
    const headers = [`Host: ${new URL(url).host}`, `Accept-Encoding: ${accepted}`]
    const { head, body } = await rawGet(url, path, headers)
    return [/content-encoding: (\w+)/i.exec(head)?.[1] ?? 'none', body]
  }
  const plain = await fetch(url + path, { headers: { 'accept-encoding': 'identity' } })
  expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(await sent('identity')).toEqual(['none', await plain.text()])
  expect(await sent('gzip')).toEqual(['gzip', 'bytes of gzip'])
  expect(await sent('br, gzip')).toEqual(['br', 'bytes of brotli'])
  for (const ending of ['.gz', '.br']) expect((await fetch(url + path + ending)).status).toBe(404)
})

test('the server compresses nothing: a file that the build did not compress goes as it is', async () => {
  const { url } = await gateway({}, { consoleFolder: builtPage() })
  const response = await fetch(`${url}/console/assets/main-1a2b.js`, { headers: { 'accept-encoding': 'br, gzip' } })
  expect(response.headers.get('content-encoding')).toBeNull()
  expect(await response.text()).toContain('x'.repeat(2000))
  const sources = new URL('../../src/console/', import.meta.url)
  for (const file of readdirSync(sources))
    expect(readFileSync(new URL(file, sources), 'utf8'), file).not.toMatch(/zlib/)
})

test('what is not of the page is not there, and nothing can be sent to it', async () => {
  const { url } = await gateway({}, { consoleFolder: builtPage() })
  expect((await fetch(`${url}/console/assets/none.js`)).status).toBe(404)
  const host = [`Host: ${new URL(url).host}`]
  for (const target of [
    '/console/../secret.txt',
    '/console/%2e%2e/secret.txt',
    '/console/assets/..%2f..%2fsecret.txt',
    '/console//etc/passwd',
  ]) {
    const { status, body } = await rawGet(url, target, host)
    expect({ target, status }).toEqual({ target, status: 400 })
    expect(body).not.toContain('secret\n')
  }
  expect((await fetch(`${url}/console`, { method: 'POST' })).status).toBe(405)
  expect((await rawGet(url, '/console', ['Host: evil.example'])).status).toBe(403)
})

test('a page that is built anew is served anew, and what is gone is not there', async () => {
  const folder = builtPage()
  const { url } = await gateway({}, { consoleFolder: folder })
  await (await fetch(`${url}/console`)).text()
  rmSync(join(folder, 'assets/main-1a2b.js'))
  expect((await fetch(`${url}/console/assets/main-1a2b.js`)).status).toBe(404)
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Anew</title>')
  writeFileSync(join(folder, 'assets/main-3c4d.js'), 'export {}')
  utimesSync(join(folder, 'index.html'), 1, 1)
  expect(await (await fetch(`${url}/console`)).text()).toContain('Anew')
  expect((await fetch(`${url}/console/assets/main-3c4d.js`)).status).toBe(200)
})

test('where it was not built, it says how', async () => {
  const { url } = await gateway({}, { consoleFolder: temporaryFolder() })
  const response = await fetch(`${url}/console`)
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({
    error: { code: 'no_console', fix: expect.stringContaining('npm run build') },
  })
})
