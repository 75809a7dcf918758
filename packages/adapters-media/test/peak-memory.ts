/**
 * Checks every file of a folder in the order of their names, two at a time, and prints how much memory this process took for it:
 * `node peak-memory.ts FOLDER` gives `{"files","taken","idleMiB","peakMiB"}`, `taken` with the names of sound files.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LIBRARY_IMAGE } from '@almoner/domain/media'
import * as E from 'fp-ts/lib/Either.js'
import { sharpImageChecker } from '../src/index.ts'

const [folder = '.'] = process.argv.slice(2)
const checker = sharpImageChecker()
const mebibytes = (kibibytes: number): number => Math.round(kibibytes / 1024)

const idle = process.resourceUsage().maxRSS
const taken: Array<string> = []
const names = (await readdir(folder)).sort()
const waiting = names.values()
const work = async (): Promise<void> => {
  for (const name of waiting)
    if (E.isRight(await checker.check(await readFile(join(folder, name)), LIBRARY_IMAGE)())) taken.push(name)
}
await Promise.all([work(), work()])
const report = {
  files: names.length,
  taken,
  idleMiB: mebibytes(idle),
  peakMiB: mebibytes(process.resourceUsage().maxRSS),
}
process.stdout.write(JSON.stringify(report))
