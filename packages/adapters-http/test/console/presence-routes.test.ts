import { makePasswordChecker } from '@almoner/adapters-signin'
import { DEFAULT_POLICY, type Email } from '@almoner/domain'
import {
  type ManagerName,
  makeAddManager,
  openSession,
  type TotpSecret,
  totpCode,
  totpStep,
} from '@almoner/domain/managers'
import { addMillis } from '@almoner/domain/values'
import { done, sampleDevice, sampleEmail, samplePasskey } from '@almoner/testkit/contracts'
import t, { type Test } from 'tap'
import { EVERYTHING } from '../../../testkit/src/contracts/history/fixture.ts'
import { CONSOLE_ROUTES } from '../../src/console/index.ts'
import { SESSION_ROUTES } from '../../src/console/operations.ts'
import { API_ROUTES } from '../../src/index.ts'
import { authenticator } from '../support/authenticator.ts'
import { type ConsoleFixture, linkFor, OWN_PAGE, signIn, startConsole } from '../support/console.ts'
import type { Send, StoreName } from '../support/fixture.ts'
import { seconds } from '../support/notifications.ts'
import { AMINA } from '../support/people.ts'
import { formOf, PORTFOLIO_FILES } from '../support/portfolio.ts'
import { seeProblem } from '../support/problems.ts'
import { filled, PARAMETERS } from '../support/samples.ts'

const MINUTES = 60_000

const OPERATOR = 'operator@example.org' as Email
const MARIE = 'marie@example.org' as Email

/** All routes of the console that a session calls, those of the API included (M7). */
const ROUTES = [...API_ROUTES, ...CONSOLE_ROUTES, ...SESSION_ROUTES]

const PRESENT = ROUTES.filter(({ access }) => access.presence === 'always')

/** Sends requests as the operator, under the console's prefix. */
type Call = (method: string, path: string, send?: Send) => Promise<Response>

const callerOf =
  (fixture: ConsoleFixture, cookie: string): Call =>
  (method, path, send = {}) =>
    fixture.call(method, `/console/api${path}`, {
      ...send,
      headers: { ...send.headers, cookie, ...OWN_PAGE },
    })

/** Opens a session of the operator whose proof of presence has an age in milliseconds. */
const sessionAged = async (fixture: ConsoleFixture, age: number): Promise<Call> => {
  const { ports, clock } = fixture
  const [name] = (await signIn(fixture, 'operator')).split('=')
  const checked = {
    email: OPERATOR,
    manager: await done(ports.managers.find(OPERATOR)),
    credential: { way: 'link', link: ports.secrets.digest(await linkFor(fixture, 'operator')) },
    confirmedAt: addMillis(clock.now(), -age),
  } as const
  const { secret } = await done(openSession(ports, DEFAULT_POLICY, checked, { browser: '' }, 'refused'))
  return callerOf(fixture, `${name}=${secret}`)
}

/** What a request to a route needs: something to work on, made by `fresh`, and its path and body. */
type Prepare = (fixture: ConsoleFixture, fresh: Call) => Promise<Send & { readonly path?: string }>

const addMarie = async ({ ports }: ConsoleFixture) => {
  const manager = {
    email: MARIE,
    name: 'Marie' as ManagerName,
    lang: 'fr',
    duty: 'editor',
    disabled: false,
  } as const
  await done(makeAddManager(ports)(manager))
}

const addDevice = ({ ports }: ConsoleFixture) =>
  done(ports.devices.attach(sampleDevice(1, { email: AMINA as Email })))

const numberOf = async (fixture: ConsoleFixture, fresh: Call): Promise<string> => {
  await addDevice(fixture)
  const found = await fresh('POST', '/users/search', { json: { address: AMINA } })
  const { users } = (await found.json()) as { users: ReadonlyArray<{ user: { number: number } }> }
  return `/users/${users[0]?.user.number}`
}

const { hmac } = makePasswordChecker()

const newPassword = async (fixture: ConsoleFixture, fresh: Call) => {
  const started = await fresh('PUT', '/password/secret')
  const { secret } = (await started.json()) as { secret: TotpSecret }
  const code = totpCode(hmac, secret, totpStep(fixture.clock.now()))
  return { password: 'correct horse battery', secret, code }
}

