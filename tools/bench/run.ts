import { compare, type Effort } from './compare.ts'
import type { Size } from './dataset.ts'
import { makeFixture } from './fixture.ts'
import { measureMemory, measureStart } from './footprint.ts'
import { comparePush, PUSH_ROWS } from './push/compare.ts'
import type { Report } from './report.ts'
import { WORKLOADS } from './workloads.ts'

/** How much a run measures, on how much data. */
export interface Extent {
  readonly size: Size
  readonly effort: Effort
}

/** The run for docs/performance.md. */
export const FULL: Extent = {
  size: {
    items: 10_000,
    manyItems: 1_000_000,
    organizations: 10_000,
    devices: 60_000,
    image: { width: 1200, height: 600 },
  },
  effort: { seconds: 5, rounds: 3, warmUp: 10, starts: 5, settle: 3000 },
}

/** A run of a few minutes. */
export const SHORT: Extent = {
  size: { ...FULL.size, manyItems: 100_000, devices: 15_000 },
  effort: { seconds: 1, rounds: 3, warmUp: 2, starts: 3, settle: 1000 },
}

/** Everything that can be measured, in the order of the report. */
export const NAMES: ReadonlyArray<string> = [
  ...WORKLOADS.map(({ name }) => name),
  ...PUSH_ROWS.map(({ name }) => name),
  'start',
  'memory',
]

/** Measures some of {@link NAMES}. Calls `onStart` with the name of each. */
export const run = async (
  names: ReadonlyArray<string>,
  { size, effort }: Extent,
  onStart: (name: string) => void,
): Promise<Report> => {
  const unknown = names.find((name) => !NAMES.includes(name))
  if (unknown !== undefined) throw new RangeError(`nothing is called ${unknown}`)
  const fixture = makeFixture(size)
  // An interrupted run leaves no data behind.
  process.once('exit', fixture.dataset.remove)
  const [compared, bounds]: [Array<Report['compared'][number]>, Array<Report['bounds'][number]>] = [[], []]
  try {
    for (const name of names) {
      onStart(name)
      const workload = WORKLOADS.find((one) => one.name === name)
      const push = PUSH_ROWS.find((one) => one.name === name)
      if (workload !== undefined) compared.push(await compare(fixture, workload, effort))
      else if (push !== undefined) compared.push(await comparePush(fixture.dataset, push, effort))
      else if (name === 'start') bounds.push(...(await measureStart(fixture, effort)))
      else bounds.push(...(await measureMemory(fixture)))
    }
  } finally {
    await fixture.stop()
  }
  return { compared, bounds }
}
