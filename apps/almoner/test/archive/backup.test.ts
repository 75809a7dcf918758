import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { done, sampleEmail } from '@almoner/testkit/contracts'
import t, { type Test } from 'tap'
import { serve } from '../support/almoner.ts'
import { furnish, imageIn, rewrite } from '../support/archive.ts'
import { credentialsCheck, makeOlder, onStore } from '../support/database.ts'
import { inProcess } from '../support/in-process.ts'
import { ownFolder } from '../support/own-folder.ts'
import { command } from '../support/portfolio.ts'

const folder = ownFolder()
const credentials = await furnish(folder)
const backup = join(folder, 'backup.tar')
const taken = await command(folder, 'backup', backup)

/** A copy of a furnished service's backup for a test, and a folder for a new service. */
const withBackup = async (t: Test) => {
  const place = t.testdir({ new: {} })
  const file = join(place, 'backup.tar')
  copyFileSync(backup, file)
  return { file, fresh: join(place, 'new') }
}

/** The archive that a folder's service gives. */
const exported = async (folder: string): Promise<Buffer> => {
  const file = join(folder, 'compare.tar')
  rmSync(file, { force: true })
  await command(folder, 'export', file)
  return readFileSync(file)
}

t.test(
  'a restored service equals the backed-up one, and its files are readable by the owner only',
  async (t) => {
    const { file, fresh } = await withBackup(t)
    t.strictSame([taken.code, taken.err], [0, ''])
    t.equal(statSync(backup).mode & 0o777, 0o600)
    t.strictSame(readdirSync(folder).sort(), ['backup.tar', 'data'], 'nothing else is left')
    const { code, out, err } = await command(fresh, 'restore', file)
    t.strictSame([code, out, err], [0, 'the database and 6 images restored\n', ''])
    t.equal(statSync(join(fresh, 'data/almoner.db')).mode & 0o777, 0o600)
    t.strictSame(readdirSync(join(fresh, 'data')).sort(), ['almoner.db', 'media'])
    t.ok((await exported(folder)).equals(await exported(fresh)))
    const { client_id, client_secret } = credentials
    t.equal(await credentialsCheck(fresh, client_id, client_secret), 'mover')
    t.equal(imageIn(fresh, 'sample-upload-000001.png'), imageIn(folder, 'sample-upload-000001.png'))
  },
)

t.test('a backup works while the service runs, a restore into a running service is rejected', async (t) => {
  const folder = t.testdir({ running: {}, killed: {} })
  const running = join(folder, 'running')
  const server = await serve(running)
  const file = join(folder, 'backup.tar')
  await onStore(running, ({ users }) => done(users.prefer(sampleEmail(1), {})))
  t.match(await command(running, 'backup', file), { code: 0, err: '' })
  await onStore(running, ({ users }) => done(users.prefer(sampleEmail(2), {})))
  t.match(await command(running, 'restore', file), {
    code: 1,
    err: /not empty: it holds 2 of person\nalmoner: to go back/,
  })
  const idle = await serve(join(folder, 'killed'))
  t.match(await command(join(folder, 'killed'), 'restore', file), {
    code: 1,
    err: 'almoner: a process has the database open: stop the service first\n',
  })
  idle.signal('SIGKILL')
  await idle.ended
  t.match(
    await command(join(folder, 'killed'), 'restore', file),
    { code: 0, err: '' },
    'a killed process leaves no lock',
  )
  const users = await command(join(folder, 'killed'), 'user', 'list', '--json')
  t.strictSame(
    JSON.parse(users.out).map(({ email }: { email: string }) => email),
    [sampleEmail(1)],
  )
  await server.stop()
})

t.test('restore rejects a service with data and a foreign database', async (t) => {
  const { file, fresh } = await withBackup(t)
  t.match(await command(folder, 'restore', file), {
    code: 1,
    err: /^almoner: the service is not empty: it holds [^\n]+\nalmoner: to go back to a backup, stop .* -wal and -shm/,
  })
  const { DatabaseSync } = await import('node:sqlite')
  mkdirSync(join(fresh, 'data'))
  const other = new DatabaseSync(join(fresh, 'data/almoner.db'))
  other.exec('create table "odd ""one" (a); insert into "odd ""one" values (1)')
  other.close()
  const before = readFileSync(join(fresh, 'data/almoner.db'))
  t.match(await command(fresh, 'restore', file), {
    code: 1,
    err: /it holds 1 of odd "one\nalmoner: to go back to a backup, .*\n$/,
  })
  t.ok(before.equals(readFileSync(join(fresh, 'data/almoner.db'))), 'it is unchanged')
})

