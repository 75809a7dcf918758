// Readers, writers, uploads, notifications, copies and a client that is disabled now and then.
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { PNG } from '../../../packages/adapters-http/test/support/uploads.ts'
import { ApiError, createClient, createSync, memoryStore } from '../../../packages/client/src/index.ts'
import { check, folder } from '../campaign.ts'
import {
  ask,
  authorize,
  runCommand,
  type StressResponse,
  spawnCommand,
  type Headers as Token,
} from '../server.ts'
import {
  judge,
  known,
  LAG,
  raise,
  type Shown,
  succeeded,
  totals,
  versionOf,
  type Written,
  written,
} from './oracle.ts'
import { processes, settings, url } from './processes.ts'
import { database, wasOut } from './servers.ts'

interface LibraryItem extends Shown {
  readonly coverImgUrl?: string
}
interface Body {
  readonly code?: string
  readonly item?: LibraryItem
  readonly items?: ReadonlyArray<{ readonly item: LibraryItem }>
}

/** Returns the items of an answer. */
export const itemsOf = ({ item, items = [] }: Body): ReadonlyArray<LibraryItem> =>
  item === undefined ? items.map(({ item }) => item) : [item]

/** Adds a client and returns the form with which it asks for a token. */
const addClient = (id: string): URLSearchParams => {
  const added = ['client', 'add', '--id', id, '--scope', 'content-manager']
  const { client_id = '', client_secret = '' } = runCommand(folder, database.settings, ...added)
  return new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret })
}
const [manager, guest, guessed] = [addClient('manager'), addClient('guest'), addClient('guessed')] as const

let headers: Token = { authorization: '' }
/** Gets the token of all but the client that is disabled. */
export const signIn = async (): Promise<void> => {
  headers = await authorize(url, manager)
}

/** Posts to create beside the written ones, so that a collection without `lim` takes its time. */
export const FILLERS = 300

/** Reads and judges. Returns the answer, unless it failed. */
export const read = async (path: string) => {
  const before = known()
  const answer = await ask<Body>(`${url}${path}`, headers)
  totals.reads += 1
  if (!succeeded(`GET ${path}`, answer, before.asked)) return undefined
  const number = Number(answer.headers.get('x-process'))
  const items = itemsOf(answer.body)
  for (const item of items) judge(path, number, item, before)
  return { ...answer, items }
}

/** Reads a whole collection, which must have all of its items. */
export const readAll = async (kind: Written['kind']): Promise<void> => {
  const answer = await read(`/${kind}/`)
  const created = [...written.values()].filter((one) => one.kind === kind).length
  const count = created + (kind === 'feed' ? FILLERS : 0)
  if (answer !== undefined)
    check(answer.items.length === count, `GET /${kind}/: ${answer.items.length} items instead of ${count}`)
}

interface History {
  readonly history: ReadonlyArray<{
    readonly revision: {
      readonly changes: ReadonlyArray<{ readonly field: string; readonly after: string }>
    }
  }>
}
const titlesIn = ({ history }: History): ReadonlyArray<string> =>
  history.flatMap(({ revision }) =>
    revision.changes.filter(({ field }) => field === 'itemTitle').map(({ after }) => after),
  )

/** Reads the latest revision of an item and judges that too. */
export const readHistory = async ({ id, kind }: Written): Promise<void> => {
  const path = `/${kind}/${id}/history?lim=1`
  const before = known()
  const answer = await ask<History & Body>(`${url}${path}`, headers)
  totals.reads += 1
  if (!succeeded(`GET ${path}`, answer, before.asked)) return
  for (const itemTitle of titlesIn(answer.body))
    judge(path, Number(answer.headers.get('x-process')), { itemId: id, itemTitle }, before)
}

