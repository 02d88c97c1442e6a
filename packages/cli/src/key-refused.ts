import { MinutebookError } from 'minutebook'

/**
 * What a server says of a key, as whoever passes it to a command can mend it; undefined where it is about something
 * else.
 */
export function keyRefused(
  code: unknown,
  message: unknown,
  { url, token }: { readonly url: string; readonly token?: string | undefined },
): MinutebookError | undefined {
  if (code === 'unauthorized')
    return token === undefined || token === ''
      ? new MinutebookError(code, `The server at ${url} wants a key.`, 'Pass yours with --key, or set MINUTEBOOK_KEY.')
      : new MinutebookError(
          code,
          `The server at ${url} does not know this key, or it was revoked.`,
          'Pass another with --key, or set MINUTEBOOK_KEY.',
        )
  if (code === 'forbidden' || code === 'only_chats')
    return new MinutebookError(code, String(message), 'The key is that of --key, or of MINUTEBOOK_KEY.')
  return undefined
}
