import type { Flooded } from './flood.ts'
import type { ProviderKind } from './place.ts'
import { runProcess, startProvider } from './processes.ts'
import { record } from './recorded.ts'

/** What is measured with one provider. */
export interface Measuring {
  /** Who pushes; they take turns, so that all meet the same machine. */
  readonly who: ReadonlyArray<string>
  readonly latency: number
  readonly window: number
  readonly marks: ReadonlyArray<number>
  /** How many turns each has; the median counts. */
  readonly rounds: number
}

/** The middle one, by its rate. */
export const medianOf = <A extends Pick<Flooded, 'perSecond'>>(all: ReadonlyArray<A>): A => {
  const sorted = [...all].sort((a, b) => a.perSecond - b.perSecond)
  const middle = sorted[Math.floor(sorted.length / 2)]
  if (middle === undefined) throw new RangeError('nothing was measured')
  return middle
}

/** The median run of each, by name. */
export const measure = async (
  kind: ProviderKind,
  { who, latency, window, marks, rounds }: Measuring,
): Promise<ReadonlyMap<string, Flooded>> => {
  const { place, stop } = await startProvider(kind, latency)
  const recorded = await record(place)
  const runs = new Map<string, Array<Flooded>>(who.map((name) => [name, []]))
  for (let round = 0; round < rounds; round += 1)
    for (const [name, its] of runs)
      its.push(await runProcess<Flooded>('client.ts', [name, window, ...marks], [place, recorded]))
  await stop()
  return new Map([...runs].map(([name, its]) => [name, medianOf(its)]))
}
