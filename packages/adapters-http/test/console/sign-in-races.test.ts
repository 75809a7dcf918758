import { makePasswordChecker } from '@almoner/adapters-signin'
import type { Ports } from '@almoner/domain'
import { type IdentityProvider, type TotpSecret, totpCode, totpStep } from '@almoner/domain/managers'
import { done } from '@almoner/testkit/contracts'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import t from 'tap'
import { authenticator } from '../support/authenticator.ts'
import { type ConsoleFixture, EDITOR, linkFor, OWN_PAGE, signIn, startConsole } from '../support/console.ts'
import { STORES, type StoreName } from '../support/fixture.ts'
import { seeProblem } from '../support/problems.ts'

const { hmac } = makePasswordChecker()

const PASSWORD = 'correct horse battery'

/** An account of the editor. */
const IDENTITY = { issuer: 'https://accounts.example.org', subject: 'ed-1' }

const identityProvider: IdentityProvider = {
  domains: [],
  trustsEmail: false,
  start: () => TE.right('https://accounts.example.org'),
  finish: () =>
    TE.right({
      ...IDENTITY,
      claims: { email: EDITOR, email_verified: true },
      userinfo: TE.right({}),
      authenticatedAt: O.none,
    }),
}

/** Ports in which a sign-in waits between its check of the credential and the opening of its session. */
const pausedPorts = () => {
  let pause: { readonly arrived: () => void; readonly resumed: Promise<void> } | undefined
  const wrap = (ports: Ports): Ports => ({
    ...ports,
    sessions: {
      ...ports.sessions,
      open:
        (...given) =>
        async () => {
          const paused = pause
          pause = undefined
          paused?.arrived()
          await paused?.resumed
          return ports.sessions.open(...given)()
        },
    },
  })
  /** Holds the next sign-in while `change` is made. */
  const during = async (signIn: () => Promise<Response>, change: () => Promise<unknown>) => {
    const [arrived, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    pause = { arrived: arrived.resolve, resumed: resumed.promise }
    const response = signIn()
    await arrived.promise
    await change()
    resumed.resolve()
    return response
  }
  return { wrap, during }
}

const call = (fixture: ConsoleFixture, method: string, path: string, json?: object, cookie = '') =>
  fixture.call(method, `/console/api${path}`, {
    headers: { ...OWN_PAGE, ...(cookie && { cookie }) },
    ...(json && { json }),
  })

const jsonOf = async <Body>(response: Promise<Response>) => (await (await response).json()) as Body

const optionsIn = async (response: Promise<Response>) =>
  JSON.parse((await jsonOf<{ options: string }>(response)).options) as { challenge: string }

/** An editor with every way to sign in, a session of the editor's own, and one of the operator. */
const start = async (t: Pick<typeof import('tap').default, 'testdir' | 'teardown'>, store: StoreName) => {
  const { wrap, during } = pausedPorts()
  const fixture = await startConsole(t.testdir(), { store, wrap, identityProvider })
  t.teardown(fixture.stop)
  let step = 0
  const own = await signIn(fixture, 'editor')
  const operator = await signIn(fixture, 'operator')
  const mine = (method: string, path: string, json?: object) => call(fixture, method, path, json, own)
  const theirs = (method: string, path: string, json?: object) => call(fixture, method, path, json, operator)
  const key = await authenticator('https://almoner.example.org')
  const { challenge } = await optionsIn(mine('PUT', '/passkeys/options'))
  await mine('POST', '/passkeys', { name: 'Phone', response: await key.create(challenge) })
  const { secret } = await jsonOf<{ secret: TotpSecret }>(mine('PUT', '/password/secret'))
  const code = () => totpCode(hmac, secret, totpStep(fixture.clock.now()))
  const set = mine('PUT', '/password', { password: PASSWORD, secret, code: code() })
  const { recoveryCodes } = await jsonOf<{ recoveryCodes: ReadonlyArray<string> }>(set)
  await done(
    fixture.ports.identities.link({
      ...IDENTITY,
      email: EDITOR,
      linkedAt: fixture.clock.now(),
      lastUsedAt: fixture.clock.now(),
    }),
  )
  const byPassword = (typed: string) =>
    call(fixture, 'POST', '/sign-in/password', { email: EDITOR, password: PASSWORD, code: typed })
  const ways = {
    link: async () => call(fixture, 'POST', '/sign-in/link', { token: await linkFor(fixture, 'editor') }),
    passkey: async () => {
      const options = await optionsIn(call(fixture, 'POST', '/sign-in/passkey/options'))
      return call(fixture, 'POST', '/sign-in/passkey', { response: await key.get(options.challenge) })
    },
    oidc: async () => {
      const started = await call(fixture, 'POST', '/sign-in/oidc/start', {})
      const cookie = started.headers.getSetCookie()[0]?.split(';')[0]
      return call(fixture, 'POST', '/sign-in/oidc', { response: 'code=x' }, cookie)
    },
    password: async () => {
      fixture.clock.advance(30_000)
      return byPassword(code())
    },
    'recovery code': async () => {
      step += 1
      return byPassword(recoveryCodes[step] ?? '')
    },
  }
  return { fixture, during, ways, mine, theirs, operator }
}

type Started = Awaited<ReturnType<typeof start>>
type Way = keyof Started['ways']

const ALL: ReadonlyArray<Way> = ['link', 'passkey', 'oidc', 'password', 'recovery code']

const idOfPasskey = async ({ mine }: Started): Promise<string> => {
  const { passkeys } = await jsonOf<{ passkeys: ReadonlyArray<{ passkey: { id: string } }> }>(
    mine('GET', '/passkeys'),
  )
  return passkeys[0]?.passkey.id ?? ''
}

/** Changes that are made while a sign-in is on its way, and the ways that it closes. The links of the person end with each. */
const CHANGES: Readonly<
  Record<string, readonly [ReadonlyArray<Way>, (started: Started) => Promise<unknown>]>
> = {
  'the person changes the password': [
    ['link', 'password', 'recovery code'],
    ({ mine }) => mine('PUT', '/password/text', { password: 'staple staple staple' }),
  ],
  'the person renews the recovery codes': [
    ['link', 'recovery code'],
    ({ mine }) => mine('PUT', '/password/recovery-codes'),
  ],
  'the person removes the password': [
    ['link', 'password', 'recovery code'],
    ({ mine }) => mine('DELETE', '/password'),
  ],
  'an operator removes the password': [
    ['link', 'password', 'recovery code'],
    ({ theirs }) => theirs('DELETE', `/managers/${EDITOR}/password`),
  ],
  'the person removes the passkey': [
    ['link', 'passkey'],
    async (started) => started.mine('DELETE', `/passkeys/${await idOfPasskey(started)}`),
  ],
  'an operator removes the passkey': [
    ['link', 'passkey'],
    async (started) => started.theirs('DELETE', `/managers/${EDITOR}/passkeys/${await idOfPasskey(started)}`),
  ],
  'an operator unlinks the account': [
    ['link', 'oidc'],
    ({ theirs }) => theirs('DELETE', `/identities/${EDITOR}`),
  ],
  'an operator disables the manager': [
    ALL,
    ({ theirs }) => theirs('PUT', `/managers/${EDITOR}/access`, { disabled: true }),
  ],
  'an operator changes the duty': [
    ALL,
    ({ theirs }) => theirs('PUT', `/managers/${EDITOR}/access`, { duty: 'operator' }),
  ],
  'an operator erases the person': [ALL, ({ theirs }) => theirs('DELETE', `/user/${EDITOR}`)],
}

for (const store of STORES)
  t.test(`M3: a sign-in does not outlive its credential, ${store}`, async (t) => {
    // Databases get a few: the contract of the port tries all changes and ways there.
    const some = Object.entries(CHANGES).filter((_, n) => store === 'memory' || n % 3 === 0)
    for (const [name, [closed, change]] of some)
      for (const way of store === 'memory' ? closed : closed.slice(-1))
        await t.test(`${name} while a ${way} is checked`, async (t) => {
          const started = await start(t, store)
          const { during, ways } = started
          const refused = await during(ways[way], async () => {
            const changed = await change(started)
            t.equal((changed as Response).status, 200)
          })
          t.equal(refused.headers.getSetCookie().filter((cookie) => /almoner=./.test(cookie)).length, 0)
          await seeProblem(t, refused, way === 'link' ? 'invalid_link' : 'sign_in_refused')
        })
    await t.test('nothing is changed', async (t) => {
      const { during, ways } = await start(t, store)
      for (const way of ALL) t.equal((await during(ways[way], async () => {})).status, 200, way)
    })
  })

t.test('M4: a passkey that is on its way is not added by a session that has ended', async (t) => {
  for (const store of STORES) {
    const { fixture, mine, theirs } = await start(t, store)
    const key = await authenticator('https://almoner.example.org')
    const { challenge } = await optionsIn(mine('PUT', '/passkeys/options'))
    const response = await key.create(challenge)
    await theirs('DELETE', `/managers/${EDITOR}/password`)
    await seeProblem(t, await mine('POST', '/passkeys', { name: 'X', response }), 'invalid_session', store)
    t.equal((await done(fixture.ports.passkeys.of(EDITOR))).length, 1)
  }
})
