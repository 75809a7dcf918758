// Kills servers that send notifications by FCM, APNs and Web Push with SIGKILL at random moments, and looks whether any device is left
// out, gets what is not in its language, gets more doubles than what was in flight, or could show a double as a second notification.
// Usage: node test/campaigns/deliver.ts [kills] [devices] [servers] [pushes between two kills, at most]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import * as O from 'fp-ts/lib/Option.js'
import { MIGRATIONS, makeMigrator, makeStore } from '../../packages/adapters-kysely/src/index.ts'
import { systemClock, uuidIds } from '../../packages/adapters-node/src/index.ts'
import { openSqlite } from '../../packages/adapters-sqlite/src/index.ts'
import {
  deliveryOf,
  LANGUAGES,
  type Language,
  type MessageText,
  type Notification,
  type NotificationId,
} from '../../packages/domain/src/index.ts'
import { type Arrival, openProviders } from './deliver/providers.ts'
import { makeSenders } from './deliver/senders.ts'
import { right } from './either.ts'
import { fillDevices } from './fill-devices.ts'
import { type Running, startServer } from './server.ts'

const KILLS = Number(process.argv[2] ?? 100)
const DEVICES = Number(process.argv[3] ?? 10_000)
const SERVERS = Number(process.argv[4] ?? 3)
const WINDOW = 100
/** What a provider takes to answer, in milliseconds. */
const LATENCY = 30
/** A server is killed when it has sent a random number of pushes, at most so many. */
const WITHIN = Number(process.argv[5] ?? 500)
/** After so many milliseconds without a push a new notification is due, so that a kill always meets work. */
const IDLE = 250

const folder = mkdtempSync(join(tmpdir(), 'almoner-deliver-'))
const file = join(folder, 'almoner.db')
const findings: Array<string> = []

/** For each push, by notification and device: the processes that sent it, in the order of arrival. */
const arrivals = new Map<string, Array<string>>()
const collapseKeys = new Map<string, string>()
const languages = new Map<string, Language>()
const senders = makeSenders()
let arrived = 0
let lastArrival = performance.now()

const take = ({ provider, notificationId, token, lang, collapseKey, sender, isRefused }: Arrival): void => {
  const key = `${notificationId} ${token}`
  arrivals.set(key, [...(arrivals.get(key) ?? []), senders.of(sender)])
  arrived += 1
  lastArrival = performance.now()
  if (isRefused) findings.push(`${provider} refused a push`)
  if (languages.get(token) !== lang) findings.push(`a device of ${provider} got a push in ${lang}`)
  const before = collapseKeys.get(key) ?? collapseKey
  if (before !== collapseKey || collapseKey === '')
    findings.push(`${provider}: a double has a collapse key of its own`)
  collapseKeys.set(key, collapseKey)
}
const providers = await openProviders(folder, LATENCY, take)

const engine = await right(openSqlite({ file }))
await right(makeMigrator(engine, systemClock, MIGRATIONS).migrate())
const devices = Array.from({ length: DEVICES }, (_, n) => providers.device(n))
const filled = await fillDevices(file, DEVICES, (n) => devices[n])
for (const [n, lang] of [...filled.values()].entries()) languages.set(devices[n]?.known ?? '', lang)
const { notifications } = makeStore(engine)
const ids = uuidIds()
const sent: Array<Notification> = []

const schedule = async (): Promise<void> => {
  const notification: Notification = {
    id: ids.nextNotificationId(),
    lang: LANGUAGES[sent.length % LANGUAGES.length] ?? 'en',
    title: `Notification ${sent.length}` as MessageText,
    subtitle: O.none,
    description: O.none,
    date: O.some(systemClock.now()),
    resourceId: O.none,
  }
  sent.push(notification)
  await right(notifications.add(notification))
}

const stateOf = async (id: NotificationId) => {
  const found = await right(notifications.find(id))
  if (O.isNone(found)) throw new Error(`${id} is gone`)
  return deliveryOf(found.value.notification, found.value.progress)
}

/** Waits until something is so, and keeps the servers in work. */
const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) {
    if (performance.now() - lastArrival > IDLE) {
      lastArrival = performance.now()
      await schedule()
    }
    await pause(5)
  }
}

interface Server {
  readonly name: string
  readonly running: Running
}

let started = 0
/** Starts a server and waits until it has sent by every provider, so that its credentials are known. */
const start = async (): Promise<Server> => {
  started += 1
  const name = `server ${started}`
  senders.expect(name)
  const settings = {
    ALMONER_REVIEW_EVERY: '1',
    ALMONER_PUSH_WINDOW: String(WINDOW),
    ALMONER_LOG_LEVEL: 'warn',
  }
  const running = await startServer(folder, { ...providers.settings, ...settings })
  await until(() => senders.isKnown(name))
  return { name, running }
}

const servers: Array<Server> = []
while (servers.length < SERVERS) servers.push(await start())

const killed: Array<string> = []
for (let kill = 0; kill < KILLS; kill += 1) {
  const at = Math.floor(Math.random() * SERVERS)
  const victim = servers[at]
  if (victim === undefined) continue
  const pushes = senders.sentBy(victim.name) + 1 + Math.floor(Math.random() * WITHIN)
  await until(() => senders.sentBy(victim.name) >= pushes)
  victim.running.process.kill('SIGKILL')
  await victim.running.ended
  killed.push(victim.name)
  servers[at] = await start()
  process.stderr.write(`\rkill ${kill + 1} of ${KILLS}, ${sent.length} notifications, ${arrived} pushes `)
}

const states = async () => Promise.all(sent.map(({ id }) => stateOf(id)))
for (
  let at = 0;
  (await states()).some(({ state }) => state === 'sending' || state === 'scheduled');
  at += 1
) {
  if (at > 300) {
    findings.push('a notification is not settled five minutes after the last kill')
    break
  }
  await pause(1000)
}
for (const { running } of servers) running.process.kill('SIGTERM')
await Promise.all(servers.map(({ running }) => running.ended))

/** Doubles by the process that sent the push first. */
const doubles = new Map<string, number>()
for (const { id, lang } of sent)
  for (const [device, its] of languages) {
    const by = arrivals.get(`${id} ${device}`) ?? []
    if (its === lang && by.length === 0) findings.push(`a device never got ${id}`)
    // Each further arrival is owed to the process that sent the one before and could not write it down.
    for (const sender of by.slice(0, -1)) doubles.set(sender, (doubles.get(sender) ?? 0) + 1)
  }
for (const [name, count] of doubles) {
  if (!killed.includes(name)) findings.push(`${name} was not killed, and ${count} of its pushes came twice`)
  if (count > WINDOW) findings.push(`${count} pushes of ${name} came twice`)
}
for (const name of senders.strange())
  findings.push(`${name} came with more credentials than there are providers`)
for (const { state, recipients, tally, notificationId } of await states())
  if (state !== 'sent' || recipients !== tally.delivered)
    findings.push(`${notificationId} is ${state}: ${JSON.stringify({ recipients, ...tally })}`)

const counts = [...doubles.values()]
const outcome = {
  kills: KILLS,
  servers: SERVERS,
  devices: DEVICES,
  notifications: sent.length,
  pushes: arrived,
  doubles: counts.reduce((sum, count) => sum + count, 0),
  mostDoublesOfOneKill: Math.max(0, ...counts),
  findings: findings.slice(0, 20),
}
process.stdout.write(`\n${JSON.stringify(outcome, null, 2)}\n`)
await engine.close()
await providers.close()
rmSync(folder, { recursive: true, force: true })
process.exitCode = findings.length === 0 ? 0 : 1
