import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Almoner,
  type Caller,
  type Client,
  CreateNotification,
  callerOf,
  createAlmoner,
  DEFAULT_POLICY,
  decode,
  type Instant,
  type LibraryItem,
  type Policy,
  type Ports,
  type ResultSet,
  type Unavailable,
} from '@almoner/domain'
import type { ActedBy } from '@almoner/domain/access'
import { DELIVERED, type Notification, type Push, REFUSED } from '@almoner/domain/notifications'
import { AttachDevice, SetPreference } from '@almoner/domain/people'
import { type StopSignal, unavailable } from '@almoner/domain/ports'
import {
  addMillis,
  instant,
  MINUTE,
  type NotificationId,
  type PageRequest,
  SECOND,
  WHOLE_COLLECTION,
} from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import clients from '../../demo/clients.json' with { type: 'json' }
import contents from '../../demo/notifications.json' with { type: 'json' }
import people from '../../demo/people.json' with { type: 'json' }
import { actedBy } from '../cli/command.ts'
import { readClient } from '../commands/client.ts'

export const HOUR = 60 * MINUTE

/** What loading the demonstration needs. */
export interface Seeding {
  readonly ports: Ports
  readonly policy: Policy
  /** The instant from which the age of the content is counted. */
  readonly now: Instant
  readonly onProgress: (step: string) => void
  /** Aborted when the rest is to be left to the next start. */
  readonly signal: StopSignal
}

/** A bug: the demonstration is written to be accepted. */
class ContentRefused extends Error {}

const refused = (why: unknown): never => {
  throw new ContentRefused('the demonstration content is refused', { cause: why })
}

/** Returns the use cases with the clock set to an instant. */
export const at = ({ ports, policy }: Pick<Seeding, 'ports' | 'policy'>, moment: Instant): Almoner =>
  createAlmoner({ ...ports, clock: { now: () => moment } }, policy)

/** Returns under whose name the demonstration's loads are recorded (K1). */
export const byDemonstration = (ports: Pick<Ports, 'clock'>): ActedBy => actedBy('serve --demo', ports)

/** Decodes a use case's command from the parameters that a request would send. Throws when they are not valid. */
export const command = <A>(codec: Parameters<typeof decode<A>>[0], parameters: unknown): A =>
  pipe(decode(codec)(parameters), E.getOrElse<unknown, A>(refused))

/** Resolves to the task's value. Rejects with the cause of an outage; every other failure is a bug. */
export const mustSucceed = async <A>(task: TE.TaskEither<{ readonly _tag: string }, A>): Promise<A> => {
  const result = await task()
  if (E.isRight(result)) return result.right
  if ('cause' in result.left) throw result.left.cause
  return refused(result.left)
}

/** Turns a rejection into Unavailable, except for bugs, which still throw. */
export const untilOutage = <A>(work: () => Promise<A>): TE.TaskEither<Unavailable, A> =>
  TE.tryCatch(work, (cause) => {
    if (cause instanceof ContentRefused) throw cause
    return unavailable(cause)
  })

/** Throws when the process is stopping, so that the next start does the rest. */
export const checkStopping = ({ signal }: Seeding): void => {
  if (signal.aborted) throw new Error('told to stop while it was being loaded')
}

/** Selects all items and all notifications. */
const ALL = { visibility: { kind: 'everything' }, lang: O.none, kind: O.none } as const

interface Collection<A> {
  list(query: typeof ALL, window: PageRequest<never>): TE.TaskEither<Unavailable, ResultSet<A, unknown>>
}

/** Reads a collection by title, which identifies a piece of the demonstration. */
export const existing = async <A extends { readonly title: string }>(
  collection: Collection<A>,
  window: PageRequest<never> = WHOLE_COLLECTION,
): Promise<ReadonlyMap<string, A>> => {
  const found = new Map<string, A>()
  const { batches } = await mustSucceed(collection.list(ALL, window))
  for await (const batch of batches) for (const one of batch) found.set(one.title, one)
  return found
}

/** One client of each kind that the interface knows. */
export const DEMO_CLIENTS: ReadonlyArray<Client> = clients.map(({ id, name, scopes, roles, email }) =>
  readClient({
    id,
    name: `Demonstration: ${name}`,
    scope: scopes,
    ...(roles && { role: roles }),
    ...(email && { email }),
  }),
)

const actingAs = (clientId: string): Caller => {
  const client = DEMO_CLIENTS.find(({ id }) => id === clientId)
  if (client === undefined) throw new TypeError(`there is no client ${clientId}`)
  return callerOf({ ...client, clientId: client.id })
}

