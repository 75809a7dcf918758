import { createHash } from 'node:crypto'
import { TOKEN_PARAMETER } from '../request/authentication.ts'

/** The parts of a request by which two requests with one key are the same (I4). */
export interface Digested {
  readonly method: string
  /** The route's pattern. */
  readonly path: string
  readonly query: Readonly<Record<string, unknown>>
  readonly ifMatch: string | undefined
  /** The parameters, decoded, so that their encoding does not count. */
  readonly parameters: unknown
  readonly upload: Uint8Array | undefined
}

/** Sorts the members of objects: their order does not count. */
const sorted = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

/** An absent query comes as one parameter without a name. */
const counts = (name: string): boolean => name !== TOKEN_PARAMETER && name !== ''

/** Returns the digest of a request. Access tokens do not count, wherever they are; a file counts by its content. */
export const digestOf = ({ query, upload, ...rest }: Digested): string => {
  const others = Object.fromEntries(Object.entries(query).filter(([name]) => counts(name)))
  const file = upload === undefined ? null : createHash('sha256').update(upload).digest('hex')
  return createHash('sha256')
    .update(JSON.stringify({ ...rest, query: others, file }, sorted))
    .digest('hex')
}