/** Returns the titles of all stored revisions of an item. */
export const versionsStored = async ({ id, kind }: Pick<Written, 'id' | 'kind'>) => {
  const titles: Array<string> = []
  let path: string | undefined = `/${kind}/${id}/history?lim=100`
  while (path !== undefined) {
    const answer: StressResponse<History> = await ask(`${url}${path}`, headers)
    titles.push(...titlesIn(answer.body))
    const [, next] = /<([^>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '') ?? []
    const { pathname, search } = new URL(next ?? url)
    path = next === undefined ? undefined : `${pathname}${search}`
  }
  return titles
}

const fieldsOf = (kind: Written['kind'], version: number) => ({
  itemTitle: `Version ${version}`,
  itemDescription: 'An item.',
  status: 'Draft',
  ...(kind === 'feed'
    ? { itemType: 'photo' }
    : { link: 'https://example.org', itemPublicationDate: '2026-01-01' }),
})

/** Creates an item that is written from then on. */
export const create = async (kind: Written['kind'], isWritten = true): Promise<void> => {
  const { status, body } = await ask<Body>(`${url}/${kind}/`, headers, fieldsOf(kind, 0))
  check(status === 200, `POST /${kind}/: status ${status}`)
  if (isWritten)
    for (const { itemId: id } of itemsOf(body))
      written.set(id, { id, kind, acknowledged: [], refused: new Set(), sent: 0, due: [] })
}

/** Whether it is known if a write was done. */
const isSaid = ({ status, body }: { readonly status: number; readonly body?: { readonly code?: string } }) =>
  status !== 502 && body?.code !== 'outcome_unknown'

/** Writes the next version if the item is still the one that was read: a write whose answer never came may come late. */
export const write = async (item: Written): Promise<void> => {
  const { id, kind } = item
  const seen = await read(`/${kind}/${id}`)
  if (seen === undefined) return
  item.sent += 1
  const version = item.sent
  const sent = performance.now()
  const answer = await ask<Body>(
    `${url}/${kind}/${id}`,
    { ...headers, 'if-match': seen.headers.get('etag') ?? '' },
    fieldsOf(kind, version),
  )
  totals.writes += 1
  const { status, body } = answer
  if (status === 502) totals.unanswered += 1
  else if (status === 503 && body?.code === 'outcome_unknown') totals.unknown += 1
  else if (status !== 200) item.refused.add(version)
  if (status === 412) totals.refused += 1
  else if (isSaid(answer)) succeeded(`POST /${kind}/${id}`, answer, sent)
  if (status !== 200) return
  item.acknowledged.push(version)
  item.due.push({ version, from: performance.now() + LAG })
  raise(Number(answer.headers.get('x-process')), id, version)
}

/** Uploads a cover and looks at the image that the item shows, which another upload may replace meanwhile. */
export const upload = async ({ id }: Written): Promise<void> => {
  const form = new FormData()
  form.append('itemUploadMedia', new File([PNG], 'cover.png', { type: 'image/png' }))
  const sent = performance.now()
  const answer = await ask<Body>(`${url}/library/${id}/media/cover`, headers, form)
  totals.uploads += 1
  if (isSaid(answer)) succeeded(`POST /library/${id}/media/cover`, answer, sent)
  const cover = async () => (await read(`/library/${id}`))?.items[0]?.coverImgUrl ?? ''
  const shown = await cover()
  if (shown === '') return
  const asked = performance.now()
  const image = await fetch(`${url}${new URL(shown).pathname}`)
  await image.arrayBuffer()
  totals.images += 1
  if (image.status === 404) check((await cover()) !== shown, `${shown} is gone, and its item shows it`)
  else succeeded(`GET ${shown}`, { status: image.status, headers: image.headers }, asked)
}

const announced: Array<string> = []
/** Creates a notification that is due in a second. */
export const announce = async (): Promise<void> => {
  const sent = performance.now()
  const answer = await ask<{ notification: { id: string }; code?: string }>(`${url}/notification`, headers, {
    title: 'Notification',
    lang: 'en',
    resource_type: 'Library',
    date: Math.floor(Date.now() / 1000) + 1,
  })
  if (answer.status === 200) announced.push(answer.body.notification.id)
  else if (isSaid(answer)) succeeded('POST /notification', answer, sent)
}
/** Returns the notifications that exist. */
export const notifications = (): ReadonlyArray<string> => announced

/** A copy that is kept by `GET /changes`, each request of which another process answers. */
export const makeCopy = () => {
  const send = async (request: Request): Promise<Response> => {
    const before = known()
    const response = await fetch(request)
    const { pathname } = new URL(request.url)
    if (response.status === 200 && pathname === '/changes') {
      const { changes } = (await response.clone().json()) as {
        readonly changes: ReadonlyArray<{ readonly change: { readonly item?: Shown } }>
      }
      const number = Number(response.headers.get('x-process'))
      for (const { change } of changes) if (change.item) judge('/changes', number, change.item, before)
    }
    return response
  }
  const client = createClient({
    baseUrl: url,
    token: async () => ({ access_token: headers.authorization.replace('Bearer ', '') }),
    fetch: send,
    maxWait: 0,
  })
  const copy = createSync({ client, store: memoryStore(), kinds: ['library', 'feed'], lim: 50 })
  const held = new Map<string, number>()
  const update = async (): Promise<void> => {
    const sent = performance.now()
    totals.changes += 1
    try {
      await copy.update()
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause
      succeeded('GET /changes', { status: cause.status, headers: new Headers(), body: cause }, sent)
      return
    }
    for (const item of [...(await copy.list('feed')), ...(await copy.list('library'))]) {
      const version = versionOf(item)
      const last = held.get(item.itemId) ?? 0
      check(version >= last, `a copy had version ${last} of ${item.itemId}, and now has ${version}`)
      held.set(item.itemId, version)
    }
  }
  /** Checks that it is what the collections show. */
  const compare = async (): Promise<void> => {
    await update()
    for (const kind of ['feed', 'library'] as const) {
      const shown = (await read(`/${kind}/`))?.items
      check(isDeepStrictEqual(await copy.list(kind), shown), `a copy is not what GET /${kind}/ shows`)
    }
  }
  return { update, compare }
}

/** Runs a command, again and again while the database cannot be reached. */
const command = async (...args: ReadonlyArray<string>): Promise<void> => {
  for (let code = 1; code !== 0; ) [code = 1] = await once(spawnCommand(folder, settings, ...args), 'exit')
}

/** Milliseconds after which a disabled client must not be let in, for which it is asked, and between two requests. */
const [HOLDS, PROBED, BETWEEN] = [5000, 9000, 200]

/** Disables a client and enables it. From 5 s after the first, neither its token nor its secret may be accepted (A9). */
export const disableAndEnable = async (): Promise<void> => {
  const token = async () => {
    const { status, body } = await ask<{ access_token?: string }>(`${url}/oauth2/get-token`, {}, guest)
    return status === 200 ? { authorization: `Bearer ${body.access_token}` } : undefined
  }
  const own = await token()
  if (own === undefined) return pause(BETWEEN)
  const isLetIn = async () => (await ask(`${url}/feed/?lim=1`, own)).status === 200
  await command('client', 'disable', 'guest')
  totals.disabled += 1
  const disabled = performance.now()
  while (performance.now() < disabled + PROBED) {
    const sent = performance.now()
    const is = await isLetIn()
    check(!is || sent < disabled + HOLDS, `a client was let in ${sent - disabled} ms after it was disabled`)
    await pause(BETWEEN)
  }
  check((await token()) === undefined, 'a disabled client gets a token')
  await command('client', 'enable', 'guest')
  const enabled = performance.now()
  while (!(await isLetIn()) && performance.now() < enabled + 2 * PROBED) await pause(BETWEEN)
  check(await isLetIn().then((is) => is || wasOut(enabled)), 'a client that was enabled is not let in')
}

/** Wrong secrets, how many of them are taken in a minute (A8), and the milliseconds between two. */
const [GUESSES, TAKEN, EVERY] = [36, 10, 333]

/** Tries wrong secrets at all processes by turns, which must be blocked like those at one. Returns how many were refused as wrong. */
export const guess = async (): Promise<number> => {
  const wrong = new URLSearchParams({ ...Object.fromEntries(guessed), client_secret: 'wrong' })
  const statusOf = async (form: URLSearchParams) => (await ask(`${url}/oauth2/get-token`, {}, form)).status
  const statuses: Array<number> = []
  for (let n = 0; n < GUESSES; n += 1) {
    const [status] = await Promise.all([statusOf(wrong), pause(EVERY)])
    statuses.push(status)
  }
  const count = statuses.filter((status) => status === 401).length
  const most = TAKEN + Math.ceil(LAG / EVERY)
  check(count >= TAKEN && count <= most, `${count} wrong secrets were answered, not ${TAKEN} to ${most}`)
  check(statuses.lastIndexOf(401) === count - 1, `wrong secrets were answered between refusals: ${statuses}`)
  for (const _ of processes)
    check((await statusOf(guessed)) === 429, 'the right secret is not blocked everywhere')
  return count
}
