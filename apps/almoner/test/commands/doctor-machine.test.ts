import { mkdirSync, symlinkSync, truncateSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@almoner/adapters-node'
import { openSqlite } from '@almoner/adapters-sqlite'
import { addMillis, MINUTE } from '@almoner/domain/values'
import { done } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import t, { type Test } from 'tap'
import { doctor } from '../../src/commands/doctor/doctor.ts'
import { type Machine, THIS_MACHINE } from '../../src/commands/doctor/machine.ts'
import { readSettings } from '../../src/config/read.ts'
import { sharedSettings } from '../../src/config/shared-by-nodes.ts'
import { serve, type Variables } from '../support/almoner.ts'
import { DEFAULT_DATABASE, makeCurrent, onStore } from '../support/database.ts'
import { withProviders } from '../support/providers.ts'

interface Finding {
  readonly check: string
  readonly level: string
  readonly what: string
  readonly fix: string
}

const GIBIBYTE = 1024 ** 3

const ROOMY: Machine = {
  ...THIS_MACHINE,
  roomAt: async () => ({ bavail: 12 * 1024, bsize: 1024 ** 2, files: 10, ffree: 5 }),
}

const placesIn = (folder: string): Variables => ({
  ALMONER_DATABASE: `sqlite:${join(folder, DEFAULT_DATABASE)}`,
  ALMONER_MEDIA: `file:${join(folder, 'data')}`,
})

/** What the doctor says of one thing, on a machine of a test's own. */
const look = async (
  check: string,
  variables: Variables,
  machine: Partial<Machine> = {},
  push?: true,
): Promise<ReadonlyArray<Finding>> => {
  let text = ''
  const terminal = {
    environment: variables,
    input: async () => '',
    out: (more: string) => {
      text += more
    },
    err: () => {},
    isTerminal: false,
  }
  await doctor(terminal, { json: true, ...(push && { push }) }, { ...ROOMY, ...machine })
  const { findings }: { readonly findings: ReadonlyArray<Finding> } = JSON.parse(text)
  return findings.filter((finding) => finding.check === check)
}

const withDatabase = async (t: Test): Promise<string> => {
  const folder = t.testdir()
  await makeCurrent(folder)
  return folder
}

t.test('doctor: a full disk is an error, and an almost full one a warning', async (t) => {
  const folder = await withDatabase(t)
  const found = (machine: Partial<Machine>) => look('disk', placesIn(folder), machine)
  const room = (left: number, files = 10, ffree = 5): Partial<Machine> => ({
    roomAt: async () => ({ bavail: left / 4096, bsize: 4096, files, ffree }),
  })
  t.match(await found(room(12 * GIBIBYTE)), [
    { level: 'ok', what: /^12 GiB are free for the database, in .*data$/ },
    { level: 'ok', what: /^12 GiB are free for images/ },
  ])
  t.match(await found(room(0.5 * GIBIBYTE)), [{ level: 'warning', what: /^512 MiB/, fix: /make room/ }, {}])
  t.match(await found(room(4096)), [
    { level: 'fault', what: /^the disk is full: 0 MiB are free for the database/, fix: /^make room/ },
    { level: 'fault', what: /^the disk is full: .* images/ },
  ])
  t.match((await found(room(GIBIBYTE, 10, 0)))[0], { level: 'fault', what: /^no more files can be made/ })
  t.match((await found(room(GIBIBYTE, 0, 0)))[0], { level: 'ok' }, 'a file system without a limit of files')
})

t.test('D10, doctor: the disk of a linked database is the one behind the link', async (t) => {
  const folder = await withDatabase(t)
  const link = join(folder, 'links', 'link.db')
  mkdirSync(join(folder, 'links/media'), { recursive: true })
  symlinkSync(join(folder, DEFAULT_DATABASE), link)
  const variables = { ALMONER_DATABASE: `sqlite:${link}`, ALMONER_MEDIA: `file:${join(link, '../media')}` }
  t.match(await look('disk', variables), [
    { what: new RegExp(`for the database, in ${join(folder, 'data')}$`) },
    {},
  ])
  const mayWrite = async (path: string) => {
    if (path === join(folder, 'data')) throw Object.assign(new Error(), { code: 'EACCES' })
  }
  t.match(await look('database', variables, { mayWrite }), [
    { level: 'fault', what: /data cannot be written/ },
  ])
})

t.test('doctor: a large write-ahead log that a reader blocks is reported', async (t) => {
  const folder = await withDatabase(t)
  const file = join(folder, DEFAULT_DATABASE)
  const found = () => look('database', placesIn(folder))
  const engine = await done(openSqlite({ file }))
  const states = engine.streamSnapshot(async function* (db) {
    for (;;) yield await db.selectFrom('label').selectAll().execute()
  })
  const reader = states[Symbol.asyncIterator]()
  const write = engine.write(async (db) => {
    const row = { label_id: 'a' as never, en: 'a' as never, fr: 'a' as never, rank: 0 }
    return E.right(await db.insertInto('label').values(row).execute())
  })
  await reader.next()
  await done(write)
  t.match(await found(), [{ level: 'ok' }])
  // The rest of the log means nothing to SQLite, and takes no room on the disk.
  truncateSync(`${file}-wal`, 300 * 1024 ** 2)
  t.match(await found(), [
    { level: 'ok' },
    {
      level: 'warning',
      what:
        process.platform === 'linux'
          ? new RegExp(
              `log has 300 MiB: process ${process.pid} \\(node .*\\) keeps reading from an old state`,
            )
          : /log has 300 MiB: a process that the system does not name keeps/,
      fix: /end long reads/,
    },
  ])
  await reader.return?.()
  t.strictSame((await found()).length, 1, 'the doctor truncates a log that no reader blocks')
  await engine.close()
})

t.test('doctor: a folder that is not writable is reported with the reason', async (t) => {
  const folder = await withDatabase(t)
  const refusing = (code: string, path: RegExp): Partial<Machine> => ({
    mayWrite: async (asked) => {
      if (path.test(asked)) throw Object.assign(new Error(code), { code })
    },
  })
  const found = (code: string, path: RegExp) => look('database', placesIn(folder), refusing(code, path))
  t.match(await found('EROFS', /data$/), [
    { level: 'fault', what: /data is on a file system that is mounted read-only$/, fix: /^mount it/ },
  ])
  t.match(await found('EACCES', /almoner\.db$/), [
    { level: 'fault', what: /almoner\.db cannot be written by this user$/, fix: /chown/ },
  ])
  t.match(await found('EIO', /data$/), [{ level: 'fault', what: /^it cannot be looked at: EIO/ }])
})

t.test('doctor: a clock that was set back is detected from stored times', async (t) => {
  const folder = await withDatabase(t)
  const found = (now: number) => look('clock', placesIn(folder), { now: () => now })
  t.match(await found(Date.now()), [{ level: 'ok' }])
  const node = { id: 'a', name: 'web-1:3000', settings: {}, lastSeenAt: systemClock.now() }
  await onStore(folder, ({ nodes }) => done(nodes.beat(node, node.lastSeenAt)))
  t.match(await found(node.lastSeenAt + 1), [{ level: 'ok' }])
  t.match(await found(node.lastSeenAt - 90_000), [
    { level: 'fault', what: /clock is 90 s behind that of the last writer/, fix: /NTP/ },
  ])
})

t.test('doctor --push: the clock is compared with the Date header of FCM (RFC 9110 §6.6.1)', async (t) => {
  const folder = await withDatabase(t)
  const { variables, fcm, secrets } = await withProviders(t, folder)
  const found = (now: () => number) => look('clock', { ...variables, ...placesIn(folder) }, { now }, true)
  t.match(await found(Date.now), [{ level: 'ok' }, { level: 'ok', what: /that of fcm$/ }])
  const [, ahead] = await found(() => Date.now() + 10 * MINUTE)
  t.match(ahead, { level: 'fault', what: /clock is (?:599|600|601) s ahead of that of fcm/, fix: /NTP/ })
  await fcm.stop()
  t.match(await found(Date.now), [{ level: 'ok' }], 'another check reports unreachable providers')

  const read = readSettings(variables)
  if (read._tag === 'Left') throw new Error(read.left.join())
  const told = JSON.stringify(sharedSettings(read.right))
  t.match(told, variables.ALMONER_VAPID_PUBLIC_KEY)
  for (const secret of [...secrets, 'PRIVATE KEY'])
    t.notOk(told.includes(secret), 'no node publishes a secret')
})

t.test('doctor: nodes with different settings are reported with their values', async (t) => {
  const folder = await withDatabase(t)
  const here = { ...placesIn(folder), ALMONER_TIME_ZONE: 'Europe/Paris' }
  t.match(await look('nodes', here), [{ level: 'ok', what: 'no server runs on this database' }])
  const server = await serve(folder, [], { ALMONER_TIME_ZONE: 'Europe/Paris', ALMONER_LOG_LEVEL: 'debug' })
  const name = `${hostname()}:${new URL(server.url).port}`
  await server.logged('"job":"heartbeat"')
  t.match(await look('nodes', here), [{ level: 'ok', what: `with the same settings as here: ${name}` }])
  t.match(await look('nodes', placesIn(folder)), [
    {
      level: 'fault',
      what: `ALMONER_TIME_ZONE is not the same everywhere; ${name}: Europe/Paris; here: UTC`,
      fix: /^set the same values on all nodes/,
    },
  ])
  t.equal((await server.stop()).code, 0)
  t.match(
    await look('nodes', placesIn(folder)),
    [{ what: 'no server runs on this database' }],
    'it has deregistered',
  )

  const long = {
    id: 'a',
    name: 'web-1:3000',
    settings: {},
    lastSeenAt: addMillis(systemClock.now(), -4 * MINUTE),
  }
  await onStore(folder, ({ nodes }) => done(nodes.beat(long, long.lastSeenAt)))
  t.match(await look('nodes', here), [{ what: 'no server runs on this database' }], 'it was killed')

  const settings = { ALMONER_OF_ANOTHER_AGE: 'x' }
  const other = { id: 'b', name: 'web-2:3000', settings, lastSeenAt: systemClock.now() }
  await onStore(folder, ({ nodes }) => done(nodes.beat(other, long.lastSeenAt)))
  t.match(
    await look('nodes', here),
    [{ level: 'ok', what: /: web-2:3000$/ }],
    'a version with other settings',
  )
})
