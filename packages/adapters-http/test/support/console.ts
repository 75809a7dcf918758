import { openPortfolioUpload } from '@almoner/adapters-node/files'
import { makePasskeyChecker } from '@almoner/adapters-signin'
import { DEFAULT_POLICY, type Email, type Ports } from '@almoner/domain'
import type { Duty } from '@almoner/domain/access'
import {
  type IdentityProvider,
  type ManagerName,
  makeAddManager,
  makeCreateSignInLink,
} from '@almoner/domain/managers'
import { done } from '@almoner/testkit/contracts'
import type { FastifyPluginAsync } from 'fastify'
import t, { type Test } from 'tap'
import { type ConsoleAssets, consoleOf } from '../../src/console/index.ts'
import type { PartOptions } from '../../src/extension.ts'
import {
  BASE_URL,
  type Fixture,
  type FixtureOptions,
  STORES,
  type StoreName,
  startFixture,
} from './fixture.ts'
import { quickPasswordChecker } from './password-checker.ts'

/** The address of the editor. */
export const EDITOR = 'editor@example.org' as Email

const bytes = (text: string) => new TextEncoder().encode(text)

/** Pages for tests. */
export const ASSETS: ConsoleAssets = {
  pages: { app: '<!doctype html><title>App</title>', signIn: '<!doctype html><title>Sign in</title>' },
  files: new Map([
    [
      'app-1.js',
      {
        contentType: 'text/javascript',
        bytes: bytes('plain'),
        brotli: bytes('brotli'),
        gzip: bytes('gzip'),
      },
    ],
  ]),
}

interface ConsoleFixtureOptions extends FixtureOptions {
  readonly identityProvider?: IdentityProvider
  /** The pages; {@link ASSETS} unless given. */
  readonly assets?: ConsoleAssets
  /** Another part of the server. */
  readonly part?: FastifyPluginAsync<PartOptions>
}

/** A server with a console and two managers, an editor and an operator. */
export const startConsole = async (
  folder: string,
  { part, identityProvider, assets = ASSETS, wrap: wrapPorts, ...options }: ConsoleFixtureOptions = {},
) => {
  const baseUrl = options.baseUrl ?? BASE_URL
  let wrapped: Ports | undefined
  // The API and the console share one wrapper.
  const wrap =
    wrapPorts &&
    ((ports: Ports): Ports => {
      wrapped ??= wrapPorts(ports)
      return wrapped
    })
  const parts = (ports: Ports, changes: { readonly version: () => number } | undefined) => [
    consoleOf({
      ports: wrap?.(ports) ?? ports,
      policy: { ...DEFAULT_POLICY, ...options.policy },
      openPortfolio: openPortfolioUpload(),
      baseUrl: () => baseUrl,
      assets: async () => assets,
      identityProvider,
      passkeys: makePasskeyChecker({ baseUrl: () => baseUrl }),
      passwords: quickPasswordChecker(),
      rateLimit: options.rateLimit,
      ...(changes && { changes: { version: changes.version, interval: 20 } }),
    }),
    ...(part ? [part] : []),
  ]
  const fixture = await startFixture(folder, {
    ...{ store: 'memory', trustProxy: ['127.0.0.1'], parts, ...options },
    ...(wrap && { wrap }),
  })
  for (const duty of options.after === undefined ? (['editor', 'operator'] as const) : []) {
    const email = `${duty}@example.org` as Email
    const manager = { email, name: duty as string as ManagerName, lang: 'fr', duty, disabled: false } as const
    await done(makeAddManager(fixture.ports)(manager))
  }
  return fixture
}

/** Header fields that a browser sends from a page of the service. */
export const OWN_PAGE = { 'sec-fetch-site': 'same-origin' }

/** Makes the secret of a link for the manager of a duty. */
export const linkFor = async ({ ports }: Fixture, duty: Duty, seconds?: number): Promise<string> =>
  (await done(makeCreateSignInLink(ports)(`${duty}@example.org` as Email, seconds))).secret

/** Sends the secret of a link. */
export const enter = (fixture: Fixture, token: string, headers: Record<string, string> = {}) =>
  fixture.call('POST', '/console/api/sign-in/link', { json: { token }, headers: { ...OWN_PAGE, ...headers } })

/** Signs the manager of a duty in, and returns the cookie. */
export const signIn = async (fixture: Fixture, duty: Duty): Promise<string> => {
  const response = await enter(fixture, await linkFor(fixture, duty))
  return (response.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
}

export type ConsoleFixture = Awaited<ReturnType<typeof startConsole>>

type ConsoleTest = (t: Test, fixture: ConsoleFixture) => Promise<void>

const onStores = (
  stores: ReadonlyArray<StoreName>,
  name: string,
  body: ConsoleTest,
  options: ConsoleFixtureOptions = {},
): void => {
  for (const store of stores)
    t.test(`${name}, ${store}`, async (t) => {
      const fixture = await startConsole(t.testdir(), { ...options, store })
      t.teardown(fixture.stop)
      await body(t, fixture)
    })
}

const WITHOUT_POSTGRES = STORES.filter((store) => store !== 'postgres')

/** Registers a test that runs on a server with a console, in memory and on SQLite. */
export const onBoth = (name: string, body: ConsoleTest): void => onStores(WITHOUT_POSTGRES, name, body)

/** Registers a test that runs on a server with a console, on each store. */
export const onEach = (name: string, body: ConsoleTest, options?: ConsoleFixtureOptions): void =>
  onStores(STORES, name, body, options)
