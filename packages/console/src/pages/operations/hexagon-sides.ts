import type { OperationMessages } from '../../messages/en/operations.ts'
import type { LiveFigures } from './use-figures.ts'

type Words = OperationMessages['operations']['hexagon']

/** A side of the hexagon: a group of ports, its adapter, and what it does now. */
export interface Side {
  readonly key: keyof Words['groups']
  readonly group: string
  readonly adapter: string
  readonly figure: string
  /** Whether an operator should look at it. */
  readonly needsCare: boolean
}

const GIBIBYTE = 1024 ** 3

/** Milliseconds for which a due notification may wait for a review. */
const PUNCTUAL = 120_000

/** Rounds a rate: whole numbers from ten on, one decimal below. */
const rounded = (rate: number): number => (rate < 10 ? Math.round(rate * 10) / 10 : Math.round(rate))

/** Returns the six sides: the three that drive the domain, then the three that it uses. */
export const sidesOf = (live: LiveFigures, words: Words): ReadonlyArray<Side> => {
  const { figures, requestsPerSecond, operationsPerSecond } = live
  const { at, adapters, queue, nodes, paused, freeBytes } = figures
  const { groups, adapters: names } = words
  const rateText = (rate: number | undefined) =>
    rate === undefined ? words.unmeasured : words.rate(rounded(rate))
  const isUnsent = adapters.push.some((way) => way === 'log' || way === 'file')
  const known: Readonly<Record<string, string>> = { folder: names.folder, S3: names.S3 }
  const pushFigure = isUnsent ? words.unsent : words.running(adapters.push.length)
  const side = (key: Side['key'], adapter: string, figure: string, needsCare = false): Side => ({
    key,
    group: groups[key],
    adapter: adapter === '' ? words.unmeasured : adapter,
    figure,
    needsCare,
  })
  return [
    side('requests', names.http, rateText(requestsPerSecond)),
    side(
      'sending',
      names.review,
      words.waiting(queue.pending),
      queue.dueSince !== '' && Date.parse(at) - Date.parse(queue.dueSince) > PUNCTUAL,
    ),
    side('nodes', names.heartbeat, words.running(nodes)),
    side('database', adapters.database, rateText(operationsPerSecond)),
    side(
      'storage',
      known[adapters.storage] ?? adapters.storage,
      freeBytes === null ? words.unmeasured : words.free(Math.floor(freeBytes / GIBIBYTE)),
      freeBytes !== null && freeBytes < GIBIBYTE,
    ),
    side(
      'push',
      adapters.push.join(', '),
      paused.length > 0 ? words.paused(paused.length) : pushFigure,
      paused.length > 0,
    ),
  ]
}
