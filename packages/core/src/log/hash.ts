/**
 * SHA-256. `imports` in package.json chooses the implementation: the platform's own if it is synchronous (Node, Bun,
 * Deno), or else sha256.ts.
 */
export { createSha256, sha256, type Sha256 } from '#sha256'
