// The times of outside.ts: when origins accepted, and by when a push must have come.
import { LEASE } from '../../packages/domain/src/delivery/batch.ts'
import type { Origin, Phase } from './outside-origins.ts'
import { RETRY_AFTER } from './outside-ways.ts'

/** When a server was killed, and when the next one took requests. */
export interface Kill {
  readonly at: number
  readonly back: number
}

/** Milliseconds from the first accepted push to all others; and where a connection froze. */
const [WITHIN, FROZEN] = [10_000, 25_000]
/** Milliseconds from accepting again to the first probe. */
export const PROBED = 60_000 + RETRY_AFTER * 1000
/** For the machine, and the second in which a server looks for notifications that are due. */
export const SLACK = 3000

const isHealthy = ({ way }: Phase): boolean => way === 'accepts' || way === 'freezes'

/** Times in which an origin accepted without a break, and when its connections froze. */
export const healthyTimes = ({ phases }: Origin) => {
  const times: Array<{ readonly from: number; to: number; readonly freezes: Array<number> }> = []
  for (const [n, phase] of phases.entries()) {
    if (!isHealthy(phase)) continue
    const to = phases[n + 1]?.from ?? performance.now()
    const before = phases[n - 1]
    const last = before !== undefined && isHealthy(before) ? times.at(-1) : undefined
    const time = last ?? { from: phase.from, to, freezes: [] }
    time.to = to
    if (phase.way === 'freezes') time.freezes.push(phase.from)
    if (last === undefined) times.push(time)
  }
  return times
}

/** One of those times. */
export type Healthy = ReturnType<typeof healthyTimes>[number]

/** When a killed server's batches are free: its lease has not been renewed for its length, as the next server has seen (I9). */
const freeAfter = (starts: number, kills: ReadonlyArray<Kill>): number => {
  const frees = kills.filter(({ at, back }) => at - FROZEN < starts && starts < back + LEASE)
  return Math.max(starts, ...frees.map(({ back }) => back + LEASE))
}

/** Returns the delays of pushes in a time, those behind a frozen connection or a kill apart, and counts the late ones. */
export const delaysIn = (
  { to, freezes }: Healthy,
  pushes: ReadonlyArray<{ readonly starts: number; readonly came: number }>,
  kills: ReadonlyArray<Kill>,
) => {
  return pushes.flatMap(({ starts, came }) => {
    const isFrozen = freezes.some((time) => Math.abs(time - starts) < FROZEN)
    const free = freeAfter(starts, kills)
    const most = free - starts + (isFrozen ? FROZEN : WITHIN) + SLACK
    const took = came - starts
    return starts + most > to ? [] : [{ took: isFrozen || free > starts ? 0 : took, isLate: took > most }]
  })
}
