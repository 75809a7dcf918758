import { makeIdentityProvider } from '@almoner/adapters-signin'
import type { Email } from '@almoner/domain'
import { type ManagerName, makeAddManager } from '@almoner/domain/managers'
import { type Account, openProvider, signInAt } from '@almoner/oidc-provider'
import { done } from '@almoner/testkit/contracts'
import * as O from 'fp-ts/lib/Option.js'
import t, { type Test } from 'tap'
import { type ConsoleFixture, EDITOR, OWN_PAGE, signIn, startConsole } from '../support/console.ts'
import { seeProblem } from '../support/problems.ts'

const MINUTES = 60_000

const REDIRECT_URI = 'https://almoner.example.org/console/sign-in'

type Stage = Pick<typeof import('tap').default, 'testdir' | 'teardown'>

const start = async (t: Stage, domains: ReadonlyArray<string> = [], trustsEmail = false) => {
  const accounts = new Map<string, Account>([
    ['editor-1', { email: 'Editor@example.org' }],
    ['op-1', { email: 'operator@example.org' }],
    ['eve-1', { email: 'eve@example.org' }],
    ['copy-1', { email: EDITOR }],
    ['doubtful-1', { email: 'doubtful@example.org', isVerified: false }],
    ['far-1', { email: 'far@example.com' }],
  ])
  const provider = await openProvider({ redirectUri: REDIRECT_URI, accounts })
  t.teardown(provider.stop)
  const { issuer, clientId, clientSecret } = provider
  const identityProvider = makeIdentityProvider({
    ...{ issuer, clientId, clientSecret, domains, trustsEmail },
    redirectUri: () => REDIRECT_URI,
  })
  const fixture = await startConsole(t.testdir(), { store: 'sqlite', identityProvider })
  t.teardown(fixture.stop)
  for (const email of [
    'doubtful@example.org',
    'far@example.com',
  ] as ReadonlyArray<string> as ReadonlyArray<Email>)
    await done(
      makeAddManager(fixture.ports)({
        ...{ email, name: 'Guest' as ManagerName, lang: 'en', duty: 'editor', disabled: false },
      }),
    )
  return { fixture, provider, accounts }
}

const call = (fixture: ConsoleFixture, method: string, path: string, json?: object, cookie = '') =>
  fixture.call(method, `/console/api${path}`, {
    headers: { ...OWN_PAGE, 'x-forwarded-for': '192.0.2.1', ...(cookie && { cookie }) },
    ...(json && { json }),
  })

const cookiesOf = (response: Response): ReadonlyArray<string> =>
  response.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')

/** Begins a sign-in: returns the provider's URL, and the cookie. */
const begin = async (fixture: ConsoleFixture, json: object = {}) => {
  const started = await call(fixture, 'POST', '/sign-in/oidc/start', json)
  const { url } = (await started.json()) as { url: string }
  return { url, cookie: cookiesOf(started)[0] ?? '', started }
}

const finish = (fixture: ConsoleFixture, response: string, cookie: string) =>
  call(fixture, 'POST', '/sign-in/oidc', { response }, cookie)

/** Signs a person in at the provider, and returns with the browser that has begun. */
const signInAs = async (fixture: ConsoleFixture, account: string, json: object = {}) => {
  const { url, cookie } = await begin(fixture, json)
  return finish(fixture, await signInAt(url, account), cookie)
}

/** Returns the session of a response, and its cookie. */
const sessionIn = async (response: Response) => {
  const { session } = (await response.json()) as {
    session: { manager: { email: string }; confirmedAt: string }
  }
  return { ...session, cookie: cookiesOf(response).find((one) => one.startsWith('__Host-almoner=')) ?? '' }
}

