import type { Instant } from '@almoner/domain'
import {
  FINDING_CODES,
  type FindingCode,
  type HealthFinding,
  isFarFrom,
  newestRecord,
} from '@almoner/domain/operations'
import { addMillis, instant, toRfc3339 } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { reasonsNotReady, serverTime } from '../../composition/node.ts'
import { isCarried } from '../../config/push.ts'
import { fromDatabase } from '../../failure.ts'
import { DATABASE_FILES } from '../../serve/ready.ts'
import { addressCheck, exposureCheck, linkProxyCheck } from './exposure.ts'
import { diskCheck } from './files.ts'
import { type Check, carryOut, type DoctorCode, type Examination, type Found, fault, ok } from './finding.ts'
import { mediaCheck } from './media.ts'
import { pushCheck } from './push.ts'

/** Milliseconds by which clocks may differ. */
const CLOSE = 5000

const FIX = 'have all machines set their clocks by NTP (chrony, systemd-timesyncd)'

const compared = (whose: string, theirs: number, ours: number): Found => {
  const apart = ours - theirs
  if (Math.abs(apart) <= CLOSE) return ok(`it agrees with that of ${whose}`)
  const seconds = Math.round(Math.abs(apart) / 1000)
  const what = `this machine's clock is ${seconds} s ${apart > 0 ? 'ahead of' : 'behind'} that of ${whose}`
  return fault('clock-apart', what, FIX, { seconds: String(seconds) })
}

const farText = (newest: Instant): Found =>
  ok(`the newest record is of ${toRfc3339(newest)}: after a start now, nothing old is deleted for an hour`)

/** Compares this machine's clock with the database server's, or with the last heartbeats in the file, which should not be in the future. */
export const clockCheck: Check = {
  name: 'clock',
  asks: 'the database',
  look: async ({ settings, machine: { now }, database }) => {
    if (database === undefined) return []
    const newest = await fromDatabase(newestRecord(database.store))
    const note = O.isSome(newest) && isFarFrom(newest, database.clock.now()) ? [farText(newest.value)] : []
    if (settings.database.kind === 'postgres')
      return [compared('the database server', database.clock.now(), now()), ...note]
    const ahead = await fromDatabase(database.store.nodes.since(addMillis(instant(now()), CLOSE)))
    const latest = Math.max(...ahead.map(({ lastSeenAt }) => lastSeenAt))
    return latest > now()
      ? [compared('the last writer to the database', latest, now()), ...note]
      : [ok('it is not behind what was last written into the database'), ...note]
  },
}

/** Compares this machine's clock with FCM's: if it is wrong, providers reject the tokens that are signed here. */
export const providerClockCheck: Check = {
  name: 'clock',
  asks: 'the address of FCM',
  look: async ({ settings: { push, fcmUrl, proxy }, service, machine: { now } }) => {
    if (push.kind !== 'providers' || !isCarried(push, 'fcm')) return []
    const { authority } = await service.providers()
    if (E.isLeft(authority)) return []
    const time = await serverTime(fcmUrl, { ca: authority.right, proxy })
    return time === undefined ? [] : [compared('fcm', time, now())]
  },
}

/** Addresses on which a server listens, but no client connects everywhere. */
const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

const urlOf = (host: string, port: number): string => {
  const to = LOOPBACK[host] ?? host
  return `http://${to.includes(':') ? `[${to}]` : to}:${port}`
}

/** Checks that the server still has the files that ALMONER_DATABASE names (I10). Another process asks the server, because those files are others. */
export const heldFilesCheck: Check = {
  name: 'files',
  asks: 'the server on ALMONER_PORT',
  look: async ({ settings: { database: place, host, port }, database }) => {
    const url = urlOf(host, port)
    const isFile = place.kind === 'sqlite'
    const isGone =
      database?.filesFault?.() !== undefined ||
      (isFile && port !== 0 && (await reasonsNotReady(url)).includes(DATABASE_FILES))
    if (!isGone) return isFile ? [ok('no server says that its files were moved, removed or replaced')] : []
    return [
      fault(
        'database-files',
        `the files of the database were moved, removed or replaced under the server at ${url}, which writes nothing any more`,
        'stop the server, put the files of the right database in place, and start it',
      ),
    ]
  },
}

/** The checks of settings and machine that a running server can make: those of the store are use cases, and that of the database closes it. */
const CHECKS: ReadonlyArray<Check> = [
  heldFilesCheck,
  diskCheck,
  clockCheck,
  mediaCheck,
  pushCheck,
  addressCheck,
  exposureCheck,
  linkProxyCheck,
]

/** Milliseconds that a check may take while a person waits for the page. */
const LIMIT_IN_SERVER = 10_000

const isFindingCode = (code: DoctorCode): code is FindingCode => FINDING_CODES.some((known) => known === code)

const asData = (check: string, { level, code, values }: Found): HealthFinding =>
  isFindingCode(code) ? { check, level, code, values } : { check, level, code: 'check-failed', values: {} }

/** Examines settings and machine while the server runs, for the console. */
export const examineInServer = async (examination: Examination): Promise<ReadonlyArray<HealthFinding>> =>
  (
    await Promise.all(
      CHECKS.map(async (check) => {
        const found = await carryOut(check, examination, LIMIT_IN_SERVER)
        return found.map((one) => asData(check.name, one))
      }),
    )
  ).flat()
