export interface TermIndex { readonly length: number }
export function createIndex(): TermIndex { return { length: 0 } }
export function forkIndex(index: TermIndex, _count: number): TermIndex { return index }
