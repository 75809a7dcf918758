import { join } from 'node:path'
import { compareReview } from '../push/compare-review.ts'
import type { Bound } from './bound.ts'
import { compare } from './compare.ts'
import { type Line, lineOf } from './line.ts'
import { memoryOf, quiet } from './machine.ts'
import { measureMixed } from './mixed.ts'
import { READ_WORKLOADS } from './read-workloads.ts'
import type { Rig } from './rig.ts'
import { measureSearch } from './search.ts'
import { measureStart } from './start.ts'
import type { Workload } from './workload.ts'
import { WRITE_WORKLOADS } from './write-workloads.ts'

/** What a run of the bench came to. */
export interface Report {
  readonly lines: ReadonlyArray<Line>
  readonly bounds: ReadonlyArray<Bound>
}

type Part = (rig: Rig) => Promise<Partial<Report>>

const WINDOW = 1000

const review: Part = async ({ ground, effort }) => {
  const { bare, reviewed } = await compareReview('fcm', {
    file: join(ground.empty(), 'almoner.db'),
    devices: ground.size.pushes,
    window: WINDOW,
    rounds: effort.rounds,
  })
  const figures = ({ perSecond, cpuPerPush }: typeof bare) => ({ perSecond, cpu: cpuPerPush / 1000 })
  const line = {
    name: 'review',
    title: 'delivery review by FCM, a push, ledger on',
    beside: 'bare node:http2 client, no ledger',
    least: undefined,
    ours: figures(reviewed),
    counterpart: figures(bare),
    paced: undefined,
  }
  return { lines: [line] }
}

const search: Part = async ({ ground, effort }) => {
  const folder = await ground.folder(1)
  const { organizations } = ground.size
  if (effort.patient) await quiet()
  const searching = { file: join(folder, 'almoner.db'), organizations, seconds: effort.seconds }
  const { ours, beside } = await measureSearch(searching)
  const rates = (mean: number) => ({ perSecond: 1000 / mean, cpu: mean })
  return {
    lines: [
      {
        name: 'search-time',
        title: 'portfolio, search for two words, uncached, without HTTP',
        beside: 'hand-written trigram index',
        least: undefined,
        ours: rates(ours.mean),
        counterpart: rates(beside.mean),
        paced: undefined,
      },
    ],
    bounds: [
      {
        name: 'search-time',
        title: `search for two words among ${organizations.toLocaleString('en')} organizations, uncached`,
        figure: ours.mean,
        most: 1,
        unit: 'ms',
        note: `tinybench, mean; p99 ${ours.p99.toFixed(2)} ms; the repository alone, without HTTP`,
      },
    ],
  }
}

const mixed: Part = async (rig) => {
  const { lag, peak, uploads, readsPerSecond, pushed, seconds } = await measureMixed(rig)
  const note = `${Math.round(readsPerSecond)} reads and ${(uploads / seconds).toFixed(1)} uploads a second, ${pushed} pushes in ${seconds.toFixed(1)} s`
  return {
    bounds: [
      {
        name: 'mixed',
        title: 'event loop’s delay, p99, under load, uploads and a review',
        figure: lag.p99,
        most: 20,
        unit: 'ms',
        note: `${note}; longest ${lag.max.toFixed(0)} ms`,
      },
      {
        name: 'mixed',
        title: 'memory under all that, at its peak',
        figure: peak,
        most: 200,
        unit: 'MB',
        note: '`VmHWM`',
      },
    ],
  }
}

const start: Part = async (rig) => {
  const { milliseconds, idle } = await measureStart(rig)
  return {
    bounds: [
      {
        name: 'start',
        title: 'from start to first answer, existing database',
        figure: milliseconds,
        most: 400,
        unit: 'ms',
        note: `median of ${rig.effort.starts}`,
      },
      {
        name: 'start',
        title: 'memory when idle',
        figure: idle,
        most: 100,
        unit: 'MB',
        note: `\`VmRSS\`, ${rig.effort.settle / 1000} s later`,
      },
    ],
  }
}

const comparing =
  (workload: Workload): Part =>
  async (rig) => ({ lines: [lineOf(workload, await compare(rig, workload))] })

/** Everything that is measured, by the name that `--only` has for it, in the order of the report. */
export const PARTS: ReadonlyMap<string, Part> = new Map([
  ...[...READ_WORKLOADS, ...WRITE_WORKLOADS].map((workload) => [workload.name, comparing(workload)] as const),
  ['review', review],
  ['search-time', search],
  ['mixed', mixed],
  ['start', start],
])

/** Measures parts, and the memory of the server that was read from. `said` hears of each as it begins. */
export const measureAll = async (
  rig: Rig,
  names: ReadonlyArray<string>,
  said: (name: string) => void,
): Promise<Report> => {
  const parts: Array<Partial<Report>> = []
  for (const name of names) {
    said(name)
    const part = PARTS.get(name)
    if (part === undefined) throw new RangeError(`there is no ${name}`)
    parts.push(await part(rig))
  }
  const lines = parts.flatMap(({ lines = [] }) => lines)
  const bounds = parts.flatMap(({ bounds = [] }) => bounds)
  if (!names.includes('list')) return { lines, bounds }
  const [pid = 0] = (await rig.service()).pids
  const figure = memoryOf(pid, 'VmHWM')
  const note = '`VmHWM`, after all reads'
  return {
    lines,
    bounds: [
      ...bounds,
      { name: 'list', title: 'memory under reads, at its peak', figure, most: 200, unit: 'MB', note },
    ],
  }
}
