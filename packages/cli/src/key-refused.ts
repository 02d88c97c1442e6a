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
    return new MinutebookError(
      code,
      token === undefined || token === ''
        ? `The server at ${url} wants a key; pass yours with --key, or set MINUTEBOOK_KEY.`
        : `The server at ${url} does not know this key, or it was revoked; pass another with --key, or set MINUTEBOOK_KEY.`,
    )
  if (code === 'forbidden' || code === 'only_chats')
    return new MinutebookError(code, `${String(message)} The key is that of --key, or of MINUTEBOOK_KEY.`)
  return undefined
}
