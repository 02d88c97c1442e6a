// May we pass on everything that our packages bring along? Prints each with its licence: npm run licenses
import { bundledIn, installedWith, isAllowed, ourPackages } from './dependencies.ts'

let refused = 0
for (const { folder, name } of ourPackages()) {
  const all = [...installedWith(folder), ...bundledIn(folder)]
  console.log(`\n${name}: ${all.length === 0 ? 'brings nothing along' : `${all.length} packages`}`)
  for (const { name: other, version, license, isBundled } of all) {
    const isFine = isAllowed(license)
    if (!isFine) refused++
    console.log(`  ${isFine ? ' ' : '✗'} ${other} ${version}  ${license}${isBundled ? '  (inside)' : ''}`)
  }
}
console.log(
  refused === 0 ? '\nall licences are on the list' : `\n${refused} licences are not on the list of dependencies.ts`,
)
if (refused > 0) process.exitCode = 1
