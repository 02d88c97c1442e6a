// `minutebook/store`: for authors of stores, queues and feeds, and for programs that read or write logs entry by entry.
export { recordNames } from './log/record-names.ts'
export { listedCall, type CallList } from './log/open-call.ts'
export { unknownEntry } from './log/log.ts'
export { branchesOf } from './log/branches.ts'
export { entryOf, identify, clientKeyOf, type EntryFacts, type NewEntry } from './log/entry.ts'
export { erasedWith, recordsErasedWith } from './log/erased-with.ts'
export {
  erasureRemains,
  removalRemains,
  type EraseOptions,
  type Erasure,
  type PruneResult,
  type Removal,
} from './log/erasure.ts'
export {
  countedFrom,
  countText,
  figureName,
  figureNames,
  mostKeys,
  mostModels,
  otherName,
  sumFigures,
  type StoredFigures,
  type CountText,
  type FigureQuery,
  type Figures,
  type NewCount,
} from './log/figures.ts'
export { sha256 } from '#sha256'
export {
  hasLongImages,
  imagesIn,
  imagesOnlyIn,
  putImagesBack,
  setImagesApart,
  withoutImages,
  type KeptEntry,
} from './log/images.ts'
export { canonicalJson, maxJsonDepth, parseJson, wellFormed } from './log/json.ts'
export { shownAttached } from './log/attachment.ts'
export { outputOf, parsedCall } from './log/message.ts'
export { origins, traits, type Origin, type Traits } from './log/kind.ts'
export { checkUnapproved } from './log/next.ts'
export { checkMetadata, metadataFrom, type Metadata, type MetadataChanges } from './log/metadata.ts'
export type { PieceId, SegmentChange, Segments, StoredSegment } from './log/segments.ts'
export {
  isUnchanged,
  recordTexts,
  refusedBy,
  type AppendResult,
  type AppendTerms,
  type SearchResult,
  type SearchScope,
  type Listing,
  type Page,
  type Range,
  type SaveOptions,
  type Snapshot,
  type Snapshots,
  type Standing,
  type StoredEntry,
  type StoredThread,
  type NewRecord,
  type PutRecords,
  type RecordQuery,
  type Records,
  type RecordText,
  type StoredRecord,
} from './log/store.ts'
export { prunePage, type PrunePageResult, type PruneOptions, type PrunePage } from './log/prune.ts'
export { workLeft, workLeftErased, type WorkLeft } from './log/unfinished.ts'
export { checksum, entryIn, payloadOf, sizeOf, storedFrom, tombstone } from './log/stored-entry.ts'
export { fewAtATime, glanceWith, type ThreadGlance, type ThreadList } from './log/thread-list.ts'
export { metadataRecords, readMetadata } from './log/thread-metadata.ts'
export { holdsPhrases, mostFound, searchPhrases, searchText, searchWords } from './log/visible.ts'
export {
  checkFeedback,
  filterName,
  searchResult,
  type FeedbackQuery,
  type Feedback,
  type KeptFeedback,
  type Rating,
} from './log/feedback.ts'
export type { FeedbackList, FeedbackPage, FeedbackResult } from './log/feedback-list.ts'
export type { LiveText, FeedEvent } from './turns/feed.ts'
