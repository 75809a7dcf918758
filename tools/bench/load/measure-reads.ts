import { cpus } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { Running } from '../../stress/server.ts'
import { lengthOf, makeAsker } from './asker.ts'
import { median, percent } from './figures.ts'
import { processesOf, quiet, UNDISTURBED } from './machine.ts'
import { watch } from './watch.ts'

/** Connections on which a server is asked, each again as soon as it has answered. */
export const CONNECTIONS = 64

/** What a server is asked, for how many seconds, and who works for it besides its own processes. */
export interface Reads {
  readonly request: Buffer
  readonly seconds: number
  readonly helpers?: () => ReadonlyArray<number>
}

/** What came of asking. */
export interface Figures {
  readonly perSecond: number
  /** Milliseconds of processor time that the server needs for a request, all its processes together. */
  readonly cpu: number
  /** The share of the machine's processors that went to whoever asks, and to the server. */
  readonly asking: number
  readonly serving: number
  /** The share that went to others, who should not be there. */
  readonly others: number
}

const measure = async (server: Running, { request, seconds: wanted, helpers }: Reads): Promise<Figures> => {
  const url = new URL(server.url)
  const length = await lengthOf(url, request)
  let count = 0
  const askers = Array.from({ length: CONNECTIONS }, () => {
    const asker = makeAsker(url, { request, length }, () => {
      count += 1
      asker.ask()
    })
    asker.ask()
    return asker
  })
  await pause(500)
  const pids = [...processesOf(server.process.pid ?? 0), ...(helpers?.() ?? [])]
  const [before, watched] = [count, watch(pids, [])]
  await pause(wanted * 1000)
  const answers = count - before
  const { seconds, own, server: cpu, others } = watched()
  for (const { end } of askers) end()
  const whole = seconds * cpus().length
  return {
    perSecond: answers / seconds,
    cpu: (cpu / answers) * 1000,
    asking: own / whole,
    serving: cpu / whole,
    others,
  }
}

/** Asks a server as fast as it answers, again until nobody else has used the machine meanwhile. */
export const measureReads = async (server: Running, reads: Reads): Promise<Figures> => {
  await quiet()
  const figures = await measure(server, reads)
  if (figures.others <= UNDISTURBED) return figures
  process.stderr.write(`disturbed: ${percent(figures.others)}\n`)
  return measureReads(server, reads)
}

/** The median of each figure. */
export const medians = (all: ReadonlyArray<Figures>): Figures => ({
  perSecond: median(all.map(({ perSecond }) => perSecond)),
  cpu: median(all.map(({ cpu }) => cpu)),
  asking: median(all.map(({ asking }) => asking)),
  serving: median(all.map(({ serving }) => serving)),
  others: median(all.map(({ others }) => others)),
})