t.test('M3: an invited manager signs in by the verified address, later by the subject alone', async (t) => {
  const { fixture, provider, accounts } = await start(t)
  const { started, url, cookie } = await begin(fixture)
  t.match(started.headers.getSetCookie(), [
    /^__Host-almoner-oidc=[\w-]+; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=600$/,
  ])
  t.equal(started.headers.get('cache-control'), 'no-store')
  const opened = await finish(fixture, await signInAt(url, 'editor-1'), cookie)
  t.match(opened.headers.getSetCookie(), [/^__Host-almoner-oidc=;.*Max-Age=0$/, /^__Host-almoner=.*HttpOnly/])
  t.equal((await sessionIn(opened)).manager.email, EDITOR)
  const linked = await done(fixture.ports.identities.of(EDITOR))
  t.match(O.toNullable(linked), { issuer: provider.issuer, subject: 'editor-1' })
  accounts.set('editor-1', { email: 'married@example.org', isVerified: false })
  fixture.clock.advance(MINUTES)
  t.equal((await sessionIn(await signInAs(fixture, 'editor-1'))).manager.email, EDITOR)
  const used = await done(fixture.ports.identities.of(EDITOR))
  t.match(O.toNullable(used), { lastUsedAt: fixture.clock.now() })
})

t.test('M3: every refusal is the same response, and links nothing', async (t) => {
  const { fixture } = await start(t, ['example.org'])
  const { identities, managers } = fixture.ports
  const refused = async (name: string, response: Response) => {
    t.same(cookiesOf(response), ['__Host-almoner-oidc='], name)
    await seeProblem(t, response, 'sign_in_refused', name)
  }
  await refused('an unknown person', await signInAs(fixture, 'eve-1'))
  await refused('another domain', await signInAs(fixture, 'far-1'))
  const { url, cookie } = await begin(fixture)
  await refused('cancelled', await finish(fixture, await signInAt(url, undefined), cookie))
  t.same(await done(identities.all()), [])
  await signInAs(fixture, 'editor-1')
  await refused('another subject with the address of a linked manager', await signInAs(fixture, 'copy-1'))
  await done(managers.change(EDITOR, { disabled: true }))
  await refused('a disabled manager', await signInAs(fixture, 'editor-1'))
  await done(managers.change('far@example.com' as Email, { duty: 'operator' }))
  await done(managers.change('operator@example.org' as Email, { disabled: true }))
  await refused('a disabled manager without an account', await signInAs(fixture, 'op-1'))
  t.match(await done(identities.all()), [{ subject: 'editor-1' }])
})

/** Returns the reasons that the log has for refused sign-ins, of which no line names a person or an account. */
const reasonsIn = (t: Test, { lines }: ConsoleFixture): ReadonlyArray<unknown> => {
  for (const line of lines) t.notMatch(line, /@example|editor-1|mixed-1|eve-1|example\.com/)
  return lines
    .map((line) => JSON.parse(line) as { level: number; msg: string; reason?: string })
    .filter(({ msg }) => msg === 'refused a sign-in')
    .map(({ reason }) => reason)
}

