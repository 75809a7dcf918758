import { seenIn } from './canaries.ts'
import type { Fixture } from './fixture.ts'

/** An output of a server to its operators. */
export interface Sink {
  readonly name: string
  /** All that it has told there so far. */
  readonly shown: (fixture: Fixture) => Promise<string>
}

/** All such outputs. Add new ones here. */
export const SINKS: ReadonlyArray<Sink> = [
  { name: 'figures', shown: async (fixture) => (await fixture.call('GET', '/metrics')).text() },
  // Last: a line comes after the answer that it is about, and before that to the next request.
  { name: 'log', shown: async ({ lines }) => lines.join('') },
]

/** Where texts show that no such place may hold, each as `place: text`. */
export const seenInSinks = async (
  fixture: Fixture,
  hidden: Readonly<Record<string, string>>,
): Promise<ReadonlyArray<string>> => {
  const seen = []
  for (const { name, shown } of SINKS)
    seen.push(...seenIn(await shown(fixture), hidden).map((text) => `${name}: ${text}`))
  return seen
}