const withPassword = async (fixture: ConsoleFixture, fresh: Call) => {
  await fresh('PUT', '/password', { json: await newPassword(fixture, fresh) })
  return {}
}

const newPasskey = async (fresh: Call) => {
  const started = await fresh('PUT', '/passkeys/options')
  const { challenge } = JSON.parse(((await started.json()) as { options: string }).options) as {
    challenge: string
  }
  const key = await authenticator('https://almoner.example.org')
  return { name: 'Phone', response: await key.create(challenge) }
}

/** For each operation that needs presence, a request that succeeds with it. */
const REQUESTS: Readonly<Record<string, Prepare>> = {
  listTokens: async (fixture) => {
    await addDevice(fixture)
    return { path: `/user/${AMINA}/notification/token` }
  },
  eraseUser: async (fixture) => {
    await addDevice(fixture)
    return { path: `/user/${AMINA}` }
  },
  exportUser: async (fixture, fresh) => ({ path: `${await numberOf(fixture, fresh)}/export` }),
  eraseUserByNumber: async (fixture, fresh) => ({ path: await numberOf(fixture, fresh) }),
  registerClient: async () => ({ json: { clientId: 'app', name: 'App', scopes: 'user' } }),
  rotateClient: async () => ({ path: '/clients/donor/secret' }),
  disableClient: async () => ({ path: '/clients/donor/disabled', json: { disabled: 'true' } }),
  replacePortfolio: async (_, fresh) => {
    const reviewed = await fresh('POST', '/portfolio/review', { multipart: formOf(PORTFOLIO_FILES) })
    const { review } = (await reviewed.json()) as { review: { plan: { fingerprint: string } } }
    const path = `/portfolio/load?fingerprint=${review.plan.fingerprint}`
    return { path, multipart: formOf(PORTFOLIO_FILES) }
  },
  inviteManager: async () => ({
    path: '/managers/new@example.org',
    json: { name: 'New', duty: 'editor', lang: 'fr' },
  }),
  inviteAgain: async () => ({ path: `/managers/${MARIE}/link` }),
  setManagerAccess: async () => ({ path: `/managers/${MARIE}/access`, json: { duty: 'operator' } }),
  removeManagerPassword: async (fixture, fresh) => {
    await withPassword(fixture, fresh)
    return { path: `/managers/${OPERATOR}/password` }
  },
  removeManagerPasskey: async ({ ports }) => {
    await done(ports.passkeys.add({ ...samplePasskey(1), email: MARIE }))
    return { path: `/managers/${MARIE}/passkeys/${samplePasskey(1).id}` }
  },
  endManagerSessions: async () => ({ path: `/managers/${MARIE}/sessions` }),
  unlinkIdentity: async ({ ports, clock }) => {
    const at = clock.now()
    const identity = {
      issuer: 'https://accounts.example.org',
      subject: '1',
      email: MARIE,
      linkedAt: at,
      lastUsedAt: at,
    }
    await done(ports.identities.link(identity))
    return { path: `/identities/${MARIE}` }
  },
  resumeProvider: async (_, fresh) => {
    await fresh('PUT', '/providers/fcm/pause')
    return { path: '/providers/fcm/pause' }
  },
  startPasskey: async () => ({}),
  addPasskey: async (_, fresh) => ({ json: await newPasskey(fresh) }),
  removePasskey: async (_, fresh) => {
    const added = await fresh('POST', '/passkeys', { json: await newPasskey(fresh) })
    const { passkey } = (await added.json()) as { passkey: { id: string } }
    return { path: `/passkeys/${passkey.id}` }
  },
  startPassword: async () => ({}),
  setPassword: async (fixture, fresh) => ({ json: await newPassword(fixture, fresh) }),
  changePassword: async (fixture, fresh) => {
    await withPassword(fixture, fresh)
    return { json: { password: 'another good password' } }
  },
  renewRecoveryCodes: withPassword,
  removePassword: withPassword,
}

/** Everything that the refused requests could change. */
const stored = async ({ ports, clock }: ConsoleFixture) => {
  const records = []
  for await (const some of ports.history.records(EVERYTHING)) records.push(...some)
  const now = clock.now()
  return Promise.all([
    records,
    done(ports.managers.all()),
    done(ports.clients.overview()),
    done(ports.identities.all()),
    done(ports.passkeys.of(OPERATOR)),
    done(ports.passwords.find(OPERATOR)),
    done(ports.sessions.of(MARIE, now)),
    done(ports.providers.states(now)),
    done(ports.portfolio.content()),
    done(ports.personalData.find(AMINA as Email)),
  ])
}

