import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { MIGRATIONS, makeMigrator, makeStore } from '@almoner/adapters-kysely'
import {
  openFolderMediaStore,
  openFolderPortfolioImages,
  portfolioImageChecker,
  sharpImageChecker,
} from '@almoner/adapters-media'
import { nodeSecrets, uuidIds } from '@almoner/adapters-node'
import { freshStore } from '@almoner/adapters-postgres/testing'
import { openSqlite } from '@almoner/adapters-sqlite'
import {
  type Client,
  type ClientId,
  DEFAULT_POLICY,
  type Email,
  makeAddClient,
  makeLoadLabels,
  mediaAddressesBelow,
  type Policy,
  type Ports,
  type Role,
  type Scope,
} from '@almoner/domain'
import {
  evenRandom,
  memoryFailedAttempts,
  memoryPushGateway,
  memoryStore,
  plainSecrets,
  type SetClock,
  setClock,
} from '@almoner/domain/memory'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { pino } from 'pino'
import { buildServer, type ServerOptions } from '../../src/index.ts'

export const BASE_URL = 'https://almoner.example.org'

/** The right side of what must succeed. */
export const done = async <E, A>(task: TE.TaskEither<E, A>): Promise<A> => {
  const result = await task()
  if (E.isRight(result)) return result.right
  throw new Error('expected success', { cause: result.left })
}

export type StoreName = 'memory' | 'sqlite' | 'postgres'
export const STORES: ReadonlyArray<StoreName> = ['memory', 'sqlite', 'postgres']

/** Where every test of the interface is to run: on PostgreSQL too only when asked, as that takes half as long again (CONTRIBUTING.md). */
export const INTERFACE_STORES =
  process.env['ALMONER_TEST_STORES'] === 'all' ? STORES : STORES.filter((name) => name !== 'postgres')

const openStore = async (name: StoreName, folder: string, clock: SetClock) => {
  if (name === 'memory') return { store: memoryStore(), close: async () => {} }
  if (name === 'postgres') {
    const { close, ...store } = await freshStore()
    return { store, close }
  }
  const engine = await done(openSqlite({ file: join(folder, 'almoner.db') }))
  await done(makeMigrator(engine, clock, MIGRATIONS).migrate())
  return { store: makeStore(engine), close: () => engine.close() }
}

/** Who calls in tests: one client for each kind of caller. */
export const CLIENTS = {
  user: { scopes: ['user'], roles: [] },
  donor: { scopes: ['user', 'user-donor'], roles: [], email: 'amina@example.org' },
  manager: { scopes: ['content-manager'], roles: [] },
  admin: { scopes: ['user'], roles: ['super-admin'] },
  userManager: { scopes: ['user-donor'], roles: ['user-manager'] },
} as const satisfies Record<
  string,
  { scopes: ReadonlyArray<Scope>; roles: ReadonlyArray<Role>; email?: string }
>

export type Who = keyof typeof CLIENTS

export const LABELS = [
  { labelId: 'water', en: 'Water', fr: 'Eau' },
  { labelId: 'health', en: 'Health', fr: 'Santé' },
]

const clientOf = (
  id: string,
  shape: { scopes: ReadonlyArray<Scope>; roles: ReadonlyArray<Role>; email?: string },
): Client => ({
  id: id as ClientId,
  name: id,
  scopes: shape.scopes,
  roles: shape.roles,
  email: O.fromNullable(shape.email as Email | undefined),
  disabled: false,
})

/** A request of a test: what is left out is left out. */
export interface Send {
  readonly as?: Who
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly form?: ConstructorParameters<typeof URLSearchParams>[0]
  readonly multipart?: FormData
  readonly body?: string | Uint8Array
}

/** Images that lie elsewhere than in a folder. */
export interface RigImages extends Pick<Ports, 'mediaStore' | 'portfolioImages'> {
  readonly media: ServerOptions['media']
  readonly close: () => void
}

export interface RigOptions extends Partial<Pick<ServerOptions, 'rateLimit' | 'corsOrigins' | 'trustProxy'>> {
  readonly store?: StoreName
  readonly policy?: Partial<Policy>
  readonly realSecrets?: boolean
  readonly ready?: () => Promise<ReadonlyArray<string>>
  /** Puts ports of a test's own in the place of the server's, to make them fail or wait. */
  readonly wrap?: (ports: Ports) => Ports
  /** Where the server says that it is; {@link BASE_URL} unless given. */
  readonly baseUrl?: string
  /** Where its images are; a folder of its own unless given. */
  readonly images?: () => Promise<RigImages>
  /** The server that ran on this folder before: its clients, labels and secrets are there already. SQLite only. */
  readonly after?: { readonly ports: Pick<Ports, 'secrets'>; readonly secrets: Partial<Record<Who, string>> }
}

