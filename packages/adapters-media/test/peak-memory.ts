/**
 * Checks every file of a folder, each of them twice at once, and prints how much memory this process took for it:
 * `node peak-memory.ts FOLDER` gives `{"files","taken","idleMiB","peakMiB"}`, `taken` with the names of sound files.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LIBRARY_IMAGE } from '@almoner/domain/library'
import * as E from 'fp-ts/lib/Either.js'
import { sharpImageChecker } from '../src/index.ts'

const [folder = '.'] = process.argv.slice(2)
const checker = sharpImageChecker()
const mebibytes = (kibibytes: number): number => Math.round(kibibytes / 1024)

const idle = process.resourceUsage().maxRSS
const taken: Array<string> = []
const names = await readdir(folder)
for (const name of names) {
  const bytes = await readFile(join(folder, name))
  const check = checker.check(bytes, LIBRARY_IMAGE)
  const results = await Promise.all([check(), check()])
  if (results.every(E.isRight)) taken.push(name)
}
const report = {
  files: names.length,
  taken,
  idleMiB: mebibytes(idle),
  peakMiB: mebibytes(process.resourceUsage().maxRSS),
}
process.stdout.write(JSON.stringify(report))
