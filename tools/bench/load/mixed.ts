import { connect } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { fillDevices } from '../../stress/fill-devices.ts'
import { mean } from './figures.ts'
import type { Lag } from './lag.ts'
import { memoryOf, quiet } from './machine.ts'
import { getting, posting, READS } from './reads.ts'
import type { Rig } from './rig.ts'
import { type Server, startService } from './servers.ts'
import type { Ask } from './volley.ts'
import { CONNECTIONS } from './workload.ts'
import { uploading } from './write-workloads.ts'

/** What a server came to while everything went on at once. */
export interface Mixed {
  readonly lag: Lag
  /** The most memory that it took, in megabytes. */
  readonly peak: number
  readonly uploads: number
  readonly readsPerSecond: number
  /** Pushed in the review, and how long that took. */
  readonly pushed: number
  readonly seconds: number
}

const UPLOADERS = 2

const lagOf = async (path: string): Promise<Lag> => (await json(connect(path))) as Lag

const send = async (url: string, { method, path, headers = {}, body }: Ask): Promise<Response> => {
  const init = body === undefined ? {} : { body: new Uint8Array(body) }
  const answer = await fetch(url + path, { method, headers, ...init })
  if (answer.status !== 200) throw new Error(`${method} was answered ${answer.status}`)
  return answer
}

const uploadUntil = async (url: string, ask: Ask, finished: () => boolean): Promise<number> => {
  let count = 0
  for (; !finished(); count += 1) await (await send(url, ask)).arrayBuffer()
  return count
}

/** Has one notification sent to all readers of a language; resolves with how many it went to. */
const review = async (rig: Rig, { url }: Server): Promise<number> => {
  const { manager } = rig.ground.grants
  const body = { lang: 'en', title: 'To a hundred thousand', resource_type: 'Library', date: 0 }
  const created = await send(url, posting('/notification', manager, body))
  const { notification } = (await created.json()) as { notification: { id: string } }
  const report = getting(`/notification/${notification.id}/delivery`, manager)
  for (;;) {
    const { delivery } = (await (await send(url, report)).json()) as {
      delivery: { state: string; delivered: number }
    }
    if (delivery.state === 'sent') return delivery.delivered
    await pause(200)
  }
}

/** Does all of it until the review is done. */
const everything = async (rig: Rig, server: Server): Promise<Omit<Mixed, 'lag' | 'peak'>> => {
  const { ground, effort, generator } = rig
  const [upload, ask] = [await uploading(rig), getting(READS.list.path, ground.grants.reader)]
  const volley = {
    url: server.url,
    asks: [ask],
    connections: CONNECTIONS,
    seconds: effort.seconds,
    requests: effort.requests,
    server: server.pids,
    known: [],
    status: 200,
  }
  let finished = false
  const finish = () => {
    finished = true
  }
  const [rates, start]: [Array<number>, number] = [[], performance.now()]
  const reading = async () => {
    while (!finished) rates.push((await generator.fire(volley)).perSecond)
  }
  const reviewing = review(rig, server).then((pushed) => ({
    pushed,
    seconds: (performance.now() - start) / 1000,
  }))
  const uploads = Array.from({ length: UPLOADERS }, () => uploadUntil(server.url, upload, () => finished))
  const counting = Promise.all(uploads).then((counts) => counts.reduce((sum, count) => sum + count, 0))
  const [reviewed, uploaded] = await Promise.all([
    reviewing.finally(finish),
    counting.finally(finish),
    reading().finally(finish),
  ])
  const readsPerSecond = mean(rates)
  return { ...reviewed, uploads: uploaded, readsPerSecond }
}

/** Reads by all connections, two that upload, and a review by the log, on a server of its own, until the review is done. */
export const measureMixed = async (rig: Rig): Promise<Mixed> => {
  const { ground, effort } = rig
  const folder = await ground.folder(ground.size.items)
  await fillDevices(join(folder, 'almoner.db'), ground.size.devices)
  const socket = join(folder, 'lag.sock')
  const server = await startService(folder, {
    ALMONER_REVIEW: 'on',
    ALMONER_REVIEW_EVERY: '1',
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'lag.ts')}`,
    BENCH_LAG: socket,
  })
  try {
    if (effort.patient) await quiet()
    await lagOf(socket)
    const done = await everything(rig, server)
    return { ...done, lag: await lagOf(socket), peak: memoryOf(server.pids[0] ?? 0, 'VmHWM') }
  } finally {
    await server.stop()
  }
}
