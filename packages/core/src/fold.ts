// `minutebook/fold`: compile a conversation that grows, without reading it again each time.
export { advance, createFold, entriesOf, type Fold } from './compiler/fold.ts'
export { condensed, loadFold, saveFold, type SavedFold } from './past/saved-fold.ts'
