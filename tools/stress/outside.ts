// Providers fail, each in its ways and at its times, while notifications are due: answers of every kind, silence, connections that freeze, a
// clock that steps (with libfaketime), a server that is killed. Every device must get every notification once its origin accepts again (G15).
// Usage: node tools/stress/outside.ts [--minutes 10] [--devices 1000] [--seed 1] [--database postgres]
import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { MessageText } from '@almoner/domain/notifications'
import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { makeStore } from '../../packages/adapters-kysely/src/index.ts'
import { systemClock, uuidIds } from '../../packages/adapters-node/src/index.ts'
import { done } from '../../packages/testkit/src/contracts/index.ts'
import { check, folder, options, progress, report } from './campaign.ts'
import { migrate, newDatabase } from './database.ts'
import { fillDevicesIn, languageOf } from './fill-devices.ts'
import { judge, type Scheduled } from './outside-judge.ts'
import { openOrigins } from './outside-origins.ts'
import type { Kill } from './outside-times.ts'
import { WAYS } from './outside-ways.ts'
import { startServer } from './server.ts'

const given = options({ minutes: 10, devices: 1000, seed: 1, database: 'sqlite' })

/** Seconds between two notifications, and after the last failure until the end. */
const [EVERY, CALM] = [10, 100]
const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'

/** A few seconds to a minute, in which origins answer in some way. Each second one accepts. */
const phases = fc.sample(
  fc.record({
    way: fc.constantFrom(...WAYS),
    seconds: fc.integer({ min: 3, max: 60 }),
    rest: fc.integer({ min: 20, max: 100 }),
  }),
  { numRuns: 1000, seed: given.seed },
)
const steps = fc.sample(fc.integer({ min: -240, max: 240 }), { numRuns: 100, seed: given.seed })

const database = await newDatabase(given.database, folder)
const { origins, settings } = await openOrigins(folder)
const engine = await database.open()
await migrate(engine)
const devices = Array.from({ length: given.devices }, (_, n) => {
  const origin = origins[n % origins.length] as (typeof origins)[number]
  return { origin, lang: languageOf(n), ...origin.newDevice() }
})
await fillDevicesIn(engine, given.devices, (n) => devices[n])

const offset = join(folder, 'clock')
/** Moves the clock of servers, at once. */
const setClock = (seconds: number): void => {
  writeFileSync(`${offset}.new`, `${seconds < 0 ? '' : '+'}${seconds}\n`)
  renameSync(`${offset}.new`, offset)
}
const hasClock = existsSync(LIBRARY)
setClock(0)
const clock = {
  LD_PRELOAD: LIBRARY,
  FAKETIME_TIMESTAMP_FILE: offset,
  FAKETIME_NO_CACHE: '1',
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
}

const start = () =>
  startServer(folder, {
    ...settings,
    ...database.settings,
    ...(hasClock && clock),
    ALMONER_REVIEW_EVERY: '1',
    ALMONER_LOG_LEVEL: 'warn',
  })
let server = await start()

const begun = performance.now()
const end = begun + given.minutes * 60_000
const kills: Array<Kill> = []
const scheduled: Array<Scheduled> = []
const { notifications } = makeStore(engine)
const ids = uuidIds()

/** Lets an origin fail in one way after the other. */
const failNowAndThen = async (first: number): Promise<void> => {
  const origin = origins[first]
  for (let n = first; origin !== undefined; n += origins.length) {
    const { way, seconds, rest } = phases[n % phases.length] ?? {
      way: 'accepts' as const,
      seconds: 10,
      rest: 10,
    }
    origin.become('accepts')
    await pause(rest * 1000)
    if (performance.now() > end) return
    origin.become(way)
    await pause(seconds * 1000)
  }
}

const schedule = async (): Promise<void> => {
  const [id, lang] = [
    ids.nextNotificationId(),
    scheduled.length % 2 === 0 ? ('en' as const) : ('fr' as const),
  ]
  // Due in the past by any clock: the servers' clock may be ahead or behind.
  const date = O.some((systemClock.now() - 600_000) as ReturnType<typeof systemClock.now>)
  const title = `Notification ${scheduled.length}` as MessageText
  await done(
    notifications.add({
      id,
      revision: 1,
      lang,
      title,
      subtitle: O.none,
      description: O.none,
      date,
      resourceId: O.none,
      labelId: O.none,
    }),
  )
  scheduled.push({ id, lang, at: performance.now() })
}

const failing = Promise.all(origins.keys().map(failNowAndThen))
for (let second = 0; performance.now() < end; second += 1) {
  if (second % EVERY === 0) await schedule()
  if (hasClock && second % 45 === 44) {
    setClock(steps[Math.floor(second / 45) % steps.length] ?? 0)
  }
  if (second === Math.floor(given.minutes * 30)) {
    await server.stop('SIGKILL')
    const at = performance.now()
    server = await start()
    kills.push({ at, back: performance.now() })
  }
  await pause(1000)
  const count = origins.reduce((sum, { accepted }) => sum + accepted.length, 0)
  progress(`${second} s, ${scheduled.length} notifications, ${count} pushes`)
}
await failing
for (const origin of origins) origin.become('accepts')
for (let second = 0; second < CALM; second += 1) await pause(1000)
check(server.process.exitCode === null, `the server ended: ${server.lastLines()}`)
await server.stop()
await engine.close()
report({
  ...given,
  clockSteps: hasClock,
  notifications: scheduled.length,
  ...judge(origins, devices, scheduled, kills),
})