t.test('M11: each refused sign-in leaves its reason in the log, and no address', async (t) => {
  const { fixture, accounts } = await start(t, ['example.org'])
  const said: ReadonlyArray<readonly [Account, string]> = [
    [{ email: EDITOR, sent: { idToken: {}, userinfo: {} } }, 'no-address'],
    [{ email: EDITOR, sent: { idToken: { email: EDITOR }, userinfo: {} } }, 'verification-not-stated'],
    [{ email: EDITOR, isVerified: false }, 'address-not-verified'],
    [
      {
        email: EDITOR,
        sent: { idToken: { email: EDITOR }, userinfo: { email: 'eve@example.org', email_verified: true } },
      },
      'addresses-differ',
    ],
  ]
  for (const [account, reason] of said) {
    accounts.set('said-1', account)
    await seeProblem(t, await signInAs(fixture, 'said-1'), 'email_unverified', reason)
  }
  accounts.set('mixed-1', {
    email: EDITOR,
    sent: { idToken: {}, userinfo: { sub: 'eve-1', email: EDITOR, email_verified: true } },
  })
  const { managers } = fixture.ports
  const others: ReadonlyArray<readonly [string, () => Promise<Response>]> = [
    ['other-subject', () => signInAs(fixture, 'mixed-1')],
    ['domain-not-allowed', () => signInAs(fixture, 'far-1')],
    ['unknown-manager', () => signInAs(fixture, 'eve-1')],
    ['not-begun-here', () => finish(fixture, 'state=x', '')],
    [
      'refused-by-provider',
      async () => {
        const { url, cookie } = await begin(fixture)
        return finish(fixture, await signInAt(url, undefined), cookie)
      },
    ],
    ['wrong-provider-response', async () => finish(fixture, 'code=a&state=b', (await begin(fixture)).cookie)],
    [
      'other-account-linked',
      async () => {
        await signInAs(fixture, 'editor-1')
        // Failures of an address count for a minute (A8).
        fixture.clock.advance(MINUTES)
        return signInAs(fixture, 'copy-1')
      },
    ],
    [
      'disabled-manager',
      async () => {
        await done(managers.change(EDITOR, { disabled: true }))
        return signInAs(fixture, 'editor-1')
      },
    ],
  ]
  for (const [reason, refuse] of others) {
    fixture.clock.advance(MINUTES)
    await seeProblem(t, await refuse(), 'sign_in_refused', reason)
  }
  t.same(reasonsIn(t, fixture), [...said.map(([, reason]) => reason), ...others.map(([reason]) => reason)])
})

t.test('M11: with the setting, addresses are verified of which the provider states nothing', async (t) => {
  const { fixture, accounts } = await start(t, [], true)
  accounts.set('editor-1', {
    email: EDITOR,
    sent: { idToken: { email: EDITOR }, userinfo: { email: EDITOR } },
  })
  t.equal((await signInAs(fixture, 'editor-1')).status, 200)
  accounts.set('op-1', { email: 'operator@example.org', isVerified: false })
  await seeProblem(t, await signInAs(fixture, 'op-1'), 'email_unverified', 'a stated false is final')
})

t.test('M11: a pinned subject needs neither address nor userinfo', async (t) => {
  const { fixture, accounts } = await start(t)
  t.equal((await signInAs(fixture, 'editor-1')).status, 200)
  for (const sent of [
    { idToken: {}, userinfo: { sub: 'eve-1' } },
    { idToken: { email: 'operator@example.org', email_verified: true }, userinfo: {} },
  ]) {
    accounts.set('editor-1', { email: EDITOR, sent })
    t.equal((await sessionIn(await signInAs(fixture, 'editor-1'))).manager.email, EDITOR)
  }
})

t.test('M11: refusals of the other ways to sign in are logged too', async (t) => {
  const { fixture } = await start(t)
  for (const path of ['/sign-in/link', '/sign-in/link/person'])
    await seeProblem(t, await call(fixture, 'POST', path, { token: 'x'.repeat(43) }), 'invalid_link')
  t.same(reasonsIn(t, fixture), ['invalid-link', 'invalid-link'])
})

t.test('M3: only the browser that has begun a sign-in finishes it, once, within ten minutes', async (t) => {
  const { fixture } = await start(t)
  const [own, other] = [await begin(fixture), await begin(fixture)]
  const response = await signInAt(own.url, 'editor-1')
  await seeProblem(t, await finish(fixture, response, ''), 'sign_in_refused', 'no cookie')
  await seeProblem(t, await finish(fixture, response, other.cookie), 'sign_in_refused', 'another browser')
  await seeProblem(t, await finish(fixture, response, '__Host-almoner-oidc=guess'), 'sign_in_refused')
  t.equal((await finish(fixture, response, own.cookie)).status, 200)
  await seeProblem(t, await finish(fixture, response, own.cookie), 'sign_in_refused', 'again')
  const late = await begin(fixture)
  const code = await signInAt(late.url, 'editor-1')
  fixture.clock.advance(10 * MINUTES)
  await seeProblem(t, await finish(fixture, code, late.cookie), 'sign_in_refused', 'late')
})