const start = async (t: Test, store: StoreName) => {
  const fixture = await startConsole(t.testdir(), { store })
  t.teardown(fixture.stop)
  return fixture
}

t.test('M10: the requests of these tests are those of all routes that need presence', async (t) => {
  t.same(Object.keys(REQUESTS).sort(), PRESENT.map(({ operation }) => operation).sort())
})

/** Both engines. */
const ENGINES = ['sqlite', 'postgres'] as const

for (const store of ENGINES)
  t.test(
    `M10: each route to an act that needs presence asks for it, and does nothing without, ${store}`,
    async (t) => {
      const fixture = await start(t, store)
      await addMarie(fixture)
      for (const { operation, method, path } of PRESENT) {
        const first = await sessionAged(fixture, 0)
        const { path: own = path, ...send } = (await REQUESTS[operation]?.(fixture, first)) ?? {}
        const [stale, fresh] = [
          await sessionAged(fixture, 5 * MINUTES),
          await sessionAged(fixture, 5 * MINUTES - 1),
        ]
        const before = await stored(fixture)
        const refused = await stale(method, own, send)
        t.equal(refused.status, 403, operation)
        await seeProblem(t, refused, 'presence_required', operation)
        t.strictSame(await stored(fixture), before, `${operation} changes nothing`)
        const allowed = await fresh(method, own, send)
        t.equal(allowed.status, 200, `${operation}: ${allowed.status === 200 ? '' : await allowed.text()}`)
      }
    },
  )

t.test('M10: no other route asks for presence', async (t) => {
  const fixture = await start(t, 'memory')
  const stale = await sessionAged(fixture, 5 * MINUTES)
  const others = ROUTES.filter(
    ({ access, operation }) => access.presence !== 'always' && operation !== 'signOut',
  )
  for (const { operation, method, path } of others) {
    const own = PARAMETERS[operation]
    const response = await stale(method, filled(path), own && method !== 'GET' ? { json: own } : {})
    t.notMatch(await response.text(), /presence_required/, operation)
  }
})

/** Attaches devices, few at a time: each waits for a connection of the pool. */
const attachMany = async ({ ports }: ConsoleFixture, from: number, to: number) => {
  const all = Array.from({ length: to - from }, (_, at) =>
    sampleDevice(from + at, { email: sampleEmail(from + at) }),
  )
  for (let at = 0; at < all.length; at += 40)
    await Promise.all(all.slice(at, at + 40).map((device) => done(ports.devices.attach(device))))
}

for (const store of ENGINES)
  t.test(`M10: a push to 1,000 devices needs presence, one to 999 does not, ${store}`, async (t) => {
    const fixture = await start(t, store)
    await attachMany(fixture, 0, 999)
    const text = { lang: 'en', title: 'Six wells', resource_type: 'Library' }
    const dated = { ...text, date: seconds('2026-06-01T00:00:00Z') }
    const [stale, fresh] = [
      await sessionAged(fixture, 5 * MINUTES),
      await sessionAged(fixture, 5 * MINUTES - 1),
    ]
    const schedule = async (call: Call, json: object, headers: Record<string, string> = {}) =>
      call('POST', '/notification', { json, headers })
    const listed = async () => (await (await stale('GET', '/notification')).json()) as { notifications: [] }
    t.equal((await schedule(stale, dated)).status, 200, '999')
    await attachMany(fixture, 999, 1000)
    const before = await listed()
    const key = { 'idempotency-key': 'large-push' }
    await seeProblem(t, await schedule(stale, dated, key), 'presence_required', '1,000')
    t.strictSame(await listed(), before, 'nothing is scheduled')
    t.equal((await schedule(stale, { ...dated, lang: 'fr' })).status, 200, 'to few, in another language')
    t.equal((await schedule(stale, text)).status, 200, 'without a date it is never sent')
    t.equal((await schedule(fresh, dated, key)).status, 200, 'the key is free')
    t.equal(
      (await fixture.call('POST', '/notification', { as: 'manager', json: dated })).status,
      200,
      'a client',
    )
    t.equal((await listed()).notifications.length, before.notifications.length + 4)
  })
