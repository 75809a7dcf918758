// Kills processes that send notifications with SIGKILL at random moments, and looks whether any device is left out, gets what is not in
// its language, or gets more doubles than what was in flight. Usage: node test/campaigns/deliver.ts [kills] [devices]
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
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
import { right } from './either.ts'
import { fillDevices } from './fill-devices.ts'

const KILLS = Number(process.argv[2] ?? 50)
const DEVICES = Number(process.argv[3] ?? 10_000)
const WINDOW = 100
const PROCESSES = 2
/** What the gateway takes to answer, in milliseconds. */
const LATENCY = 30
/** A process is killed when it has sent a random number of pushes, at most so many. */
const WITHIN = 1500
/** After so many milliseconds without a push a new notification is due, so that a kill always meets work. */
const IDLE = 250

const folder = mkdtempSync(join(tmpdir(), 'almoner-deliver-'))
const file = join(folder, 'almoner.db')
const findings: Array<string> = []

/** For each push, by notification and device: the processes that sent it, in the order of arrival. */
const arrivals = new Map<string, Array<string>>()
let arrived = 0
let lastArrival = performance.now()
/** Pushes by process. */
const sentBy = new Map<string, number>()
const languages = new Map<string, Language>()

const gateway = createServer((incoming, response) => {
  const [, name = '', notification = '', device = '', lang = ''] = (incoming.url ?? '').split('/')
  const key = `${notification}/${device}`
  arrivals.set(key, [...(arrivals.get(key) ?? []), name])
  arrived += 1
  lastArrival = performance.now()
  sentBy.set(name, (sentBy.get(name) ?? 0) + 1)
  if (languages.get(device) !== lang) findings.push(`device ${device} got a push in ${lang}`)
  incoming.resume()
  setTimeout(() => response.end(), LATENCY)
}).listen(0, '127.0.0.1')
await new Promise((resolve) => gateway.once('listening', resolve))
const url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`

const engine = await right(openSqlite({ file }))
await right(makeMigrator(engine, systemClock, MIGRATIONS).migrate())
for (const [device, lang] of await fillDevices(file, DEVICES)) languages.set(String(device), lang)
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

let started = 0
const startWorker = (): { readonly name: string; readonly child: ChildProcess } => {
  started += 1
  const name = `process-${started}`
  const worker = join(import.meta.dirname, 'review-worker.ts')
  const child = spawn(process.execPath, [worker, file, url, name, String(WINDOW)], { stdio: 'inherit' })
  return { name, child }
}

const killed: Array<string> = []
const workers = Array.from({ length: PROCESSES }, startWorker)

/** Waits until a process has sent so many pushes, and keeps it in work. */
const untilSent = async (name: string, pushes: number): Promise<void> => {
  while ((sentBy.get(name) ?? 0) < pushes) {
    if (performance.now() - lastArrival > IDLE) {
      lastArrival = performance.now()
      await schedule()
    }
    await pause(5)
  }
}

for (let kill = 0; kill < KILLS; kill += 1) {
  const at = Math.floor(Math.random() * PROCESSES)
  const victim = workers[at]
  if (victim === undefined) continue
  await untilSent(victim.name, 1 + Math.floor(Math.random() * WITHIN))
  victim.child.kill('SIGKILL')
  await new Promise((resolve) => victim.child.once('exit', resolve))
  killed.push(victim.name)
  workers[at] = startWorker()
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
for (const { child } of workers) child.kill('SIGKILL')

/** Doubles by the process that sent the push first. */
const doubles = new Map<string, number>()
for (const { id, lang } of sent)
  for (const [device, its] of languages) {
    const senders = arrivals.get(`${id}/${device}`) ?? []
    const [first] = senders
    if (its === lang && first === undefined) findings.push(`device ${device} never got ${id}`)
    // Each further arrival is owed to the process that sent the one before and could not write it down.
    for (const sender of senders.slice(0, -1)) doubles.set(sender, (doubles.get(sender) ?? 0) + 1)
  }
for (const [name, count] of doubles) {
  if (!killed.includes(name)) findings.push(`${name} was not killed, and ${count} of its pushes came twice`)
  if (count > WINDOW) findings.push(`${count} pushes of ${name} came twice`)
}
for (const { state, recipients, tally, notificationId } of await states())
  if (state !== 'sent' || recipients !== tally.delivered)
    findings.push(`${notificationId} is ${state}: ${JSON.stringify({ recipients, ...tally })}`)

const worst = Math.max(0, ...doubles.values())
const all = [...doubles.values()].reduce((sum, count) => sum + count, 0)
process.stdout.write(
  `\n${JSON.stringify({ kills: KILLS, devices: DEVICES, notifications: sent.length, pushes: arrived, doubles: all, mostDoublesOfOneKill: worst, findings: findings.slice(0, 20) }, null, 2)}\n`,
)
await engine.close()
gateway.close()
gateway.closeAllConnections()
rmSync(folder, { recursive: true, force: true })
process.exitCode = findings.length === 0 ? 0 : 1
