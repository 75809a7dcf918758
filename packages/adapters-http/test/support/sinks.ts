import { seenIn } from './canaries.ts'
import type { Rig } from './rig.ts'

/** An output of a server to its operators. */
export interface Sink {
  readonly name: string
  /** All that it has told there so far. */
  readonly shown: (rig: Rig) => Promise<string>
}

/** All such outputs. Add new ones here. */
export const SINKS: ReadonlyArray<Sink> = [
  { name: 'figures', shown: async (rig) => (await rig.call('GET', '/metrics')).text() },
  // Last: a line comes after the answer that it is about, and before that to the next request.
  { name: 'log', shown: async ({ lines }) => lines.join('') },
]

/** Where texts show that no such place may hold, each as `place: text`. */
export const seenInSinks = async (
  rig: Rig,
  hidden: Readonly<Record<string, string>>,
): Promise<ReadonlyArray<string>> => {
  const seen = []
  for (const { name, shown } of SINKS)
    seen.push(...seenIn(await shown(rig), hidden).map((text) => `${name}: ${text}`))
  return seen
}
