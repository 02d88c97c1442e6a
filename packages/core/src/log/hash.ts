/**
 * SHA-256 by the platform's own implementation if it has a synchronous one, as Node, Bun and Deno do, else by ours.
 * `imports` in package.json chooses.
 */
export { createSha256, sha256, type Sha256 } from '#sha256'
