import { median } from './figures.ts'
import type { Paced } from './generator.ts'
import { quiet, rested, UNDISTURBED } from './machine.ts'
import type { Rig } from './rig.ts'
import { writeSteadily } from './steady-writes.ts'
import type { Fired } from './volley.ts'
import { CONNECTIONS, type Side, type Workload } from './workload.ts'

/** What came of a workload: medians. */
export interface Compared {
  readonly ours: Figures
  readonly beside: Figures
  /** Latencies of both, each at 80 % of its own top rate. */
  readonly paced?: PacedBoth
}

/** Latencies of a server and its counterpart. What both have, the machine has. */
export interface PacedBoth {
  readonly ours: Paced
  readonly beside: Paced
}

/** A server's figures. */
export type Figures = Omit<Fired, 'refused'>

/** The share of the top rate at which latencies are measured. */
export const PACED_SHARE = 0.8

/** How often a disturbed run is measured again. */
const TRIES = 20

const NONE = { stop: async () => 0 }

const fireOnce = async (rig: Rig, workload: Workload, side: Side): Promise<Fired> => {
  const { asks, server, writes = 0 } = side
  const { connections = CONNECTIONS, status = 200 } = workload
  if (rig.effort.requests === undefined) await rested(server.pids)
  const writing = writes === 0 ? NONE : await writeSteadily(rig, server, writes)
  const fired = await rig.generator.fire({
    url: server.url,
    asks,
    connections,
    seconds: rig.effort.seconds,
    requests: rig.effort.requests,
    server: server.pids,
    known: [process.pid],
    status,
  })
  await writing.stop()
  if (fired.refused > 0)
    throw new Error(`${workload.name}: ${fired.refused} requests were not answered ${status}`)
  return fired
}

const fireUndisturbed = async (rig: Rig, workload: Workload, side: Side): Promise<Fired> => {
  if (!rig.effort.patient) return fireOnce(rig, workload, side)
  for (let n = 0; n < TRIES; n += 1) {
    await quiet()
    const fired = await fireOnce(rig, workload, side)
    if (fired.others <= UNDISTURBED) return fired
  }
  throw new Error(`${workload.name}: was disturbed each time`)
}

const mediansOf = (all: ReadonlyArray<Fired>): Figures => {
  const of = (key: keyof Figures): number => median(all.map((fired) => fired[key]))
  return {
    perSecond: of('perSecond'),
    cpu: of('cpu'),
    generator: of('generator'),
    server: of('server'),
    others: of('others'),
  }
}

const paceOf = async (rig: Rig, workload: Workload, side: Side, top: number): Promise<Paced> => {
  const [ask] = side.asks
  if (ask === undefined) throw new RangeError('nothing is asked')
  const { connections = CONNECTIONS, status = 200 } = workload
  const all: Array<Paced> = []
  for (let round = 0; round < rig.effort.rounds; round += 1) {
    if (rig.effort.requests === undefined) await rested(side.server.pids)
    if (rig.effort.patient) await quiet()
    const { seconds } = rig.effort
    const perSecond = top * PACED_SHARE
    all.push(await rig.generator.pace({ url: side.server.url, ask, status, connections, perSecond, seconds }))
  }
  const of = (key: keyof Paced): number => median(all.map((paced) => paced[key]))
  return { perSecond: of('perSecond'), p50: of('p50'), p99: of('p99') }
}

/** Measures both servers by turns, after each has run once unmeasured. Throws when an answer is not the one expected. */
export const compare = async (rig: Rig, workload: Workload): Promise<Compared> => {
  const sides = await workload.sides(rig)
  if (rig.effort.requests === undefined) {
    await fireOnce(rig, workload, sides.ours)
    await fireOnce(rig, workload, sides.beside)
  }
  const [ours, beside]: [Array<Fired>, Array<Fired>] = [[], []]
  for (let round = 0; round < rig.effort.rounds; round += 1) {
    ours.push(await fireUndisturbed(rig, workload, sides.ours))
    beside.push(await fireUndisturbed(rig, workload, sides.beside))
  }
  const figures = { ours: mediansOf(ours), beside: mediansOf(beside) }
  if (workload.paced !== true) return figures
  const pacedOf = (side: Side, { perSecond }: Figures) => paceOf(rig, workload, side, perSecond)
  const paced = await pacedOf(sides.ours, figures.ours)
  return { ...figures, paced: { ours: paced, beside: await pacedOf(sides.beside, figures.beside) } }
}
