import { spawn } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { makeErrorReport, withArchive as openArchive, verifyExport } from '@almoner/adapters-kysely/archive'
import { done } from '@almoner/testkit/contracts'
import * as fc from 'fast-check'
import t, { type Test } from 'tap'
import { UNRELEASED } from '../../../../packages/adapters-sqlite/test/fixtures/unreleased.ts'
import { entriesIn, furnish, imageIn, onTransferStore, rewrite } from '../support/archive.ts'
import { credentialsCheck, makeCurrent, makeOlder } from '../support/database.ts'
import { ownFolder } from '../support/own-folder.ts'
import { command, watchedCommand } from '../support/portfolio.ts'

const BIN = join(import.meta.dirname, '../../almoner.js')

const folder = ownFolder()
const credentials = await furnish(folder)
const archive = join(folder, 'all.tar')
await command(folder, 'export', archive)

/** A furnished service in a folder, a copy of its archive for a test, and a folder for a new service. */
const withArchive = async (t: Test) => {
  const place = t.testdir({ new: {} })
  const file = join(place, 'all.tar')
  copyFileSync(archive, file)
  return { place, file, fresh: join(place, 'new') }
}

const linesOf = (err: string, file: string): ReadonlyArray<string> =>
  err
    .trimEnd()
    .split('\n')
    .map((line) => line.replace('almoner: ', '').replaceAll(file, 'FILE'))

/** What an import into a new folder says of an archive that was changed. */
const saidOf = async (
  { file, fresh }: { readonly file: string; readonly fresh: string },
  change: Parameters<typeof rewrite>[2],
) => {
  const changed = await rewrite(file, `${file}.changed`, change)
  const { code, err } = await command(fresh, 'import', changed)
  return [code, ...linesOf(err, changed)]
}

const inRows =
  (table: string, change: (text: string) => string) =>
  (name: string, bytes: Buffer): Buffer | string =>
    name.startsWith(`rows/${table}-`) ? change(bytes.toString()) : bytes

const inManifest =
  (change: (manifest: Record<string, unknown>) => unknown) =>
  (name: string, bytes: Buffer): Buffer | string =>
    name === 'manifest.json' ? JSON.stringify(change(JSON.parse(bytes.toString()))) : bytes

t.test('an imported service equals the exported one, and gives the same archive', async (t) => {
  const { place, file, fresh } = await withArchive(t)
  t.match(await command(fresh, 'import', file), { code: 0, err: '' })
  const again = join(place, 'again.tar')
  await command(fresh, 'export', again)
  t.ok(readFileSync(file).equals(readFileSync(again)), 'byte for byte')
  const { client_id, client_secret } = credentials
  t.equal(await credentialsCheck(fresh, client_id, client_secret), 'mover', 'secrets are still valid')
  const image = 'sample-upload-000003.png'
  t.equal(imageIn(fresh, image), imageIn(folder, image))
  t.match(await command(fresh, 'doctor'), { err: '' })
})

t.test('a service with data is rejected, with a list of its data', async (t) => {
  const { file } = await withArchive(t)
  const { code, err } = await command(folder, 'import', file)
  t.equal(code, 1)
  t.match(err, /^almoner: the service is not empty: it holds 3 of media, .*, 1 of client, .*\n$/)
  const broken = await rewrite(
    file,
    `${file}.broken`,
    inRows('client', () => 'no\n'),
  )
  const both = await command(folder, 'import', broken, '--dry-run')
  t.match(linesOf(both.err, broken), [
    /^the service is not empty/,
    'FILE: rows/client-000001.ndjson:1: is no JSON',
  ])
})

t.test('a dry run reports what would be imported and changes nothing', async (t) => {
  const { file, fresh } = await withArchive(t)
  const { code, out, err } = await command(fresh, 'import', file, '--dry-run')
  t.strictSame([code, err], [0, ''])
  t.match(out, /^\d+ rows and 6 images could be imported\. Nothing was changed\.\n$/)
  t.notOk(readdirSync(join(fresh, 'data/media')).some((name) => name.endsWith('.png')))
  t.match(await watchedCommand(fresh, 'import', file), { code: 0 }, 'it can still be imported')
})

