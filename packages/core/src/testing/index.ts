export { words } from './words.ts'
export { assistant, call, result, system, user } from './builders.ts'
export { findIllegal } from './strict.ts'