const openFolder = async (folder: string, clock: SetClock): Promise<RigImages> => ({
  mediaStore: await done(openFolderMediaStore({ folder, clock })),
  portfolioImages: await done(openFolderPortfolioImages({ folder: join(folder, 'portfolio'), clock })),
  media: { kind: 'folder', folder },
  close: () => {},
})

/** A whole server on a real socket, with real images and, unless memory is asked for, a real database. */
export const startRig = async (folder: string, options: RigOptions = {}) => {
  const clock = setClock(Date.UTC(2026, 4, 1, 12))
  const mediaFolder = join(folder, 'media')
  mkdirSync(mediaFolder, { recursive: true })
  const { store, close } = await openStore(options.store ?? 'sqlite', folder, clock)
  const baseUrl = options.baseUrl ?? BASE_URL
  const images = await (options.images?.() ?? openFolder(mediaFolder, clock))
  const ports: Ports = {
    ...store,
    clock,
    ids: uuidIds(),
    secrets: options.after?.ports.secrets ?? (options.realSecrets === true ? nodeSecrets() : plainSecrets()),
    failedAttempts: memoryFailedAttempts(),
    mediaStore: images.mediaStore,
    mediaAddresses: mediaAddressesBelow(baseUrl),
    imageChecker: sharpImageChecker(),
    pushGateway: memoryPushGateway(),
    random: evenRandom,
    timer: { wait: () => async () => {} },
    portfolioImages: images.portfolioImages,
    portfolioImageChecker: portfolioImageChecker(sharpImageChecker()),
  }
  const policy: Policy = { ...DEFAULT_POLICY, ...options.policy }
  const lines: Array<string> = []
  const logger = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) })
  const { app, leaving } = await buildServer({
    ports: options.wrap?.(ports) ?? ports,
    policy,
    baseUrl: () => baseUrl,
    logger,
    media: images.media,
    version: '9.9.9',
    metrics: true,
    ready: options.ready ?? (async () => []),
    rateLimit: options.rateLimit,
    corsOrigins: options.corsOrigins,
    trustProxy: options.trustProxy,
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const secrets: Partial<Record<Who, string>> = { ...options.after?.secrets }
  if (options.after === undefined) {
    for (const [who, shape] of Object.entries(CLIENTS))
      secrets[who as Who] = (await done(makeAddClient(ports)(clientOf(who, shape)))).secret
    await done(makeLoadLabels(ports)(LABELS))
  }
  const tokens = new Map<Who, string>()

  const token = async (who: Who): Promise<string> => {
    const known = tokens.get(who)
    if (known !== undefined) return known
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: who,
      client_secret: secrets[who] ?? '',
    })
    const response = await fetch(`${url}/oauth2/get-token`, { method: 'POST', body: form })
    const { access_token } = (await response.json()) as { access_token: string }
    tokens.set(who, access_token)
    return access_token
  }

  const bodyOf = (send: Send): RequestInit => {
    if (send.json !== undefined)
      return { body: JSON.stringify(send.json), headers: { 'content-type': 'application/json' } }
    if (send.form !== undefined) return { body: new URLSearchParams(send.form) }
    if (send.multipart !== undefined) return { body: send.multipart }
    return send.body === undefined ? {} : { body: send.body as NonNullable<RequestInit['body']> }
  }

  /** Sends a request; `as` puts that client's token into the Authorization header. */
  const call = async (method: string, path: string, send: Send = {}): Promise<Response> => {
    const address = new URL(`${url}${path}`)
    for (const [name, value] of Object.entries(send.query ?? {})) address.searchParams.append(name, value)
    const init = bodyOf(send)
    const authorization = send.as === undefined ? {} : { authorization: `Bearer ${await token(send.as)}` }
    return fetch(address, {
      method,
      redirect: 'manual',
      ...init,
      headers: { ...(init.headers as Record<string, string>), ...authorization, ...send.headers },
    })
  }

  const stop = async () => {
    await app.close()
    images.close()
    await close()
  }

  return {
    url,
    app,
    leaving,
    ports,
    clock,
    lines,
    secrets,
    folder,
    mediaFolder,
    call,
    token,
    stop,
    closeStore: close,
  }
}

export type Rig = Awaited<ReturnType<typeof startRig>>
