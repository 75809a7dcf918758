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

/**
 * How many times as long as it is measured each server runs before that, so that its code has been compiled: V8 needs some ten seconds for
 * that of a service.
 */
const WARMING = 2

/** How often a disturbed run is measured again. */
const TRIES = 20
/** Of a hundred requests 99 are to be answered in time: what takes the hundredth part of the machine can be why they are not. */
const STILL = 0.01
/** How often latencies are measured until the machine was still; else the stillest time counts. */
const PACES = 5

const NONE = { stop: async () => 0 }

const fireOnce = async (rig: Rig, workload: Workload, side: Side, seconds: number): Promise<Fired> => {
  const { asks, server, writes = 0 } = side
  const { connections = CONNECTIONS, status = 200 } = workload
  if (rig.effort.requests === undefined) await rested(server.pids)
  const writing = writes === 0 ? NONE : await writeSteadily(rig, server, writes)
  const fired = await rig.generator.fire({
    url: server.url,
    asks,
    connections,
    seconds,
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
  const { patient, seconds } = rig.effort
  if (!patient) return fireOnce(rig, workload, side, seconds)
  for (let n = 0; n < TRIES; n += 1) {
    await quiet()
    const fired = await fireOnce(rig, workload, side, seconds)
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

const paceOnce = async (rig: Rig, workload: Workload, side: Side, top: number): Promise<Paced> => {
  const [ask] = side.asks
  if (ask === undefined) throw new RangeError('nothing is asked')
  const { connections = CONNECTIONS, status = 200 } = workload
  const { seconds, warming } = rig.effort
  const perSecond = top * PACED_SHARE
  return rig.generator.pace({
    url: side.server.url,
    ask,
    status,
    connections,
    perSecond,
    warming,
    seconds,
    server: side.server.pids,
    known: [process.pid],
  })
}

const paceStill = async (rig: Rig, workload: Workload, side: Side, top: number): Promise<Paced> => {
  let stillest = await paceOnce(rig, workload, side, top)
  for (let n = 1; rig.effort.patient && stillest.others > STILL && n < PACES; n += 1) {
    await quiet()
    const paced = await paceOnce(rig, workload, side, top)
    if (paced.others < stillest.others) stillest = paced
  }
  return stillest
}

const medianPace = (all: ReadonlyArray<Paced>): Paced => {
  const of = (key: keyof Paced): number => median(all.map((paced) => paced[key]))
  return { perSecond: of('perSecond'), p50: of('p50'), p99: of('p99'), others: of('others') }
}

/** What came of one side, run by run. */
interface Runs {
  readonly fired: Array<Fired>
  readonly paced: Array<Paced>
}

const newRuns = (): Runs => ({ fired: [], paced: [] })

/** One run more. Its own rate is the top that its pace is a share of: a machine that is shared is not as quick in every minute. */
const runOnce = async (rig: Rig, workload: Workload, side: Side, { fired, paced }: Runs): Promise<void> => {
  const run = await fireUndisturbed(rig, workload, side)
  fired.push(run)
  if (workload.paced === true) paced.push(await paceStill(rig, workload, side, run.perSecond))
}

/** Measures both servers by turns, after each has run unmeasured for longer. Throws when an answer is not the one expected. */
export const compare = async (rig: Rig, workload: Workload): Promise<Compared> => {
  const sides = await workload.sides(rig)
  if (rig.effort.requests === undefined) {
    const longer = WARMING * rig.effort.seconds
    await fireOnce(rig, workload, sides.ours, longer)
    await fireOnce(rig, workload, sides.beside, longer)
  }
  const [ours, beside] = [newRuns(), newRuns()]
  for (let round = 0; round < rig.effort.rounds; round += 1) {
    await runOnce(rig, workload, sides.ours, ours)
    await runOnce(rig, workload, sides.beside, beside)
  }
  const figures = { ours: mediansOf(ours.fired), beside: mediansOf(beside.fired) }
  return workload.paced === true
    ? { ...figures, paced: { ours: medianPace(ours.paced), beside: medianPace(beside.paced) } }
    : figures
}
