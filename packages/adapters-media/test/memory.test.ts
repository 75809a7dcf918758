import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { heaviestUploads } from './corpus/heaviest.ts'
import { buildCorpus } from './corpus.ts'

const SCRIPT = join(import.meta.dirname, 'peak-memory.ts')

interface Report {
  readonly files: number
  readonly taken: ReadonlyArray<string>
  readonly idleMiB: number
  readonly peakMiB: number
}

/** Two decodes of the heaviest images at once, and room for the process itself. */
const ENOUGH_MIB = 1000

t.test('D1: checking any bytes needs bounded memory', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'almoner-corpus-'))
  t.teardown(() => rm(folder, { recursive: true }))
  // Twice each, with names that follow each other, so that two of a kind are decoded at once.
  const heaviest = Object.entries(heaviestUploads()).flatMap(([name, bytes]) => [
    [`${name}-1`, bytes] as const,
    [`${name}-2`, bytes] as const,
  ])
  const uploads = (await buildCorpus()).map(({ bytes }, n) => [`${n}`, bytes] as const)
  for (const [name, bytes] of [...uploads, ...heaviest]) await writeFile(join(folder, name), bytes)
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, folder])
  const report: Report = JSON.parse(stdout)
  const { files, idleMiB, peakMiB } = report
  t.comment(`${files} files, ${idleMiB} MiB before, ${peakMiB} MiB at most`)
  for (const [name] of heaviest) t.ok(report.taken.includes(name), `${name} was decoded`)
  t.ok(peakMiB < ENOUGH_MIB)
})