t.test('a damaged backup is rejected before anything is restored', async (t) => {
  const { file, fresh } = await withBackup(t)
  const whole = readFileSync(file)
  const refused = async (bytes: Buffer, why: RegExp) => {
    writeFileSync(`${file}.bad`, bytes)
    t.match(await command(fresh, 'restore', `${file}.bad`), { code: 1, err: why })
  }
  const at = whole.indexOf('SQLite format 3') + 50_000
  const bytes = Buffer.from(whole)
  bytes[at] = (whole[at] ?? 0) ^ 1
  await refused(bytes, /database\.sqlite is damaged: its digest is another one\n$/)
  await refused(whole.subarray(0, at), /ends too early: it is not whole\n$/)
  // The digests match this content.
  const lying = await rewrite(file, `${file}.lying`, (name, content) => {
    if (name === 'database.sqlite') content.fill(1, 8192, 16_384)
    return content
  })
  t.match(await command(fresh, 'restore', lying), { code: 1, err: /holds a (?:damaged )?database/ })
  const lost = 'images/sample-upload-000001.png'
  const lacking = await rewrite(file, `${file}.lacking`, (name, content) =>
    name === lost ? undefined : content,
  )
  t.match(await command(fresh, 'restore', lacking), {
    code: 1,
    err: `almoner: ${lacking} lacks ${lost}, which the database shows\n`,
  })
  t.strictSame(readdirSync(join(fresh, 'data')).sort(), ['almoner.db', 'media'])
  t.match(await command(fresh, 'restore', file), { code: 0 }, 'it is still empty')
})

t.test('a backup reports a missing image and continues', async (t) => {
  const folder = t.testdir({ new: {} })
  await furnish(folder)
  const lost = 'sample-upload-000003.png'
  rmSync(join(folder, 'data/media', lost))
  const file = join(folder, 'lacking.tar')
  const { code, out, err } = await command(folder, 'backup', file)
  t.match(out, /^the database and 5 images in /)
  t.strictSame(
    [code, err],
    [
      1,
      `almoner: missing from the media store: 1 image: ${lost}\nalmoner: all the rest was written; the archive lists them too\n`,
    ],
  )
  t.strictSame(await command(join(folder, 'new'), 'restore', file), {
    code: 0,
    out: `the database and 5 images restored\nmissing when the archive was written: 1 image: ${lost}\n`,
    err: '',
  })
})

t.test('with --strict a missing image is reported and no backup is written', async (t) => {
  const folder = t.testdir()
  await furnish(folder)
  rmSync(join(folder, 'data/media/sample-upload-000003.png'))
  const file = join(folder, 'backup.tar')
  t.match(await command(folder, 'backup', file, '--strict'), {
    code: 1,
    err: `almoner: ${file} is not written: images are missing: sample-upload-000003.png\n`,
  })
  t.strictSame(readdirSync(folder), ['data'])
})

t.test('a backup of an older schema works, and is restored with that schema', async (t) => {
  const folder = t.testdir({ new: {} })
  await makeOlder(folder)
  const file = join(folder, 'backup.tar')
  t.match(await command(folder, 'backup', file), { code: 0 })
  t.match(await command(join(folder, 'new'), 'restore', file), { code: 0 })
  t.match(await command(join(folder, 'new'), 'user', 'list'), { code: 1, err: /run almoner migrate\n$/ })
})

t.test('a backup without a database of this service fails with the reason', async (t) => {
  const folder = t.testdir()
  const file = join(folder, 'backup.tar')
  for (const name of ['backup', 'export'])
    t.match(await command(folder, name, file), {
      code: 1,
      err: 'almoner: there is no database where ALMONER_DATABASE says: nothing is written\n',
    })
  t.notOk(existsSync(join(folder, 'data')), 'no backup is made')
  for (const name of ['backup', 'restore'])
    t.match(await inProcess([name, file], { ALMONER_MEDIA: 's3://bucket' }), {
      code: 1,
      err: /use pg_dump for PostgreSQL and the versions of the bucket for images, or almoner export for all of it\n$/,
    })
})
