import { mean } from './figures.ts'
import { fireOnce, fireUndisturbed } from './firing.ts'
import { addSpells, type Latencies, latenciesOf, type Spell } from './latencies.ts'
import { quiet } from './machine.ts'
import type { Rig } from './rig.ts'
import type { Fired } from './volley.ts'
import type { Sides, Workload } from './workload.ts'

/** What came of a workload: its median run. */
export interface Compared extends Run {
  /** Latencies of both, each at 80 % of its own top rate. */
  readonly paced?: PacedBoth
}

/** What both sides came to in one run. */
export interface Run {
  readonly ours: Figures
  readonly beside: Figures
}

/** Latencies of a server and its counterpart. What both have, the machine has. */
export interface PacedBoth {
  readonly ours: Latencies
  readonly beside: Latencies
}

/** A server's figures. */
export type Figures = Omit<Fired, 'refused'>

/**
 * How many times as long as it is measured each server runs before that, so that its code has been compiled: V8 needs some ten seconds for
 * that of a service.
 */
const WARMING = 2

/** Seconds of a turn. A shared machine is not as quick in every second, so that both have some of each of its moods. */
const TURN = 1

/** Turns of the same length as one run. */
const runOf = (turns: ReadonlyArray<Fired>): Figures => {
  const of = (key: keyof Figures): number => mean(turns.map((turn) => turn[key]))
  const perSecond = of('perSecond')
  return {
    perSecond,
    cpu: mean(turns.map((turn) => turn.cpu * turn.perSecond)) / perSecond,
    generator: of('generator'),
    server: of('server'),
    others: of('others'),
  }
}

/** How many times as many requests a second as the counterpart. */
const rateRatio = ({ ours, beside }: Run): number => ours.perSecond / beside.perSecond

/** One run of both sides, turn by turn. */
const runOnce = async (rig: Rig, workload: Workload, { ours, beside }: Sides): Promise<Run> => {
  const { seconds, patient } = rig.effort
  const each = Math.min(seconds, TURN)
  const [turns, turnsBeside]: [Array<Fired>, Array<Fired>] = [[], []]
  if (patient) await quiet()
  for (let n = 0; n < Math.ceil(seconds / TURN); n += 1) {
    turns.push(await fireUndisturbed(rig, workload, ours, each))
    turnsBeside.push(await fireUndisturbed(rig, workload, beside, each))
  }
  return { ours: runOf(turns), beside: runOf(turnsBeside) }
}

/** The run whose ratio is the median of all. Its figures belong together, which medians of each alone would not. */
const medianRun = (runs: ReadonlyArray<Run>): Run => {
  const run = runs.toSorted((a, b) => rateRatio(a) - rateRatio(b))[runs.length >> 1]
  if (run === undefined) throw new RangeError('nothing was measured')
  return run
}

/** Measures both servers by turns, after each has run unmeasured for longer. Throws when an answer is not the one expected. */
export const compare = async (rig: Rig, workload: Workload): Promise<Compared> => {
  const sides = await workload.sides(rig)
  const { ours, beside } = sides
  const { requests, seconds, rounds } = rig.effort
  if (requests === undefined) {
    await fireOnce(rig, workload, ours, WARMING * seconds)
    await fireOnce(rig, workload, beside, WARMING * seconds)
  }
  const runs: Array<Run> = []
  const spells: { ours: Array<Spell>; beside: Array<Spell> } = { ours: [], beside: [] }
  for (let round = 0; round < rounds; round += 1) {
    const run = await runOnce(rig, workload, sides)
    runs.push(run)
    if (workload.paced !== true) continue
    for (const side of ['ours', 'beside'] as const)
      await addSpells(rig, workload, sides[side], { spells: spells[side], round, top: run[side].perSecond })
  }
  const run = medianRun(runs)
  if (workload.paced !== true) return run
  const paced = { ours: latenciesOf(spells.ours, rounds), beside: latenciesOf(spells.beside, rounds) }
  return { ...run, paced }
}
