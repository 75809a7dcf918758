// What outside.ts holds against its servers: who got nothing, who got it late, and who got it twice without a reason.
import { MOST_STRIKES } from '@almoner/domain/delivery'
import type { Language } from '@almoner/domain/values'
import { check } from './campaign.ts'
import type { Origin } from './outside-origins.ts'
import { delaysIn, type Healthy, healthyTimes, type Kill, PROBED, SLACK } from './outside-times.ts'

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

/** Milliseconds in which a push may have been in flight, or on a connection that was given up. */
const IN_FLIGHT = 30_000

type Due = ReadonlyArray<{ readonly key: string; readonly at: number }>
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

/** Checks one origin. Returns the longest delays, in seconds: until it was probed, and until all pushes that were due had come. */
const judgeOrigin = (origin: Origin, due: Due, kills: ReadonlyArray<Kill>) => {
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
const judgeDoubles = (origin: Origin, kills: ReadonlyArray<Kill>): number => {
  const seen = new Map<string, { readonly at: number; readonly collapseKey: string }>()
  let [twice, unreasoned] = [0, 0]
  // A connection may also be given up while an origin is silent.
  const reasons = [
    ...kills.map(({ at }) => at),
    ...origin.phases.filter(({ way }) => way === 'freezes').map(({ from }) => from),
  ]
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
  kills: ReadonlyArray<Kill>,
) => {
  const figures = origins.map((origin) => {
    const own = devices.filter((device) => device.origin === origin)
    const due = scheduled.flatMap(({ id, lang, at }) =>
      own.filter((device) => device.lang === lang).map(({ target }) => ({ key: `${id} ${target}`, at })),
    )
    const got = new Set(origin.accepted.map(({ notificationId, target }) => `${notificationId} ${target}`))
    // A device that its origin refused so often has failed for the notification, if the origin had accepted others of late (G15).
    const hasFailed = ({ key }: Due[number]): boolean =>
      !got.has(key) && (origin.refused.get(key) ?? 0) >= MOST_STRIKES
    const open = due.filter((push) => !hasFailed(push))
    const lost = open.filter(({ key }) => !got.has(key)).length
    check(lost === 0, `${origin.name}: ${lost} of ${due.length} pushes never came`)
    const longest = judgeOrigin(origin, open, kills)
    return {
      name: origin.name,
      due: due.length,
      lost,
      failed: due.length - open.length,
      twice: judgeDoubles(origin, kills),
      secondsToProbe: longest.probe,
      secondsToAll: longest.all,
    }
  })
  return { origins: figures }
}