t.test('A8: wrong returns and begun sign-ins are limited by network', async (t) => {
  const { fixture } = await start(t)
  for (let n = 0; n < 10; n += 1) t.equal((await finish(fixture, 'state=x', '')).status, 401)
  t.equal((await finish(fixture, 'state=x', '')).status, 429)
  for (let n = 0; n < 100; n += 1) t.equal((await begin(fixture)).started.status, 200)
  t.equal((await call(fixture, 'POST', '/sign-in/oidc/start', {})).status, 429)
})

t.test('M4: a sign-in proves presence as of when the provider asked for the password', async (t) => {
  const { fixture } = await start(t)
  const early = await sessionIn(await signInAs(fixture, 'op-1'))
  t.equal(Date.parse(early.confirmedAt), fixture.clock.now(), 'never later than now')
  const lead = Date.now() - fixture.clock.now() + 10 * MINUTES
  t.ok(lead > 0)
  fixture.clock.advance(lead)
  const { cookie } = await sessionIn(await signInAs(fixture, 'op-1'))
  const unlinked = await call(fixture, 'DELETE', '/identities/operator@example.org', undefined, cookie)
  await seeProblem(t, unlinked, 'presence_required', 'ten minutes after the password')
  t.equal(new URL((await begin(fixture, { fresh: true })).url).searchParams.get('prompt'), 'login')
})

t.test('M3: a provider that is down has its own response', async (t) => {
  const { fixture, provider } = await start(t)
  await provider.stop()
  const down = await call(fixture, 'POST', '/sign-in/oidc/start', {})
  await seeProblem(t, down, 'sign_in_unavailable')
  await provider.start()
  const { url, cookie } = await begin(fixture)
  const response = await signInAt(url, 'editor-1')
  await provider.stop()
  await seeProblem(t, await finish(fixture, response, cookie), 'sign_in_unavailable')
})

t.test('A5: codes, states and secrets of a sign-in are in no log line and no metric', async (t) => {
  const { fixture, provider } = await start(t)
  const { url, cookie } = await begin(fixture)
  const response = await signInAt(url, 'editor-1')
  await fixture.call('GET', `/console/sign-in?${response}`)
  await provider.stop()
  t.equal((await finish(fixture, response, cookie)).status, 503, 'the cause is logged')
  const metrics = await (await fixture.call('GET', '/metrics')).text()
  const noted = `${fixture.lines.join('')}${metrics}`
  t.ok(fixture.lines.length > 2)
  const values = [...new URLSearchParams(response).entries()].filter(([name]) => name !== 'iss')
  for (const value of [...values.map(([, one]) => one), cookie.split('=')[1] ?? ''])
    t.notOk(noted.includes(value))
})

t.test('M3, M4: a person unlinks the own account, an operator any, after a recent sign-in', async (t) => {
  const { fixture } = await start(t)
  const editor = await signIn(fixture, 'editor')
  const operator = await signIn(fixture, 'operator')
  await signInAs(fixture, 'editor-1')
  await signInAs(fixture, 'op-1')
  const listed = async (cookie: string) => {
    const { identities } = (await (await call(fixture, 'GET', '/identities', undefined, cookie)).json()) as {
      identities: ReadonlyArray<{ identity: { email: string } }>
    }
    return identities.map(({ identity }) => identity.email)
  }
  t.same(await listed(editor), [EDITOR])
  t.same(await listed(operator), [EDITOR, 'operator@example.org'])
  const unlink = (email: string, cookie: string) =>
    call(fixture, 'DELETE', `/identities/${email}`, undefined, cookie)
  await seeProblem(t, await unlink('operator@example.org', editor), 'insufficient_role')
  t.equal((await unlink(EDITOR, editor)).status, 200)
  await seeProblem(t, await unlink(EDITOR, editor), 'not_found')
  await signInAs(fixture, 'copy-1')
  t.equal((await unlink(EDITOR, operator)).status, 200, 'another account was linked meanwhile')
  fixture.clock.advance(5 * MINUTES)
  await seeProblem(t, await unlink('operator@example.org', operator), 'presence_required')
})
