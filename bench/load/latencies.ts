import { median, quantile } from './figures.ts'
import { fireOnce } from './firing.ts'
import type { Paced } from './generator.ts'
import { quiet } from './machine.ts'
import type { Rig } from './rig.ts'
import { CONNECTIONS, type Side, type Workload } from './workload.ts'

/** Latencies at 80 % of the top rate, in milliseconds. */
export interface Steadied {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** How many spells were measured for each that counts. */
  readonly spells: number
}

/** The share of the top rate at which latencies are measured. */
const PACED_SHARE = 0.8

/** Of a hundred requests 99 are to be answered in time: what takes the hundredth part of the machine can be why they are not. */
const STILL = 0.01
/** A server at 80 % of a top rate that has fallen by a fifth since has a queue that never ends, whatever it does. */
const STEADY = 0.05
/** Seconds of a spell, which may not be longer than the machine keeps its speed, and for which the top rate is measured between two. */
const SPELL = 1
const TOP = 0.5
/** How many spells make a run, and how many are measured at most to find so many calm ones. */
const SPELLS = 2
const TRIES = 10

interface Spell {
  readonly paced: Paced
  /** How far it is from a still and steady one, which is 1 at most. */
  readonly unrest: number
}

const paceOnce = (rig: Rig, workload: Workload, side: Side, top: number): Promise<Paced> => {
  const [ask] = side.asks
  if (ask === undefined) throw new RangeError('nothing is asked')
  const { connections = CONNECTIONS, status = 200 } = workload
  const { seconds, warming } = rig.effort
  return rig.generator.pace({
    url: side.server.url,
    ask,
    status,
    connections,
    perSecond: top * PACED_SHARE,
    warming,
    seconds: Math.min(seconds, SPELL),
    server: side.server.pids,
    known: [process.pid],
  })
}

/** The calmest of many spells, between each two of which the top rate is measured. */
const calmest = async (rig: Rig, workload: Workload, side: Side): Promise<ReadonlyArray<Spell>> => {
  const { seconds, patient } = rig.effort
  const topNow = async () => (await fireOnce(rig, workload, side, Math.min(seconds, TOP))).perSecond
  const spells: Array<Spell> = []
  const calm = () => spells.filter(({ unrest }) => unrest <= 1)
  if (patient) await quiet()
  let top = await topNow()
  while (calm().length < SPELLS && spells.length < (patient ? TRIES : SPELLS)) {
    const paced = await paceOnce(rig, workload, side, top)
    const after = await topNow()
    spells.push({ paced, unrest: Math.max(paced.others / STILL, Math.abs(after / top - 1) / STEADY) })
    top = after
  }
  return spells
}

/**
 * Latencies at 80 % of the top rate. A machine that is shared is not as quick in every second, and at 80 % of what it can no longer do there
 * is only a queue: so they are measured by spells, each at 80 % of the top rate just before it, and a spell counts if the top rate just after
 * it was the same and nobody else was there. Where too few were so calm the calmest count. How long requests took has no say in it.
 */
export const paceSteadily = async (rig: Rig, workload: Workload, side: Side): Promise<Steadied> => {
  const spells = await calmest(rig, workload, side)
  const counted = [...spells].sort((a, b) => a.unrest - b.unrest).slice(0, SPELLS)
  const times = counted.flatMap(({ paced }) => [...paced.times])
  return {
    perSecond: median(counted.map(({ paced }) => paced.perSecond)),
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    spells: spells.length / counted.length,
  }
}

/** The median of each figure. */
export const medianPace = (all: ReadonlyArray<Steadied>): Steadied => {
  const of = (key: keyof Steadied): number => median(all.map((paced) => paced[key]))
  return { perSecond: of('perSecond'), p50: of('p50'), p99: of('p99'), spells: of('spells') }
}
