// What outside.ts holds against its servers: who got nothing, who got it late, and who got it twice without a reason.
import type { Language } from '../../packages/domain/src/all.ts'
import { check } from './campaign.ts'
import type { Origin, Phase } from './outside-origins.ts'
import { RETRY_AFTER } from './outside-ways.ts'

export interface Scheduled {
  readonly id: string
  readonly lang: Language
  /** When it became due. */
  readonly at: number
}

export interface Device {
  readonly origin: Origin
  readonly target: string
  readonly lang: Language
}

/** Milliseconds: from the first accepted push to all others, the same where a connection froze, from accepting again to the first probe. */
const [WITHIN, FROZEN, PROBED] = [10_000, 25_000, 60_000 + RETRY_AFTER * 1000]
/** For the machine, and the second in which a server looks for notifications that are due. */
const SLACK = 3000
/** Milliseconds in which a push may have been in flight, or on a connection that was given up. */
const IN_FLIGHT = 30_000

const isHealthy = ({ way }: Phase): boolean => way === 'accepts' || way === 'freezes'

/** Times in which an origin accepted without a break, and when its connections froze. */
const healthyTimes = ({ phases }: Origin) => {
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

type Due = ReadonlyArray<{ readonly key: string; readonly at: number }>
type Healthy = ReturnType<typeof healthyTimes>[number]

/** When each push was accepted first. */
const firstsOf = ({ accepted }: Origin): ReadonlyMap<string, number> => {
  const firsts = new Map<string, number>()
  for (const { notificationId, target, at } of accepted) {
    const key = `${notificationId} ${target}`
    if (!firsts.has(key)) firsts.set(key, at)
  }
  return firsts
}

/** Returns how long it took until an origin that accepts again was probed; 0 where the time was too short to say. */
const untilProbed = (origin: Origin, { from, to }: Healthy, wasDue: number, first: number): number => {
  const begins = Math.max(from, wasDue)
  if (to - begins <= PROBED + SLACK) return 0
  const took = first - begins
  check(took <= PROBED + SLACK, `${origin.name} was probed ${Math.round(took / 1000)} s after it accepted`)
  return took
}

/** Returns the delays of pushes in a time, those behind a frozen connection or a kill apart, and counts the late ones. */
const delaysIn = (
  { to, freezes }: Healthy,
  pushes: ReadonlyArray<{ readonly starts: number; readonly came: number }>,
  kills: ReadonlyArray<number>,
) => {
  const disturbances = [...freezes, ...kills]
  return pushes.flatMap(({ starts, came }) => {
    const isDisturbed = disturbances.some((time) => Math.abs(time - starts) < FROZEN)
    const most = (isDisturbed ? FROZEN : WITHIN) + SLACK
    const took = came - starts
    return starts + most > to ? [] : [{ took: isDisturbed ? 0 : took, isLate: took > most }]
  })
}

/** Checks one origin. Returns the longest delays, in seconds: until it was probed, and until all pushes that were due had come. */
const judgeOrigin = (origin: Origin, due: Due, kills: ReadonlyArray<number>) => {
  const firsts = firstsOf(origin)
  const cameOf = (key: string) => firsts.get(key) ?? Number.POSITIVE_INFINITY
  let [probe, all, late] = [0, 0, 0]
  for (const time of healthyTimes(origin)) {
    const open = due.filter(({ key, at }) => at < time.to && cameOf(key) >= time.from)
    const first = origin.accepted.find(({ at }) => at >= time.from)?.at ?? Number.POSITIVE_INFINITY
    const wasDue = Math.min(...open.map(({ at }) => at))
    if (open.length > 0) probe = Math.max(probe, untilProbed(origin, time, wasDue, first))
    const pushes = open.map(({ key, at }) => ({ starts: Math.max(first, at), came: cameOf(key) }))
    const delays = delaysIn(time, pushes, kills)
    all = Math.max(all, ...delays.map(({ took }) => took))
    late += delays.filter(({ isLate }) => isLate).length
  }
  check(late === 0, `${origin.name}: ${late} pushes came late`)
  const seconds = (milliseconds: number) => Math.round(milliseconds / 100) / 10
  return { probe: seconds(probe), all: seconds(all) }
}

/** Counts pushes that were accepted twice, and checks that each had a reason and the same collapse key. */
const judgeDoubles = (origin: Origin, kills: ReadonlyArray<number>): number => {
  const seen = new Map<string, { readonly at: number; readonly collapseKey: string }>()
  let [twice, unreasoned] = [0, 0]
  // A connection may also be given up while an origin is silent.
  const reasons = [...kills, ...origin.phases.filter(({ way }) => way === 'freezes').map(({ from }) => from)]
  for (const { notificationId, target, at, collapseKey } of origin.accepted) {
    const key = `${notificationId} ${target}`
    const before = seen.get(key)
    seen.set(key, { at, collapseKey })
    if (before === undefined) continue
    twice += 1
    if (before.collapseKey !== collapseKey || !reasons.some((time) => Math.abs(time - before.at) < IN_FLIGHT))
      unreasoned += 1
  }
  check(unreasoned === 0, `${origin.name}: ${unreasoned} pushes came twice without a reason`)
  return twice
}

/** Judges everything that happened. Returns figures. */
export const judge = (
  origins: ReadonlyArray<Origin>,
  devices: ReadonlyArray<Device>,
  scheduled: ReadonlyArray<Scheduled>,
  kills: ReadonlyArray<number>,
) => {
  const figures = origins.map((origin) => {
    const own = devices.filter((device) => device.origin === origin)
    const due = scheduled.flatMap(({ id, lang, at }) =>
      own.filter((device) => device.lang === lang).map(({ target }) => ({ key: `${id} ${target}`, at })),
    )
    const got = new Set(origin.accepted.map(({ notificationId, target }) => `${notificationId} ${target}`))
    const lost = due.filter(({ key }) => !got.has(key)).length
    check(lost === 0, `${origin.name}: ${lost} of ${due.length} pushes never came`)
    const longest = judgeOrigin(origin, due, kills)
    return {
      name: origin.name,
      due: due.length,
      lost,
      twice: judgeDoubles(origin, kills),
      secondsToProbe: longest.probe,
      secondsToAll: longest.all,
    }
  })
  return { origins: figures }
}
