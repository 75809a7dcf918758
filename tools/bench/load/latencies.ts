import { median, quantile } from './figures.ts'
import { fireOnce } from './firing.ts'
import type { Paced } from './generator.ts'
import { quiet } from './machine.ts'
import type { Rig } from './rig.ts'
import { CONNECTIONS, type Side, type Workload } from './workload.ts'

/** Latencies at 80 % of the top rate, in milliseconds. */
export interface Latencies {
  readonly perSecond: number
  /** Of one spell, the median of those that count. */
  readonly p50: number
  readonly p99: number
  /** Of all that count taken together. */
  readonly p99OfAll: number
  /** How many spells were measured, how many of them count, and how many of those were calm. */
  readonly spells: number
  readonly counted: number
  readonly calm: number
}

/** The share of the top rate at which latencies are measured. */
const PACED_SHARE = 0.8

/** Of a hundred requests 99 are to be answered in time: what takes the hundredth part of the machine can be why they are not. */
const STILL = 0.01
/**
 * Seconds of processor time that may be taken away: none. A server at 80 % of its top rate that stands still for 10 ms, which is the least that
 * Linux counts, has a queue for 50.
 */
const STOLEN = 0.005
/** A server at 80 % of a top rate that has fallen by a fifth since has a queue that never ends, whatever it does. */
const SLOWER = 0.05
/** Seconds of a spell, which may not be longer than the machine keeps its speed, and for which the top rate is measured between two. */
const SPELL = 1
const TOP = 0.5
/** How many spells of a round count on average at most, and how many are measured in a round at most to find so many calm ones. */
const COUNTED = 2
const TRIES = 12

/** A while at one pace. */
export interface Spell {
  readonly paced: Paced
  /** How far it is from a calm one, which is 1 at most. */
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
 * Adds some spells of a round to those of the rounds before, at 80 % of the top rate that the round came to: until there are enough calm ones
 * for all rounds so far, as the machine may be calm in one round and not in the next.
 */
export const addSpells = async (
  rig: Rig,
  workload: Workload,
  side: Side,
  { spells, round, top }: { readonly spells: Array<Spell>; readonly round: number; readonly top: number },
): Promise<void> => {
  const { seconds, patient } = rig.effort
  const topNow = async () => (await fireOnce(rig, workload, side, Math.min(seconds, TOP))).perSecond
  const most = spells.length + (patient ? TRIES : COUNTED)
  if (patient) await quiet()
  let before = await topNow()
  while (spells.filter(isCalm).length < COUNTED * (round + 1) && spells.length < most) {
    const paced = await paceOnce(rig, workload, side, top)
    const after = await topNow()
    const slower = Math.max(0, 1 - Math.min(before, after) / top)
    spells.push({ paced, unrest: Math.max(paced.others / STILL, paced.stolen / STOLEN, slower / SLOWER) })
    before = after
  }
}

/**
 * Latencies at 80 % of the top rate. A machine that is shared is not as quick in every second, and at 80 % of what it can no longer do there
 * is only a queue: so they are measured by spells, and a spell is calm if the top rate was still there just before and just after it, nobody
 * else was, and no processor was taken away. The calm ones of all rounds count, or where there are fewer than rounds, the calmest; and of these
 * the median: one in which the machine stood still for some milliseconds after all does not decide for the others. How long requests took has
 * no say in which count.
 */
export const latenciesOf = (spells: ReadonlyArray<Spell>, rounds: number): Latencies => {
  const calm = spells.filter(isCalm).length
  const counted = spells
    .toSorted((a, b) => a.unrest - b.unrest)
    .slice(0, Math.max(rounds, Math.min(calm, COUNTED * rounds)))
  const times = counted.map(({ paced }) => [...paced.times])
  const typical = (share: number): number => median(times.map((ofSpell) => quantile(ofSpell, share)))
  return {
    perSecond: median(counted.map(({ paced }) => paced.perSecond)),
    p50: typical(0.5),
    p99: typical(0.99),
    p99OfAll: quantile(times.flat(), 0.99),
    spells: spells.length,
    counted: counted.length,
    calm: Math.min(calm, counted.length),
  }
}
