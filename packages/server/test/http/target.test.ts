import fc from 'fast-check'
import { expect, test } from 'vitest'
import { routeOf } from '../../src/http/routes.ts'
import { readTarget } from '../../src/http/target.ts'

function kindOf(url: string, method = 'POST'): string {
  const target = readTarget(url)
  return target ? routeOf(method, target.path).kind : 'odd'
}

test.each([
  ['/api/chat', 'chat'],
  ['/v1/chat/completions', 'chat'],
  ['/api/chat?x=1', 'chat'],
  ['/v1/chat/completions?api-version=2', 'chat'],
  ['http://localhost:11435/api/chat', 'chat'],
  ['/api/generate', 'pass'],
  ['/api/tags', 'pass'],
  ['/v1/models', 'pass'],
  ['/v1/models/llama3.1%3A8b', 'pass'],
  ['/v1/models/hf.co%2Fsomeone%2Fmodel', 'pass'],
  ['/v1/models/hf.co/someone/model:latest', 'pass'],
  ['/v1/completions', 'pass'],
  ['/api/blobs/sha256:abc', 'pass'],
  ['/api/chat/x', 'pass'],
  ['/api/x?path=/../%2F//', 'pass'],
  ['/minutebook/v1', 'api'],
  ['/minutebook/v1/threads', 'api'],
  ['/console', 'console'],
  ['/console/x.js', 'console'],
  ['/livez', 'livez'],
  ['/readyz', 'readyz'],
  ['/metrics', 'metrics'],
  ['/minutebook', 'none'],
  ['/minutebook/v2/threads', 'none'],
  ['/consolex', 'none'],
  ['/api', 'none'],
  ['/apix/chat', 'none'],
  ['/v2/chat', 'none'],
  ['/', 'none'],
  ['/favicon.ico', 'none'],
  ['*', 'odd'],
  ['', 'odd'],
  ['api/chat', 'odd'],
  ['localhost:11435', 'odd'],
  ['//api/chat', 'odd'],
  ['/api//chat', 'odd'],
  ['/api/chat//', 'odd'],
  ['/api/./chat', 'odd'],
  ['/api/x/../chat', 'odd'],
  ['/api/../minutebook/v1/threads', 'odd'],
  ['/api/%2e%2e/minutebook/v1/threads', 'odd'],
  ['/api/%2E/chat', 'odd'],
  ['/api%2Fchat', 'odd'],
  ['/api/x%2f..%2fchat', 'odd'],
  ['/api/ch%61t', 'odd'],
  ['/%61pi/chat', 'odd'],
  ['/v1/chat%2Fcompletions', 'odd'],
  ['/v1/models/..%2Fchat%2Fcompletions', 'odd'],
  ['/v1/models/%2e%2e%2fchat/completions', 'odd'],
  ['/v1/models/a%2F%2Fb', 'odd'],
  ['/v1/models/a%252Fb', 'odd'],
  ['/api/ch%2561t', 'odd'],
  ['/api\\chat', 'odd'],
  ['/api/%5Cchat', 'odd'],
  ['/api/chat;x=1', 'odd'],
  ['/api/chat#x', 'odd'],
  ['/api/chat%00', 'odd'],
  ['/api/chat%0d%0ax', 'odd'],
  ['/api/chat%', 'odd'],
  ['/api/chat%2', 'odd'],
  ['/api/ch\u00e4t', 'odd'],
  ['/api/chat x', 'odd'],
  ['/api/chat/', 'none'],
  ['/api/CHAT', 'none'],
  ['/v1/Chat/Completions', 'none'],
  ['/v1/chat/completions/', 'none'],
  ['/API/chat', 'none'],
])('POST %s: %s', (url, kind) => {
  expect(kindOf(url)).toBe(kind)
})

test.each([
  ['GET', '/', 'pass'],
  ['HEAD', '/', 'pass'],
  ['GET', '/?x=1', 'pass'],
  ['GET', 'http://localhost', 'pass'],
  ['GET', '/api/chat', 'pass'],
  ['OPTIONS', '/', 'none'],
])('%s %s: %s', (method, url, kind) => {
  expect(kindOf(url, method)).toBe(kind)
})

test('the host of a request line is told', () => {
  expect(readTarget('HTTP://User@Host:1/api/chat?x')).toEqual({
    path: '/api/chat',
    query: '?x',
    authority: 'User@Host:1',
  })
  expect(readTarget('http://host?x')).toEqual({ path: '/', query: '?x', authority: 'host' })
})

/**
 * How the most liberal of servers would read a path: decoded until nothing is left to decode, segments resolved,
 * letters small.
 */
function liberally(path: string): string {
  let text = path
  for (let times = 0; times < 5; times++) {
    try {
      text = decodeURIComponent(text)
    } catch {
      break
    }
  }
  const segments: string[] = []
  for (const segment of text.replaceAll('\\', '/').split(/[?#]/, 1)[0]?.split('/') ?? []) {
    const [name = ''] = segment.split(';', 1)
    if (name === '..') segments.pop()
    else if (name !== '' && name !== '.') segments.push(name.toLowerCase())
  }
  return `/${segments.join('/')}`
}

test('what is passed on is never read as a chat or as a path of ours by anybody', () => {
  const piece = fc.constantFrom(
    '/',
    '/',
    'api',
    'chat',
    'v1',
    'completions',
    'models',
    'minutebook',
    'metrics',
    '.',
    '..',
    '%2e',
    '%2F',
    '%2f',
    '%5c',
    '\\',
    ';',
    '%61pi',
    'c%68at',
    'CHAT',
    '%25',
    '%252e',
    '//',
    '?',
    '#',
    'x',
    '%',
    '%00',
  )
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 10 }),
      fc.constantFrom('/', '/api/', '/v1/', '/v1/models/'),
      (pieces, start) => {
        const target = readTarget(start + pieces.join(''))
        if (!target || routeOf('POST', target.path).kind !== 'pass') return
        expect(['/api/chat', '/v1/chat/completions', '/metrics']).not.toContain(liberally(target.path))
        expect(liberally(target.path)).toMatch(/^\/(api|v1)(\/|$)/)
      },
    ),
  )
})
