// One notification to the readers of one language among a million devices, on a running server that answers requests meanwhile:
// node tools/bench/review.ts [devices] [log|fcm]     into the log, or by the real gateway to FCM on loopback
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { fillDevices } from '../stress/fill-devices.ts'
import { authorization, newManager, peakOf, startServer } from '../stress/server.ts'
import { startProvider } from './push/processes.ts'
import { openStore } from './store.ts'

const DEVICES = Number(process.argv[2] ?? 1_000_000)
const BY = process.argv[3] ?? 'log'
const READERS = 4
process.env['ALMONER_REVIEW_EVERY'] = '1'

const folder = mkdtempSync(join(tmpdir(), 'almoner-review-'))

/** FCM in a process of its own, and the settings that lead there; nothing for the log. */
const startFcm = async () => {
  if (BY === 'log') return { settings: {}, stop: async () => {} }
  const { place, stop } = await startProvider('fcm', 0)
  if (place.kind !== 'fcm') throw new TypeError('that is another provider')
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 })
    return join(folder, name)
  }
  const settings = {
    ALMONER_PUSH: 'fcm',
    ALMONER_FCM_URL: place.origin,
    ALMONER_FCM_CREDENTIALS: write('account.json', JSON.stringify(place.account)),
    ALMONER_PUSH_CA: write('ca.pem', place.ca),
  }
  return { settings, stop }
}

/** Figures of the event loop since they were last asked for, in milliseconds. */
const loopDelay = async (url: string) => {
  const text = await (await fetch(`${url}/metrics`)).text()
  const figure = (name: string) =>
    Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds (\\S+)`, 'm').exec(text)?.[1]) * 1000
  return { p99: figure('p99'), max: figure('max') }
}

const quantile = (times: ReadonlyArray<number>, share: number): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length * share)] ?? 0

/** Reads pages until told to stop; gives how long each took. */
const readUntil = async (url: string, headers: Record<string, string>, finished: () => boolean) => {
  const times: Array<number> = []
  while (!finished()) {
    const start = performance.now()
    const response = await fetch(`${url}/notification?lim=20`, { headers })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`a read got ${response.status}`)
    times.push(performance.now() - start)
    await pause(20)
  }
  return times
}

try {
  const { engine } = await openStore(join(folder, 'almoner.db'))
  await engine.close()
  const devices = await fillDevices(join(folder, 'almoner.db'), DEVICES)
  const recipients = [...devices].filter(([, lang]) => lang === 'en').length
  const manager = newManager(folder)
  const fcm = await startFcm()
  const server = await startServer(folder, fcm.settings)
  const headers = await authorization(server.url, manager)
  await loopDelay(server.url)
  const start = performance.now()
  const created = await fetch(`${server.url}/notification`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ lang: 'en', title: 'To a million', resource_type: 'Library', date: 0 }),
  })
  const { notification } = (await created.json()) as { notification: { id: string } }
  let finished = false
  const readers = Array.from({ length: READERS }, () => readUntil(server.url, headers, () => finished))
  let delivery: Record<string, unknown> = {}
  while (delivery['state'] !== 'sent') {
    await pause(500)
    const report = await fetch(`${server.url}/notification/${notification.id}/delivery`, { headers })
    delivery = ((await report.json()) as { delivery: Record<string, unknown> }).delivery
  }
  const seconds = (performance.now() - start) / 1000
  finished = true
  const times = (await Promise.all(readers)).flat()
  const lag = await loopDelay(server.url)
  process.stdout.write(`| review of ${recipients} recipients among ${DEVICES} devices, by ${BY} | |
| --- | --- |
| delivered | ${delivery['delivered']}, pending ${delivery['pending']} |
| time | ${seconds.toFixed(1)} s, ${(recipients / seconds).toFixed(0)} pushes a second |
| peak memory of the server | ${peakOf(server.process).toFixed(0)} MB |
| event loop's delay | p99 ${lag.p99.toFixed(1)} ms, longest ${lag.max.toFixed(1)} ms |
| ${times.length} requests meanwhile | median ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms |
`)
  server.process.kill('SIGTERM')
  await server.ended
  await fcm.stop()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
