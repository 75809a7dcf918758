import type { Grant } from '../baseline/tokens.ts'
import type { Ground } from './ground.ts'
import { TWO_WORDS } from './organizations.ts'
import type { Ask } from './volley.ts'

/** Whose token a request carries. */
export type Caller = keyof Ground['grants']

/** A read that is measured. */
export interface Read {
  /** Without token. */
  readonly path: string
  readonly caller: Caller
}

/** A page, as apps ask for it. */
export const PAGE = 20

/** Reads whose answers the bare server gives too; `ITEM` stands for an item that the caller sees. */
export const READS = {
  list: { path: `/library/?lim=${PAGE}`, caller: 'reader' },
  language: { path: `/library/?lim=${PAGE}&lang=fr`, caller: 'reader' },
  item: { path: '/library/ITEM', caller: 'reader' },
  portfolio: { path: `/portfolio/organization/?lim=${PAGE}`, caller: 'reader' },
  search: {
    path: `/portfolio/organization/?lim=${PAGE}&name=${encodeURIComponent(TWO_WORDS)}`,
    caller: 'reader',
  },
  labels: { path: '/library/label', caller: 'reader' },
} as const satisfies Readonly<Record<string, Read>>

/** The name of one. */
export type ReadName = keyof typeof READS

/** A path with a token in its query, as the interface has it. */
export const withToken = (path: string, { token }: Grant): string =>
  `${path}${path.includes('?') ? '&' : '?'}access_token=${token}`

/** A request that asks for a path. */
export const getting = (path: string, grant: Grant, headers: Readonly<Record<string, string>> = {}): Ask => ({
  method: 'GET',
  path: withToken(path, grant),
  headers,
})

/** A request that posts JSON. */
export const posting = (path: string, grant: Grant, body: object): Ask => ({
  method: 'POST',
  path: withToken(path, grant),
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(body)),
})
