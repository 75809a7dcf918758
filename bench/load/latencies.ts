import { median, quantile } from './figures.ts'
import { fireOnce } from './firing.ts'
import type { Paced } from './generator.ts'
import { quiet } from './machine.ts'
import type { Rig } from './rig.ts'
import { CONNECTIONS, type Side, type Workload } from './workload.ts'

/** Latencies at 80 % of the top rate, in milliseconds. */
export interface Latencies {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** How many spells were measured, how many of them count, and how many of those were calm. */
  readonly spells: number
  readonly counted: number
  readonly calm: number
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
/** How many spells of a round count on average, and how many are measured in a round at most to find so many calm ones. */
const COUNTED = 2
const TRIES = 6

/** A while at one pace. */
export interface Spell {
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

const isCalm = ({ unrest }: Spell): boolean => unrest <= 1

/**
 * Adds some spells to those of the rounds before, between each two of which the top rate is measured: until there are enough calm ones for all
 * rounds so far, as the machine may be calm in one round and not in the next.
 */
export const addSpells = async (
  rig: Rig,
  workload: Workload,
  side: Side,
  { spells, round }: { readonly spells: Array<Spell>; readonly round: number },
): Promise<void> => {
  const { seconds, patient } = rig.effort
  const topNow = async () => (await fireOnce(rig, workload, side, Math.min(seconds, TOP))).perSecond
  const most = spells.length + (patient ? TRIES : COUNTED)
  if (patient) await quiet()
  let top = await topNow()
  while (spells.filter(isCalm).length < COUNTED * (round + 1) && spells.length < most) {
    const paced = await paceOnce(rig, workload, side, top)
    const after = await topNow()
    spells.push({ paced, unrest: Math.max(paced.others / STILL, Math.abs(after / top - 1) / STEADY) })
    top = after
  }
}

/**
 * Latencies at 80 % of the top rate. A machine that is shared is not as quick in every second, and at 80 % of what it can no longer do there
 * is only a queue: so they are measured by spells, each at 80 % of the top rate just before it, and a spell is calm if the top rate just after
 * it was the same and nobody else was there. The calmest of all rounds count. How long requests took has no say in it.
 */
export const latenciesOf = (spells: ReadonlyArray<Spell>, rounds: number): Latencies => {
  const counted = spells.toSorted((a, b) => a.unrest - b.unrest).slice(0, COUNTED * rounds)
  const times = counted.flatMap(({ paced }) => [...paced.times])
  return {
    perSecond: median(counted.map(({ paced }) => paced.perSecond)),
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    spells: spells.length,
    counted: counted.length,
    calm: counted.filter(isCalm).length,
  }
}
