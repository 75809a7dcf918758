import { setTimeout as pause } from 'node:timers/promises'
import type { MessageText } from '@almoner/domain/notifications'
import type { Language } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { makeStore } from '../../packages/adapters-kysely/src/index.ts'
import { systemClock, uuidIds } from '../../packages/adapters-node/src/index.ts'
import { done } from '../../packages/testkit/src/contracts/index.ts'
import { makeArrivals, RENEWED, type Sent } from './arrivals.ts'
import { check, folder } from './campaign.ts'
import { migrate, type TestDatabase } from './database.ts'
import { fillDevicesIn, languageOf } from './fill-devices.ts'
import { openProviders } from './providers.ts'
import { type Server, type Settings, startServer } from './server.ts'

/** Pushes of a process in flight: the most that its end may double. */
export const WINDOW = 100

/** Milliseconds without a push after which a notification is scheduled, so that the servers never idle. */
const IDLE = 250

/** Opens providers and a database with devices, and starts servers that send. */
export const openDelivery = async (database: TestDatabase, count: number) => {
  const languages = new Map<string, Language>()
  const { receive, senders, seen, due } = makeArrivals(languages)
  let started = 0
  const providers = await openProviders(folder, receive)
  const engine = await database.open()
  await migrate(engine)
  const devices = Array.from({ length: count }, (_, n) => providers.newDevice(n))
  for (const [n, { target }] of devices.entries()) languages.set(target, languageOf(n))
  await fillDevicesIn(engine, count, (n) => devices[n])
  const { notifications } = makeStore(engine)
  const ids = uuidIds()
  const sent: Array<Sent> = []

  /** Schedules a notification for now. */
  const schedule = async (lang: Language): Promise<void> => {
    const id = ids.nextNotificationId()
    const title = `Notification ${sent.length}` as MessageText
    const [date, none] = [O.some(systemClock.now()), O.none]
    sent.push({ id, lang })
    await done(
      notifications.add({
        id,
        revision: 1,
        lang,
        title,
        subtitle: none,
        description: none,
        date,
        resourceId: none,
        labelId: none,
      }),
    )
  }

  /** Waits for a condition and keeps the servers sending meanwhile. */
  const until = async (condition: () => boolean): Promise<void> => {
    for (let last = 0; !condition(); await pause(5)) {
      const now = performance.now()
      if (now - seen.last < IDLE || now - last < IDLE) continue
      last = now
      await schedule(sent.length % 2 === 0 ? 'en' : 'fr')
    }
  }

  /** Waits until notifications are delivered, at most five minutes. */
  const settle = async (those: ReadonlyArray<Sent>): Promise<void> => {
    const read = () =>
      done(
        engine.read((db) =>
          db
            .selectFrom('notification')
            .leftJoin('delivery', 'delivery.notification_id', 'notification.id')
            .select(['notification.id', 'delivery.finished_at', 'delivery.recipients', 'delivery.delivered'])
            .where(
              'notification.id',
              'in',
              those.map(({ id }) => id),
            )
            .execute(),
        ),
      )
    let all = await read()
    for (let n = 0; n < 300 && all.some(({ finished_at }) => finished_at === null); n += 1) {
      await pause(1000)
      all = await read()
    }
    check(all.length === those.length, 'a notification is gone')
    for (const { id, finished_at, recipients, delivered } of all)
      check(
        finished_at !== null && recipients === delivered,
        `${id}: ${delivered} of ${recipients} delivered`,
      )
  }

  return {
    engine,
    /** The notifications that were scheduled here. */
    sent,
    countOf: senders.countOf,
    pushes: () => seen.pushes,
    schedule,
    until,
    settle,
    /** Starts a server and waits until it has sent by every provider, so that its credentials are known. */
    start: async (settings: Settings): Promise<Server & { readonly name: string }> => {
      started += 1
      const name = `server ${started}`
      senders.expect(name)
      const server = await startServer(folder, {
        ...providers.settings,
        ALMONER_REVIEW_EVERY: '1',
        ALMONER_PUSH_WINDOW: String(WINDOW),
        ALMONER_LOG_LEVEL: 'warn',
        ...settings,
      })
      server.process.once('exit', (code) =>
        check(server.process.killed, `${name} ended with ${code}: ${server.lastLines()}`),
      )
      await until(senders.isKnown)
      return { ...server, name }
    },
    /** Looks for pushes that never came, and for servers whose pushes came twice more often than is allowed. Returns figures. */
    judge: (those: ReadonlyArray<Sent>, allowed: (name: string) => number) => {
      const all = due(those)
      const lost = all.filter(({ length }) => length === 0).length
      check(lost === 0, `${lost} pushes never came`)
      const doubles: Record<string, number> = {}
      // A further arrival is due to the server that sent the one before and could not record it.
      for (const name of all.flatMap((from) => from.slice(0, -1))) doubles[name] = (doubles[name] ?? 0) + 1
      for (const [name, twice] of Object.entries(doubles))
        check(twice <= allowed(name), `${twice} pushes of ${name} came twice`)
      const { [RENEWED]: renewed = 0, ...ofServers } = doubles
      const counts = Object.values(ofServers)
      const total = counts.reduce((sum, one) => sum + one, renewed)
      return { pushes: seen.pushes, lost, doubles: total, mostOfOneServer: Math.max(0, ...counts) }
    },
  }
}
