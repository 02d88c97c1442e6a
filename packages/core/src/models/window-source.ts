import type { ServerSource } from './discover-window.ts'

/**
 * Who says how large a window is: the request, the operator, a page of the server, its refusal of a prompt that was too long, or its
 * counts of prompts that it cut. `assumed`: nobody.
 */
export type WindowSource = ServerSource | 'request' | 'configuration' | 'refusal' | 'read' | 'assumed'

/** What prompts of ours are made for if nobody says how large the window is. */
export const assumedWindow: number = 32_768
