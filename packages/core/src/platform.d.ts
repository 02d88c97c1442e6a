// What core uses of the platform, apart from the language. Every runtime has it.

interface AbortSignal {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
}

declare class AbortController {
  readonly signal: AbortSignal
  abort(reason?: unknown): void
}

// Only for the clock.
declare function setTimeout(run: () => void, milliseconds?: number): unknown
declare function clearTimeout(timer: unknown): void
declare function setImmediate(run: () => void): unknown

// Only for seals.
declare class TextEncoder {
  encode(text: string): Uint8Array<ArrayBuffer>
}
interface CryptoKey {
  readonly type: string
}
declare const crypto: {
  readonly subtle: {
    importKey(
      format: 'raw',
      key: Uint8Array<ArrayBuffer>,
      algorithm: { readonly name: 'HMAC'; readonly hash: 'SHA-256' },
      extractable: false,
      uses: ('sign' | 'verify')[],
    ): Promise<CryptoKey>
    sign(algorithm: 'HMAC', key: CryptoKey, data: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer>
    verify(
      algorithm: 'HMAC',
      key: CryptoKey,
      signature: Uint8Array<ArrayBuffer>,
      data: Uint8Array<ArrayBuffer>,
    ): Promise<boolean>
  }
}
