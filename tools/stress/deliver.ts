// Several servers on one database send notifications by FCM, APNs and Web Push, and are killed with SIGKILL at random moments or left
// in peace; looks whether any device is left out, gets what is not in its language, gets more doubles than what was in flight at a
// kill, or could show a double as a second notification.
// Usage: node tools/stress/deliver.ts --kills 100 | --rounds 20 [--database postgres] [--devices 10000] [--servers 3] [--within 500]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { newGround } from './database.ts'
import { logPlace, sizesSince } from './deliver/kept.ts'
import { openRig, type Sender, WINDOW } from './deliver/rig.ts'
import { RENEWED } from './deliver/senders.ts'

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    kills: { type: 'string', default: '0' },
    rounds: { type: 'string', default: '0' },
    devices: { type: 'string', default: '10000' },
    servers: { type: 'string', default: '3' },
    within: { type: 'string', default: '500' },
  },
})
const KILLS = Number(values.kills)
/** In each round there is a notification to every device, and nobody is killed. */
const ROUNDS = Number(values.rounds)
const DEVICES = Number(values.devices)
const SERVERS = Number(values.servers)
/** A server is killed when it has sent a random number of pushes, at most so many. */
const WITHIN = Number(values.within)

const folder = mkdtempSync(join(tmpdir(), 'almoner-deliver-'))
const ground = await newGround(values.database, folder)
const rig = await openRig(folder, ground, DEVICES)
const { arrivals, findings, sent } = rig
const { senders } = arrivals

const servers: Array<Sender> = []
while (servers.length < SERVERS) servers.push(await rig.start(ground.settings))

const killed: Array<string> = []
for (let kill = 0; kill < KILLS; kill += 1) {
  const at = Math.floor(Math.random() * SERVERS)
  const victim = servers[at]
  if (victim === undefined) continue
  const pushes = senders.sentBy(victim.name) + 1 + Math.floor(Math.random() * WITHIN)
  await rig.until(() => senders.sentBy(victim.name) >= pushes)
  victim.running.process.kill('SIGKILL')
  await victim.running.ended
  killed.push(victim.name)
  servers[at] = await rig.start(ground.settings)
  process.stderr.write(
    `\rkill ${kill + 1} of ${KILLS}, ${sent.length} notifications, ${arrivals.count()} pushes `,
  )
}
await rig.settle(sent)

const [place, before] = [await logPlace(ground), arrivals.count()]
/** The least that one of the servers sent in a round. */
let least = Number.POSITIVE_INFINITY
for (let round = 1; round <= ROUNDS; round += 1) {
  const [first, counts] = [sent.length, servers.map(({ name }) => senders.sentBy(name))]
  await rig.schedule(['en', 'fr'])
  await rig.settle(sent.slice(first))
  least = Math.min(least, ...servers.map(({ name }, n) => senders.sentBy(name) - (counts[n] ?? 0)))
  process.stderr.write(`\rround ${round} of ${ROUNDS}, ${arrivals.count()} pushes `)
}
const kept = await sizesSince(ground, place, arrivals.count() - before)

for (const { running } of servers) running.process.kill('SIGTERM')
await Promise.all(servers.map(({ running }) => running.ended))

const { lost, doubles } = arrivals.judge(sent)
if (lost > 0) findings.push(`${lost} pushes never came`)
for (const [name, count] of doubles) {
  const kills = name === RENEWED ? KILLS : killed.filter((one) => one === name).length
  if (count > WINDOW * kills)
    findings.push(`${count} pushes of ${name} came twice, who was killed ${kills} times`)
}
for (const name of senders.strange())
  findings.push(`${name} came with more credentials than there are providers`)

const counts = [...doubles.values()]
const ofOne = [...doubles].filter(([name]) => name !== RENEWED).map(([, count]) => count)
const outcome = {
  ...values,
  notifications: sent.length,
  pushes: arrivals.count(),
  tokenTooSoon: arrivals.tooSoon(),
  lost,
  doubles: counts.reduce((sum, count) => sum + count, 0),
  mostDoublesOfOneKill: Math.max(0, ...ofOne),
  ...(ROUNDS > 0 ? { leastOfOneServerInARound: least } : {}),
  kept,
  findings: findings.slice(0, 20),
}
process.stdout.write(`\n${JSON.stringify(outcome, null, 2)}\n`)
await rig.close()
await ground.stop()
rmSync(folder, { recursive: true, force: true })
process.exitCode = findings.length === 0 ? 0 : 1