t.test('every bad row is named by entry and line, and nothing is imported', async (t) => {
  const archive = await withArchive(t)
  const said = await saidOf(
    archive,
    inRows('device', (text) =>
      text
        .split('\n')
        .map((line, n) => {
          if (n === 0) return line.replace('"id":1', '"id":0').replace('"epoch":1', '"epoch":"1"')
          if (n === 1) return '{"id":2'
          if (n === 2) return line.replace('"kind":"fcm"', '"kind":"Fax","more":1')
          if (n === 3) return line.replace('"id":4', '"id":3')
          return line
        })
        .join('\n'),
    ),
  )
  const at = 'FILE: rows/device-000001.ndjson'
  t.strictSame(said, [
    1,
    `${at}:1: id "0" must be a whole number from 1 on`,
    `${at}:1: epoch "1" must be a whole number from 0 on`,
    `${at}:2: is no JSON`,
    `${at}:3: kind "Fax" must be a kind of device`,
    `${at}:3: more is no column of device: the nearest known name is token`,
  ])
  const repeated = inRows('device', (text) => text.replace('"id":4', '"id":3'))
  t.strictSame(await saidOf(archive, repeated), [1, `${at}:4: id must be behind that of the row before`])
  const dangling = inRows('person', (text) => text.replace('reader-00002', 'reader-00001b'))
  t.strictSame(await saidOf(archive, dangling), [
    1,
    `${at}:3: email, lang, subscribed must be of a row of person`,
  ])
  t.match(await command(archive.fresh, 'import', archive.file), { code: 0 }, 'it is still empty')
})

t.test('H4: a line that is longer than any row is named, and never parsed', async (t) => {
  const archive = await withArchive(t)
  const long = inRows('client', () => `[${'{},'.repeat(400_000)}{}]\n`)
  t.strictSame(await saidOf(archive, long), [
    1,
    'FILE: rows/client-000001.ndjson:1: has more than 1 MiB, which no row has',
  ])
  const manifest = inManifest((all) => ({ ...all, more: 'x'.repeat(1024 * 1024) }))
  t.strictSame(await saidOf(archive, manifest), [1, 'FILE has a manifest.json of more than 1 MiB'])
})

t.test('of a thousand errors a hundred are listed, with the number of the others', async (t) => {
  const archive = await withArchive(t)
  const said = await saidOf(
    archive,
    inRows('person', () => '{}\n'.repeat(1000)),
  )
  t.equal(said.length, 1 + 101)
  t.equal(said.at(-1), 'FILE: and 2900 more')
})

t.test('images of the rows must exist and have the stated size', async (t) => {
  const archive = await withArchive(t)
  const lost = 'images/sample-upload-000002.png'
  t.strictSame(await saidOf(archive, (name, bytes) => (name === lost ? undefined : bytes)), [
    1,
    `FILE lacks ${lost}, which a row shows`,
  ])
  t.strictSame(await saidOf(archive, (name, bytes) => (name === lost ? 'short' : bytes)), [
    1,
    `FILE: ${lost} has 5 bytes, and its row says 37`,
  ])
  t.match(await saidOf(archive, (name, bytes) => (name === 'rows/label-000001.ndjson' ? undefined : bytes)), [
    1,
    'FILE holds 0 rows of label, and says 1',
  ])
})

t.test('archives of other programs, formats and schemas are rejected with the fix', async (t) => {
  const archive = await withArchive(t)
  const of = (change: Parameters<typeof inManifest>[0]) => saidOf(archive, inManifest(change))
  t.strictSame(await of((manifest) => ({ ...manifest, version: 2 })), [
    1,
    'FILE has format 2, and this program reads 1: use a newer program',
  ])
  t.strictSame(await of((manifest) => ({ ...manifest, schema: ['0001-initial', '9999-more'] })), [
    1,
    'FILE has the migrations 9999-more, which this program does not know: use a newer program',
  ])
  const [, older] = await of((manifest) => ({ ...manifest, schema: [] }))
  t.match(
    older,
    /^FILE lacks the migrations 0001-initial[^:]*: import it with the program that wrote it, run almoner/,
  )
  t.strictSame(await of(() => ({ format: 'almoner-backup', version: 1, schema: [] })), [
    1,
    'FILE is a backup: use almoner restore',
  ])
  for (const [text, why] of [
    ['', 'ends too early: it is not whole'],
    ['no archive'.repeat(1000), 'is no archive of Almoner'],
  ] as const) {
    const file = join(archive.place, 'other.tar')
    writeFileSync(file, text)
    t.match(await command(archive.fresh, 'import', file), { code: 1, err: `almoner: ${file} ${why}\n` })
  }
  t.match(await command(archive.fresh, 'import', archive.place), { code: 1, err: /is a folder\n$/ })
  t.match(await command(archive.fresh, 'import', `${archive.file}.gone`), { code: 1, err: /is not there\n$/ })
})

