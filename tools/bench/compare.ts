import type { Fixture } from './fixture.ts'
import { cpuOf } from './processes.ts'
import { creating, send } from './requests.ts'
import type { Side, Workload } from './workloads.ts'

/** How long and how often a run measures. */
export interface Effort {
  /** Seconds of one round a side, in turns of one second. */
  readonly seconds: number
  /** Requests of one turn instead. */
  readonly amount?: number
  readonly rounds: number
  /** Seconds that each side runs before it is measured. V8 needs some ten to compile a server. */
  readonly warmUp: number
  /** How often the service is started. */
  readonly starts: number
  /** Milliseconds after which a started service counts as idle. */
  readonly settle: number
}

/** The figures of one side. */
export interface Figures {
  readonly perSecond: number
  /** Milliseconds of processor time a request, with all threads and processes of the server. */
  readonly cpu: number
}

/** A row of the report. */
export interface Compared {
  readonly name: string
  readonly title: string
  readonly baseline: string
  readonly least?: number
  readonly sides: readonly [ours: Figures, baseline: Figures]
}

const CONNECTIONS = 32
/** Seconds of a turn. The sides alternate, because a shared machine changes its speed from second to second. */
const TURN = 1

/** The middle one by a figure. */
export const medianBy = <A>(all: ReadonlyArray<A>, figure: (one: A) => number): A => {
  const middle = all.toSorted((a, b) => figure(a) - figure(b))[all.length >> 1]
  if (middle === undefined) throw new RangeError('nothing was measured')
  return middle
}

const mean = (values: ReadonlyArray<number>): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** Creates items at a steady rate, whether or not the last one is answered. Returns the function that ends it. */
const writeSteadily = (
  { dataset }: Fixture,
  { server }: Side,
  perSecond: number,
): (() => Promise<unknown>) => {
  const written: Array<Promise<unknown>> = []
  const write = async () => (await send(server, creating(dataset))).arrayBuffer()
  const timer = setInterval(() => written.push(write()), 1000 / perSecond)
  return () => {
    clearInterval(timer)
    return Promise.all(written)
  }
}

/** Fires at one side for some seconds. Throws when an answer has another status than expected. */
const fire = async (
  fixture: Fixture,
  workload: Workload,
  side: Side,
  extent: Pick<Effort, 'seconds' | 'amount'>,
): Promise<Figures> => {
  const { name, status = 200, connections = CONNECTIONS, writes } = workload
  const { url, pids } = side.server
  const stop = writes === undefined ? async () => {} : writeSteadily(fixture, side, writes)
  const before = cpuOf(pids)
  const result = await fixture.fire({
    ...extent,
    url,
    request: side.request,
    connections,
    status,
  })
  const used = cpuOf(pids) - before
  await stop()
  if (result.refused > 0) throw new Error(`${name}: ${result.refused} requests were not answered ${status}`)
  const { answers } = result
  return { perSecond: answers / result.seconds, cpu: (used / answers) * 1000 }
}

const roundOf = (turns: ReadonlyArray<Figures>): Figures => ({
  perSecond: mean(turns.map(({ perSecond }) => perSecond)),
  cpu: mean(turns.map(({ cpu }) => cpu)),
})

/** Measures both sides by turns; the round with the median ratio counts, because its figures belong together. */
export const compare = async (fixture: Fixture, workload: Workload, effort: Effort): Promise<Compared> => {
  const { seconds, warmUp, rounds } = effort
  const sides = [await workload.sides[0](fixture), await workload.sides[1](fixture)] as const
  if (warmUp > 0) for (const side of sides) await fire(fixture, workload, side, { seconds: warmUp })
  const measured: Array<readonly [Figures, Figures]> = []
  for (let round = 0; round < rounds; round += 1) {
    const turns: readonly [Array<Figures>, Array<Figures>] = [[], []]
    for (let turn = 0; turn < seconds; turn += TURN)
      for (const at of [0, 1] as const)
        turns[at].push(await fire(fixture, workload, sides[at], { ...effort, seconds: TURN }))
    measured.push([roundOf(turns[0]), roundOf(turns[1])])
  }
  const { name, title, baseline, least } = workload
  const median = medianBy(measured, ([ours, other]) => other.cpu / ours.cpu)
  return { name, title, baseline, ...(least === undefined ? {} : { least }), sides: median }
}
