import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { makeIdentityProvider, makePasskeyChecker } from '@almoner/adapters-signin'
import { DEFAULT_POLICY, type Email } from '@almoner/domain'
import {
  type ManagerName,
  makeAddManager,
  makeCreateSignInLink,
  type PreviewUrl,
} from '@almoner/domain/managers'
import { type TimeZone, UTC } from '@almoner/domain/values'
import { type Account, openProvider } from '@almoner/oidc-provider'
import { done } from '@almoner/testkit/contracts'
import * as O from 'fp-ts/lib/Option.js'
import type { Test } from 'tap'
import { consoleOf } from '../../../adapters-http/src/console/index.ts'
import { startFixture } from '../../../adapters-http/test/support/fixture.ts'
import { quickPasswordChecker } from '../../../adapters-http/test/support/password-checker.ts'
import { openPortfolioUpload } from '../../../adapters-node/src/files/index.ts'
import type { ConsoleAssets } from '../../src/index.ts'
import { type BasePath, openProxy } from './reverse-proxy.ts'

/** The managers of the tests. */
const MANAGERS = {
  Camille: 'camille@example.org',
  Bruno: 'bruno@example.org',
  Oda: 'oda@example.org',
} as const

/** The operator among them; the others are editors. */
const OPERATOR: ManagerOfTests = 'Oda'

export type ManagerOfTests = keyof typeof MANAGERS

const emailOf = (name: ManagerOfTests): Email => MANAGERS[name] as string as Email

/** What a console needs of a test: a folder, and a way to end with it. */
export type Stage = Pick<Test, 'testdir' | 'teardown'>

export interface ConsoleSettings {
  readonly lang?: 'en' | 'fr'
  /** Whether pages learn of changes; they do by default. */
  readonly hasEvents?: boolean
  /** Whether Live items wait for their date (C9). */
  readonly embargo?: boolean
  /** The service's time zone; UTC by default. */
  readonly zone?: TimeZone
  /** The host of the base URL. Browsers make passkeys for names only. */
  readonly host?: 'localhost' | '127.0.0.1'
  /** The path below which a reverse proxy serves the console; the root, without a proxy, by default. */
  readonly base?: BasePath | undefined
  /** The people of an OpenID provider, by subject. Without them there is none. Its first sign-ins need an address at example.org. */
  readonly accounts?: ReadonlyMap<string, Account> | undefined
}

/** A port whose number is known before the server behind it has started, because images carry its URL. */
const openDoor = async () => {
  const target = { port: 0 }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const behind = connect(target.port, '127.0.0.1')
    for (const end of [socket, behind]) {
      sockets.add(end)
      end
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(end)
          for (const other of [socket, behind]) other.destroy()
        })
    }
    socket.pipe(behind).pipe(socket)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('no port')
  const close = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  return { target, port: address.port, close }
}

/** Opens an OpenID provider, and the console's view of it. */
const openIdentityProvider = async (t: Stage, baseURL: string, accounts: ReadonlyMap<string, Account>) => {
  const redirectUri = `${baseURL}/console/sign-in`
  const server = await openProvider({ redirectUri, accounts: new Map(accounts) })
  t.teardown(server.stop)
  const { issuer, clientId, clientSecret } = server
  const identityProvider = makeIdentityProvider({
    ...{ issuer, clientId, clientSecret },
    ...{ domains: ['example.org'], trustsEmail: false },
    redirectUri: () => redirectUri,
  })
  return { server, identityProvider }
}

/** Starts a whole server with the built console and two managers. Returns it with the means to sign in. */
export const openConsole = async (
  t: Stage,
  assets: ConsoleAssets,
  {
    lang = 'en',
    hasEvents = true,
    embargo = false,
    zone = UTC,
    host = '127.0.0.1',
    accounts,
    base,
  }: ConsoleSettings = {},
) => {
  const door = base === undefined ? await openDoor() : await openProxy(base)
  const baseURL = `http://${host}:${door.port}${base?.path ?? ''}`
  // The app is a page of the service itself: a browser of these tests reaches no other host.
  const previewUrl = O.some(`${baseURL}/health/live#{kind}/{id}/{token}` as PreviewUrl)
  const policy = { ...DEFAULT_POLICY, timeZone: zone, embargo, previewUrl }
  const baseUrl = () => baseURL
  const provider = accounts && (await openIdentityProvider(t, baseURL, accounts))
  const options = {
    ...{ policy, baseUrl, assets: async () => assets },
    ...{ passkeys: makePasskeyChecker({ baseUrl }), passwords: quickPasswordChecker() },
  }
  const fixture = await startFixture(t.testdir(), {
    store: 'sqlite',
    baseUrl: baseURL,
    policy,
    parts: (ports, versions) => [
      consoleOf({
        ...options,
        ports,
        identityProvider: provider?.identityProvider,
        openPortfolio: openPortfolioUpload(),
        ...(versions && hasEvents && { changes: { ...versions, interval: 20 } }),
      }),
    ],
  })
  door.target.port = Number(new URL(fixture.url).port)
  t.teardown(async () => {
    door.close()
    await fixture.stop()
  })
  const { ports } = fixture
  for (const name of Object.keys(MANAGERS) as ReadonlyArray<ManagerOfTests>) {
    const manager = { email: emailOf(name), name: name as string as ManagerName, lang } as const
    const duty = name === OPERATOR ? 'operator' : 'editor'
    await done(makeAddManager(ports)({ ...manager, duty, disabled: false }))
  }
  /** Makes the token of a link that signs a manager in. */
  const newToken = async (name: ManagerOfTests = 'Camille'): Promise<string> =>
    (await done(makeCreateSignInLink(ports)(emailOf(name)))).secret
  /** Signs a manager in. Returns the cookie for a browser. */
  const signIn = async (who: ManagerOfTests = 'Camille') => {
    const answer = await fetch(`${baseURL}/console/api/sign-in/link`, {
      method: 'POST',
      headers: { 'Sec-Fetch-Site': 'same-origin' },
      body: new URLSearchParams({ token: await newToken(who) }),
    })
    const [name = '', value = ''] = (answer.headers.get('set-cookie') ?? '').split(';')[0]?.split('=') ?? []
    return { name, value, url: baseURL }
  }
  /** Ends all sessions of Camille. */
  const endSessions = () => done(ports.sessions.endAll(emailOf('Camille')))
  return { baseURL, fixture, provider: provider?.server, newToken, signIn, endSessions }
}

export type OpenedConsole = Awaited<ReturnType<typeof openConsole>>
