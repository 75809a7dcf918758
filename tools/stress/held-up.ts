// How long one sender's trouble holds up others, with a running server and providers on loopback (G15): refused devices that come first, a service
// that accepts connections and never answers, a provider with a limit.
// Usage: node tools/stress/held-up.ts [--database postgres]
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { MessageText } from '@almoner/domain/notifications'
import * as O from 'fp-ts/lib/Option.js'
import { makeStore } from '../../packages/adapters-kysely/src/index.ts'
import { systemClock, uuidIds } from '../../packages/adapters-node/src/index.ts'
import { done } from '../../packages/testkit/src/contracts/index.ts'
import {
  fcmError,
  makeAuthority,
  makeVapidKeys,
  openFcm,
  openWebPush,
  replyJson,
  type ScriptedResponse,
} from '../../testing/push-providers/src/index.ts'
import { check, folder, options, progress, report } from './campaign.ts'
import { migrate, newDatabase } from './database.ts'
import { fillDevicesIn, type Kind } from './fill-devices.ts'
import { startServer } from './server.ts'

const given = options({ database: 'sqlite' })

/** Seconds after which a device counts as left out. */
const MOST_SECONDS = 240
const RETRY_AFTER = 5
const LIMIT = { devices: 600, each: 12 }

const authority = await makeAuthority()
const certificate = await authority.leaf()
const vapid = makeVapidKeys()
const accepted = replyJson(200, { name: 'projects/loopback-project/messages/0:1' })

/** Opens a server with devices of FCM and of a service of Web Push, in this order of kinds. */
const open = async (name: string, kinds: ReadonlyArray<'refused' | 'good' | 'silent'>) => {
  mkdirSync(join(folder, name))
  const database = await newDatabase(given.database, join(folder, name))
  const fcm = await openFcm({ certificate, counting: { latency: 20 } })
  const service = await openWebPush({ certificate, isFreezable: true })
  service.front.freezeNew(true)
  const refused = new Set<string>()
  const newKind = (kind: (typeof kinds)[number]): Kind => {
    if (kind === 'silent')
      return { kind: 'webpush', token: JSON.stringify(service.subscribe(vapid.publicKey)) }
    const target = randomBytes(32).toString('hex')
    if (kind === 'refused') refused.add(target)
    return { kind: 'fcm', token: `fcm:${target}` }
  }
  const engine = await database.open()
  await migrate(engine)
  const devices = kinds.map(newKind)
  await fillDevicesIn(engine, kinds.length, (n) => devices[n])
  await done(
    engine.write(async (db) => {
      await db.updateTable('person').set({ lang: 'en' }).execute()
      await db.updateTable('device').set({ lang: 'en' }).execute()
      return { _tag: 'Right', right: undefined }
    }),
  )
  const got = new Map<string, Set<string>>()
  const [counts, limit] = [{ refused: 0 }, { each: Number.POSITIVE_INFINITY, second: 0, taken: 0 }]
  fcm.otherwise(({ token, body }): ScriptedResponse => {
    if (refused.has(token)) return fcmError('SENDER_ID_MISMATCH')
    const second = Math.floor(performance.now() / 1000)
    if (second !== limit.second) Object.assign(limit, { second, taken: 0 })
    limit.taken += 1
    if (limit.taken > limit.each) {
      counts.refused += 1
      return fcmError('QUOTA_EXCEEDED', RETRY_AFTER)
    }
    const [, id = ''] = /"notificationId":"([^"]+)"/.exec(JSON.stringify(body)) ?? []
    got.set(id, (got.get(id) ?? new Set()).add(token))
    return accepted
  })
  const file = (path: string, text: string): string => {
    writeFileSync(join(folder, path), text, { mode: 0o600 })
    return join(folder, path)
  }
  const start = () =>
    startServer(join(folder, name), {
      ALMONER_PUSH: 'fcm,webpush',
      ALMONER_PUSH_CA: file('ca.pem', authority.ca),
      ALMONER_FCM_CREDENTIALS: file(`${name}.json`, JSON.stringify(fcm.account)),
      ALMONER_FCM_URL: fcm.origin,
      ALMONER_VAPID_PUBLIC_KEY: vapid.publicKey,
      ALMONER_VAPID_PRIVATE_KEY: vapid.privateKey,
      ALMONER_VAPID_SUBJECT: 'mailto:push@example.org',
      ALMONER_WEBPUSH_HOSTS: new URL(service.origin).host,
      ...database.settings,
      ALMONER_REVIEW_EVERY: '1',
      ALMONER_LOG_LEVEL: 'warn',
    })
  const { notifications } = makeStore(engine)
  /** Sends a notification. Returns how many devices it reached, of all that can be reached, and in how many seconds. */
  const send = async () => {
    const id = uuidIds().nextNotificationId()
    const [title, date] = ['Figures' as MessageText, O.some(systemClock.now())]
    const [texts, begun] = [{ subtitle: O.none, description: O.none, labelId: O.none }, performance.now()]
    await done(notifications.add({ id, revision: 1, lang: 'en', title, date, resourceId: O.none, ...texts }))
    const most = kinds.filter((kind) => kind === 'good').length
    const seconds = () => Math.round((performance.now() - begun) / 100) / 10
    while ((got.get(id)?.size ?? 0) < most && seconds() < MOST_SECONDS) {
      await pause(50)
      progress(`${name}: ${got.get(id)?.size ?? 0} of ${most} after ${seconds()} s`)
    }
    const reached = got.get(id)?.size ?? 0
    check(reached === most, `${name}: ${reached} of ${most} devices`)
    return { reached, of: most, seconds: seconds() }
  }
  return { start, send, limit, counts }
}

const some = <A>(count: number, kind: A): ReadonlyArray<A> => Array<A>(count).fill(kind)

const refused = await open('refused', [...some(150, 'refused' as const), ...some(300, 'good' as const)])
let server = await refused.start()
const first = await refused.send()
await server.stop()
server = await refused.start()
const refusedFirst = { first, afterRestart: await refused.send() }
await server.stop()

const silent = await open('silent', [...some(1000, 'silent' as const), ...some(300, 'good' as const)])
server = await silent.start()
const silentFirst = { first: await silent.send(), next: await silent.send() }
await server.stop('SIGKILL')

const limited = await open('limited', some(LIMIT.devices, 'good' as const))
limited.limit.each = LIMIT.each
server = await limited.start()
const withLimit = { ...(await limited.send()), answersOf429: limited.counts.refused }
await server.stop()
report({ ...given, refusedFirst, silentFirst, withLimit })
