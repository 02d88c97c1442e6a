import { answer } from './edge.ts'

console.log(await answer())
