import assert from 'node:assert/strict'
import { ENCODINGS, type Encoding } from '../support/encodings.ts'
import type { Fixture, Send, Who } from '../support/fixture.ts'

export type ContentType = 'library' | 'feed'
export type Status = 'Draft' | 'Live' | 'Archived'
export type Lang = 'en' | 'fr'

/** The caller: one of the fixture's clients, or none. */
export type Asker = Who | 'nobody'

/** An image that an item holds: an address that was sent, or an upload, whose address is known once it has been seen. */
export interface HeldImage {
  url: string | undefined
}

/** An item as the interface's sentences have it. */
export interface ModelItem {
  readonly contentType: ContentType
  readonly id: string
  /** Which it was among all that have been created. */
  readonly rank: number
  readonly createdAt: number
  status: Status
  restricted: boolean
  lang: Lang
  title: string
  description: string
  link: string
  vlink: string
  type: string
  day: string
  cover: HeldImage | undefined
  notification: HeldImage | undefined
  /** The image of a feed item. */
  image: HeldImage | undefined
  readonly labels: Set<string>
  /** The publication in the other language. */
  counterpart: ModelItem | undefined
  /** Its text when it and its counterpart were in step. */
  base: string | undefined
  /** Every ETag that it has had; the last is that of now, unless it has changed without saying so. */
  readonly tags: Array<string>
  /** Whether the last ETag is that of now. */
  tagged: boolean
}

export interface ModelNotification {
  readonly id: string
  title: string
  lang: Lang
  /** Milliseconds since 1970, if it is to go out at all. */
  date: number | undefined
  readonly resource: ModelItem | undefined
  state: 'unscheduled' | 'scheduled' | 'sent' | 'partial' | 'failed'
  recipients: number
  delivered: number
  failed: number
  deleted: boolean
  /** When the push began; before it does, the end of time. */
  startedAt: number
  /** The persons for whom it was meant at its start (F7), and when each first marked it as seen. */
  meantFor: ReadonlySet<string>
  readonly seen: Map<string, string>
}

export interface ModelUser {
  lang: Lang
  subscribed: boolean
  topics: ReadonlyArray<string>
}

/** All that the service should remember. */
export interface Model {
  now: number
  readonly items: Array<ModelItem>
  readonly users: Map<string, ModelUser>
  /** Whose each device token is. */
  readonly devices: Map<string, string>
  readonly notifications: Array<ModelNotification>
  /** Until when each client's token is good; 0 once it has been revoked. */
  readonly tokens: Map<Who, number>
}

export const newModel = (now: number): Model => ({
  now,
  items: [],
  users: new Map(),
  devices: new Map(),
  notifications: [],
  tokens: new Map(),
})

/** A3, A2: what the scopes of each client reach, `content-manager` ⊃ `user-donor` ⊃ `user`; `super-admin` counts as `content-manager`. */
export const REACH: Readonly<Record<Who, 1 | 2 | 3>> = {
  user: 1,
  donor: 2,
  userManager: 2,
  manager: 3,
  admin: 3,
}

/** A running service, and the tokens that its clients hold. */
export interface Real {
  readonly fixture: Fixture
  readonly tokens: Map<Who, string>
  /** The last requests, for the analysis of a disagreement. */
  readonly story: Array<string>
}

/** A4: tokens live for an hour by default. */
const LIFE = 3_600_000

/** Obtains a token for a client. */
export const obtain = async (m: Model, { fixture, tokens }: Real, who: Who): Promise<void> => {
  const form = { grant_type: 'client_credentials', client_id: who, client_secret: fixture.secrets[who] ?? '' }
  const answer = await fixture.call('POST', '/oauth2/get-token', { form })
  assert.equal(answer.status, 200)
  const { access_token, expires_in } = (await answer.json()) as { access_token: string; expires_in: number }
  assert.equal(expires_in * 1000, LIFE)
  tokens.set(who, access_token)
  m.tokens.set(who, m.now + LIFE)
}

/** A5: whether the token that a caller shows is good. */
const isGood = (m: Model, asker: Asker): boolean => asker !== 'nobody' && (m.tokens.get(asker) ?? 0) > m.now

export interface Request {
  readonly asker: Asker
  readonly method: string
  readonly path: string
  /** Parameters that are sent; undefined ones are not. */
  readonly fields?: Readonly<Record<string, string | undefined>>
  readonly encoding?: Encoding
  readonly headers?: Readonly<Record<string, string>>
  readonly multipart?: FormData
}

const given = (fields: Request['fields'] = {}): ReadonlyArray<readonly [string, string]> =>
  Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))

const sendOf = ({ method, fields, encoding = 'json', multipart }: Request): Send => {
  if (multipart !== undefined) return { multipart }
  if (method === 'GET') return { query: Object.fromEntries(given(fields)) }
  return method === 'POST' || method === 'PUT' ? ENCODINGS[encoding](given(fields)) : {}
}

/** An answer, read. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

/**
 * Sends a request. The expected errors are a list of statuses, of which the response must have one; without any it must succeed. The order of
 * several errors is open, except that a bad token comes before all others, and a missing scope before the state of the item.
 */
export const send = async (
  m: Model,
  real: Real,
  request: Request,
  needed: 1 | 2 | 3,
  faults: ReadonlyArray<number>,
): Promise<Answer | undefined> => {
  const { asker, method, path } = request
  if (asker !== 'nobody' && !real.tokens.has(asker)) await obtain(m, real, asker)
  const sent = sendOf(request)
  const token = asker === 'nobody' ? undefined : real.tokens.get(asker)
  const headers = {
    ...sent.headers,
    ...request.headers,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  }
  const response = await real.fixture.call(method, path, { ...sent, headers })
  const text = await response.text()
  const told = `${asker} ${method} ${path} ${JSON.stringify(request.fields ?? {})}: ${response.status} ${text.slice(0, 300)}`
  real.story.push(told)
  const allowed = statusesOf(m, asker, needed, faults)
  assert.ok(allowed.includes(response.status), `expected ${allowed}, got ${told}`)
  if (response.status !== 200) return undefined
  return { status: 200, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
}

const statusesOf = (
  m: Model,
  asker: Asker,
  needed: 1 | 2 | 3,
  faults: ReadonlyArray<number>,
): ReadonlyArray<number> => {
  if (asker === 'nobody' || !isGood(m, asker)) return [401]
  if (REACH[asker] < needed) return [403]
  return faults.length === 0 ? [200] : faults
}

/** A3: visibility. Callers without a valid token are rejected before. */
export const isSeen = (item: ModelItem, asker: Asker): boolean => {
  const reach = asker === 'nobody' ? 0 : REACH[asker]
  return reach === 3 || (item.status === 'Live' && (reach === 2 || !item.restricted))
}

/** C3: library by publication date, feed by creation, newest first; ties by identifier, newest first. */
export const ordered = (items: ReadonlyArray<ModelItem>): ReadonlyArray<ModelItem> =>
  [...items].sort((a, b) => {
    if (a.contentType === 'library' && a.day !== b.day) return a.day < b.day ? 1 : -1
    return b.rank - a.rank
  })

/** B8: the day in the service's time zone, UTC. */
export const today = ({ now }: Model): string => new Date(now).toISOString().slice(0, 10)