t.test(
  'ADR 53: exports between the two unreleased states are imported, and older ones are not',
  async (t) => {
    const archive = await withArchive(t)
    const of = (schema: ReadonlyArray<string>) =>
      saidOf(
        archive,
        inManifest((manifest) => ({ ...manifest, schema })),
      )
    t.match(await of(UNRELEASED.slice(0, 14)), [1, /^FILE lacks the migrations 0001-initial[^:]*: /])
    t.match(await of(UNRELEASED.slice(0, 18)), [0])
  },
)

t.test('an export from before a later migration is imported, with its columns filled', async (t) => {
  const archive = await withArchive(t)
  const older = inManifest((manifest) => ({ ...manifest, schema: ['0001-initial'] }))
  t.match(await saidOf(archive, older), [0])
})

t.test('a database with an older schema is rejected, and the error names almoner migrate', async (t) => {
  const { file, fresh } = await withArchive(t)
  await makeOlder(fresh)
  t.match(await command(fresh, 'import', file), { code: 1, err: /run almoner migrate/ })
})

t.test('a changed byte or a different length is detected, or is in a part that is not read', async (t) => {
  const { file, fresh } = await withArchive(t)
  await makeCurrent(fresh)
  const readRow = await onTransferStore(fresh, (store) => done(store.rowReader()))
  const whole = readFileSync(file)
  const entries = await entriesIn(file)
  const isNoticed = async (bytes: Buffer): Promise<boolean> => {
    const damaged = `${file}.damaged`
    writeFileSync(damaged, bytes)
    const report = makeErrorReport(damaged)
    const verified = openArchive(damaged, (archive) =>
      report.complete(verifyExport(archive, readRow, report, () => {})),
    )
    return verified.then(
      () => false,
      (error: Error) => {
        t.ok(['ArchiveStopped', 'ArchiveError'].includes(error.name), error.name)
        return true
      },
    )
  }
  const isHarmless = async (bytes: Buffer): Promise<boolean> => {
    if (await isNoticed(bytes)) return true
    return isDeepStrictEqual(await entriesIn(`${file}.damaged`), entries)
  }
  t.notOk(await isNoticed(whole))
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
      const bytes = Buffer.from(whole)
      bytes[at] = (whole[at] ?? 0) ^ by
      return isHarmless(bytes)
    }),
    { numRuns: 100 },
  )
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), (length) => isHarmless(whole.subarray(0, length))),
    { numRuns: 30 },
  )
  t.ok(await isNoticed(whole.subarray(0, whole.lastIndexOf('end.json'))), 'the end is missing')
  t.ok(await isNoticed(Buffer.concat([whole, whole])), 'data after the end')
})

t.test('an import that is killed has stored images only, and can be repeated', async (t) => {
  const { place, file, fresh } = await withArchive(t)
  const media = join(fresh, 'data/media')
  mkdirSync(media, { recursive: true })
  const watcher = watch(media)
  const child = spawn(process.execPath, [BIN, 'import', file], { cwd: fresh, env: {}, stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)))
  watcher.on('change', (_, name) => {
    if (String(name).endsWith('.png')) child.kill('SIGKILL')
  })
  await ended
  watcher.close()
  t.ok(existsSync(join(fresh, 'data/almoner.db')))
  const again = await command(fresh, 'import', file)
  // The process may have been quicker than the kill: then it is whole.
  t.ok(again.code === 0 || again.err.includes('is not empty'), again.err)
  await command(fresh, 'export', join(place, 'again.tar'))
  t.ok(readFileSync(file).equals(readFileSync(join(place, 'again.tar'))))
})

t.test('a truncated archive is rejected before anything is imported', async (t) => {
  const { file, fresh } = await withArchive(t)
  truncateSync(file, 4096)
  t.match(await command(fresh, 'import', file), { code: 1, err: /ends too early: it is not whole\n$/ })
  t.strictSame(readdirSync(join(fresh, 'data/media')), ['portfolio'])
})
