import type { RouteDescription } from '../route.ts'
import type { SHARED_RESPONSES } from './shared-responses.ts'

const named = (name: keyof typeof SHARED_RESPONSES) => ({ $ref: `#/components/responses/${name}` })

/** What any request may get, whatever it asks for: a token that is sent twice, missing, or not enough; a head too large; our own faults. */
const OF_ALL = [400, 401, 403, 429, 431, 500, 503]

/** What a request may get that comes with a body, whether anybody reads it or not. */
const OF_BODIES = [413, 415]

/** What a POST may get for its `Idempotency-Key` (I4). */
const OF_KEYS = [409, 422]

const SHARED: Readonly<Record<number, keyof typeof SHARED_RESPONSES>> = {
  400: 'Refused',
  401: 'Unauthorized',
  403: 'Refused',
  409: 'Conflict',
  429: 'Busy',
  503: 'Unavailable',
}

/** Every answer of a route but success, by status; the default is 405, for methods that its path does not take (I1, B3). */
export const faultsOf = ({ faults, method }: Pick<RouteDescription, 'faults' | 'method'>) => {
  const all = new Set([
    ...faults,
    ...OF_ALL,
    ...(method === 'GET' ? [] : OF_BODIES),
    ...(method === 'POST' ? OF_KEYS : []),
  ])
  const statuses = [...all].sort((a, b) => a - b)
  return {
    ...Object.fromEntries(statuses.map((status) => [String(status), named(SHARED[status] ?? 'Problem')])),
    default: named('Problem'),
  }
}