/** Writes the demonstration's items and notifications. */
export const EDITOR = actingAs('demo-manager')

/** Writes the demonstration's users. */
const USER_MANAGER = actingAs('demo-users')

/** The demonstration's files: beside the sources, or in the folder that the server is built into. */
export const FOLDER = join(import.meta.dirname, import.meta.filename.endsWith('.ts') ? '../../demo' : 'demo')

/** Writes a file that only its owner may read. Atomic and durable: the file is complete or absent. */
export const writePrivately = async (file: string, text: string): Promise<void> => {
  const fresh = `${file}.new`
  await rm(fresh, { force: true })
  await writeFile(fresh, text, { flag: 'wx', mode: 0o600, flush: true })
  await rename(fresh, file)
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // The process exists, but belongs to another user.
    return codeOf(error) === 'EPERM'
  }
}

/** Creates the marker of a seeding. Resolves to whether a dead process had left one; rejects while another process holds it. */
export const acquireMarker = async (marker: string): Promise<boolean> => {
  try {
    await writeFile(marker, String(process.pid), { flag: 'wx', mode: 0o600, flush: true })
    return false
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
  const owner = Number(await readFile(marker, 'utf8'))
  if (owner > 0 && owner !== process.pid && isAlive(owner))
    throw new Error('another process is loading the demonstration content')
  await writePrivately(marker, String(process.pid))
  return true
}

/** Dates the devices of the n-th user: over the past weeks, at irregular times. */
const attachedAt = (now: Instant, n: number): Instant =>
  instant(now - (40 + 59 * n + ((31 * n) % 23)) * HOUR - ((19 * n) % 60) * MINUTE)

/** Seeds the users with their devices. Idempotent. */
export const seedPeople = async ({ ports, now }: Seeding): Promise<void> => {
  const { users } = createAlmoner(ports)
  for (const [n, { devices, ...preference }] of people.entries()) {
    await mustSucceed(users.setPreference(USER_MANAGER, command(SetPreference, preference)))
    // The default policy: these tokens name kinds that no setting changes.
    const { attach } = at({ ports, policy: DEFAULT_POLICY }, attachedAt(now, n)).devices
    for (const token of devices) {
      const device = command(AttachDevice, { email: preference.email, device_token: token })
      await mustSucceed(attach(USER_MANAGER, device))
    }
  }
}

/** More attempts than accidents can interrupt. The server's own reviews settle what they leave. */
const ATTEMPTS = 20

/** The device that the provider refused, so that the demonstration has a report with a failure. */
const REFUSED_DEVICE = 'demo-jeanne-old-telephone'

/**
 * Records a past notification as delivered to all devices but one, without a push. Each attempt is dated a minute later, so that one takes over what an interrupted
 * one has claimed (I9).
 */
const settle = async ({ ports, policy }: Seeding, id: NotificationId, date: Instant): Promise<void> => {
  const send =
    ({ destination }: Push) =>
    async () =>
      destination.provider === 'fcm' && destination.token === REFUSED_DEVICE ? REFUSED : DELIVERED
  const pushGateway = { ...ports.pushGateway, send }
  let now = date
  const then = createAlmoner({ ...ports, pushGateway, clock: { now: () => now } }, policy)
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const found = O.toUndefined(await mustSucceed(ports.notifications.find(id)))
    const progress = found && O.toUndefined(found.progress)
    if (found === undefined || (progress !== undefined && O.isSome(progress.finishedAt))) return
    now = addMillis(date, attempt * MINUTE)
    await mustSucceed(then.notifications.review({ window: 100 }))
  }
}

/** Seeds the notifications: one that has gone out, one due soon, one without a date. Idempotent. */
export const seedNotifications = async (seeding: Seeding): Promise<void> => {
  const { ports, policy, now } = seeding
  const { notifications } = createAlmoner(ports, policy)
  const items = await existing<LibraryItem>(ports.libraryItems)
  const known = await existing<Notification>(ports.notifications)
  for (const { about, due, ...text } of contents) {
    const parameters = {
      ...text,
      date: due === undefined ? undefined : Math.floor(now / SECOND) + due,
      resource_type: 'Library',
      resource_id: about === undefined ? undefined : items.get(about)?.id,
    }
    const create = notifications.schedule(EDITOR, command(CreateNotification, parameters))
    const { id, date } = known.get(text.title) ?? (await mustSucceed(create)).notification
    if (due !== undefined && due < 0 && O.isSome(date)) await settle(seeding, id, date.value)
  }
}
