import { setTimeout as pause } from 'node:timers/promises'
import * as O from 'fp-ts/lib/Option.js'
import { makeStore } from '../../../packages/adapters-kysely/src/index.ts'
import { systemClock, uuidIds } from '../../../packages/adapters-node/src/index.ts'
import type {
  Language,
  MessageText,
  Notification,
  NotificationId,
} from '../../../packages/domain/src/index.ts'
import { type Ground, migrate, type OwnEngine } from '../database.ts'
import { right } from '../either.ts'
import { fillDevicesIn } from '../fill-devices.ts'
import { type Running, type Settings, startServer } from '../server.ts'
import { makeArrivals, type Sent } from './arrivals.ts'
import { openProviders } from './providers.ts'

/** Pushes of a process at a time: the most that its end may double. */
export const WINDOW = 100

/** What a provider takes to answer, in milliseconds. */
const LATENCY = 30

/** After so many milliseconds without a push a new notification is due, so that what waits for pushes always gets some. */
const IDLE = 250

/** A server that sends, under the name by which its pushes are known. */
export interface Sender {
  readonly name: string
  readonly running: Running
}

/** Everything around servers that send: providers, devices, the database, and what is seen of it all. */
export interface Rig {
  readonly engine: OwnEngine
  readonly arrivals: ReturnType<typeof makeArrivals>
  /** What was not as it should be. */
  readonly findings: Array<string>
  /** Notifications that were made here. */
  readonly sent: ReadonlyArray<Sent>
  /** Makes notifications that are due now, one in each language. */
  schedule(langs: ReadonlyArray<Language>): Promise<void>
  /** Starts a server and waits until it has sent by every provider, so that its credentials are known. */
  start(settings: Settings): Promise<Sender>
  /** Waits until something is so, and keeps the servers in work. */
  until(isSo: () => boolean): Promise<void>
  /** Waits until these are settled, for five minutes at most, and finds those that are not all delivered. */
  settle(sent: ReadonlyArray<Sent>): Promise<void>
  close(): Promise<void>
}

/** Makes the rig, with so many devices in an empty database. */
export const openRig = async (folder: string, ground: Ground, count: number): Promise<Rig> => {
  const findings: Array<string> = []
  const arrivals = makeArrivals((finding) => findings.push(finding))
  const providers = await openProviders(folder, LATENCY, arrivals.take)
  const engine = await ground.open()
  await migrate(engine)
  const devices = Array.from({ length: count }, (_, n) => providers.device(n))
  const filled = await fillDevicesIn(engine, count, (n) => devices[n])
  for (const [n, lang] of [...filled.values()].entries()) arrivals.expect(devices[n]?.known ?? '', lang)
  const { notifications } = makeStore(engine)
  const ids = uuidIds()
  const sent: Array<Sent> = []
  let started = 0

  const schedule: Rig['schedule'] = async (langs) => {
    for (const lang of langs) {
      const notification: Notification = {
        id: ids.nextNotificationId(),
        lang,
        title: `Notification ${sent.length}` as MessageText,
        subtitle: O.none,
        description: O.none,
        date: O.some(systemClock.now()),
        resourceId: O.none,
      }
      sent.push(notification)
      await right(notifications.add(notification))
    }
  }

  const until: Rig['until'] = async (isSo) => {
    for (let last = 0; !isSo(); ) {
      if (arrivals.idle() > IDLE && performance.now() - last > IDLE) {
        last = performance.now()
        await schedule([sent.length % 2 === 0 ? 'en' : 'fr'])
      }
      await pause(5)
    }
  }

  const start: Rig['start'] = async (settings) => {
    started += 1
    const name = `server ${started}`
    arrivals.senders.expect(name)
    const running = await startServer(folder, {
      ...providers.settings,
      ALMONER_REVIEW_EVERY: '1',
      ALMONER_PUSH_WINDOW: String(WINDOW),
      ALMONER_LOG_LEVEL: 'warn',
      ...settings,
    })
    running.process.once('exit', (code, signal) => {
      if (!running.process.killed) findings.push(`${name} ended with ${signal ?? code}: ${running.said()}`)
    })
    await until(() => arrivals.senders.isKnown(name))
    return { name, running }
  }

  /** How far the sending of these has come, in one question: there may be hundreds. */
  const progressOf = async (those: ReadonlyArray<Sent>) => {
    const ids = those.map(({ id }) => id as NotificationId)
    return engine.read((db) =>
      db
        .selectFrom('notification')
        .leftJoin('delivery', 'delivery.notification_id', 'notification.id')
        .select(['notification.id', 'delivery.finished_at', 'delivery.recipients', 'delivery.delivered'])
        .where('notification.id', 'in', ids)
        .execute(),
    )
  }

  const settle: Rig['settle'] = async (those) => {
    let all = await progressOf(those)
    for (let at = 0; all.some(({ finished_at }) => finished_at === null); at += 1) {
      if (at > 300) {
        findings.push('a notification is not settled after five minutes')
        return
      }
      await pause(1000)
      all = await progressOf(those)
    }
    if (all.length < those.length) findings.push('a notification is gone')
    for (const { id, recipients, delivered } of all)
      if (recipients !== delivered) findings.push(`${id}: ${delivered} of ${recipients} delivered`)
  }

  return {
    engine,
    arrivals,
    findings,
    sent,
    schedule,
    start,
    until,
    settle,
    close: async () => {
      await engine.close()
      await providers.close()
    },
  }
}
