import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fillDevices } from '../stress/fill-devices.ts'
import type { Settings } from '../stress/server.ts'
import { type Effort, medianBy } from './compare.ts'
import { type Fixture, type Server, startService } from './fixture.ts'
import { memoryOfPackages } from './idle.ts'
import { memoryOf } from './processes.ts'
import { listing, newestItem, posting, send, uploading } from './requests.ts'

/** A figure with a bound. */
export interface Bound {
  readonly title: string
  readonly figure: number
  /** The most that is asked for, if it is. */
  readonly most?: number
  readonly unit: 'ms' | 'MB'
}

const pidOf = ({ pids }: Server): number => pids[0] ?? 0

/** Measures from the start of the process to the first page, and the memory of the idle process, also without the console. Medians of several starts. */
export const measureStart = async (
  { databases, dataset }: Fixture,
  { starts, settle }: Effort,
): Promise<ReadonlyArray<Bound>> => {
  const database = await databases.small()
  const [times, idle, bare]: [Array<number>, Array<number>, Array<number>] = [[], [], []]
  const start = async (more: Settings, memory: Array<number>): Promise<number> => {
    const begun = performance.now()
    const server = await startService(database, { ALMONER_LOG_LEVEL: 'info', ...more })
    await (await send(server, listing(dataset))).arrayBuffer()
    const took = performance.now() - begun
    await pause(settle)
    memory.push(memoryOf(pidOf(server), 'VmRSS'))
    await server.stop()
    return took
  }
  for (let n = 0; n < starts; n += 1) {
    times.push(await start({}, idle))
    await start({ ALMONER_CONSOLE: 'off' }, bare)
  }
  const same = (value: number) => value
  const packages = Math.round(await memoryOfPackages())
  const title = `the same without the console; its packages alone: ${packages} MB, and 12 more are allowed`
  return [
    { title: 'from start to first answer', figure: medianBy(times, same), most: 320, unit: 'ms' },
    { title: 'memory when idle', figure: medianBy(idle, same), unit: 'MB' },
    { title, figure: medianBy(bare, same), most: packages + 12, unit: 'MB' },
  ]
}

const UPLOADERS = 2

/** Sends one notification to the readers of a language. Resolves when the review has ended. */
const review = async ({ dataset }: Fixture, server: Server): Promise<void> => {
  const notification = { lang: 'en', title: 'To many', resource_type: 'Library', date: 0 }
  const created = await send(server, posting(dataset, '/notification', notification))
  const { id } = Object(await created.json()).notification
  const path = `/notification/${id}/delivery?access_token=${dataset.grants.manager.token}`
  for (;;) {
    const { delivery } = Object(await (await send(server, { method: 'GET', path })).json())
    if (delivery.state === 'sent') return
    await pause(200)
  }
}

/** Measures the peak memory of a server that answers reads, takes uploads and reviews a notification, until the review has ended. */
export const measureMemory = async (fixture: Fixture): Promise<ReadonlyArray<Bound>> => {
  const { dataset, databases, fire } = fixture
  const database = await databases.loaded()
  await fillDevices(join(database.folder, 'almoner.db'), dataset.size.devices)
  const server = await startService(database, { ALMONER_REVIEW: 'on', ALMONER_REVIEW_EVERY: '1' })
  const upload = await uploading(dataset, await newestItem(server, dataset))
  const burst = { url: server.url, request: listing(dataset), connections: 32, seconds: 1, status: 200 }
  let finished = false
  const repeat = async (work: () => Promise<unknown>): Promise<void> => {
    while (!finished) await work()
  }
  const uploads = Array.from({ length: UPLOADERS }, () =>
    repeat(async () => (await send(server, upload)).arrayBuffer()),
  )
  const reads = repeat(() => fire(burst))
  const ended = review(fixture, server).finally(() => {
    finished = true
  })
  try {
    await Promise.all([ended, reads, ...uploads])
    const figure = memoryOf(pidOf(server), 'VmHWM')
    return [{ title: 'memory under reads, uploads and a review, at its peak', figure, most: 200, unit: 'MB' }]
  } finally {
    await server.stop()
  }
}
