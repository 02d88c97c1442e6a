import { expect, test } from 'vitest'
import { inTheClone, missingOn, pageOf, walks } from './walk.ts'

test.each(walks)('$page has every command of its walk', (walk) => {
  expect(missingOn(pageOf(walk), walk)).toEqual([])
  expect(pageOf(walk)).toContain(`\`${inTheClone}\``)
})

test('a command that is not on a page is named', () => {
  const text = 'Type `one`:\n\n```sh\ntwo --long \\\n  three    # why\n```\n\n```yaml\nname: four\n```\n'
  const steps = ['one', 'two --long three', 'five'].map((type) => ({ type, prints: /./ }))
  const saved = ['four', 'six'].map((part) => ({ save: `${part}.yaml`, language: 'yaml', with: part }))
  expect(missingOn(text, { steps: [...steps, ...saved] })).toEqual(['five', 'six.yaml'])
})
