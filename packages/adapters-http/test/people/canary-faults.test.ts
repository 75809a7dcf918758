import type { Ports } from '@almoner/domain'
import type { Level } from 'pino'
import t, { type Test } from 'tap'
import { API_ROUTES } from '../../src/index.ts'
import { type LoggedError, loggedError } from '../../src/logged-error.ts'
import { coreOf, newCanaries, seenIn } from '../support/canaries.ts'
import { CLIENTS, type Fixture, startFixture } from '../support/fixture.ts'
import { type Leak, leakingPorts } from '../support/leaking.ts'
import { loadedPaths, waysOf } from '../support/loaded.ts'
import { LEAST, newFeedItem, newLibraryItem, PARAMETERS } from '../support/samples.ts'
import { seenInSinks } from '../support/sinks.ts'

const LEVELS: ReadonlyArray<Level> = ['trace', 'debug', 'info', 'warn', 'error', 'fatal']

const STORES: ReadonlyArray<keyof Ports> = [
  'libraryItems',
  'feedItems',
  'labels',
  'users',
  'devices',
  'notifications',
  'deliveries',
  'portfolio',
  'mediaStore',
  'imageChecker',
]

const LEAKS = ['throws', 'rejects', 'unavailable'] as const

const answerOf = async (fixture: Fixture, method: string, path: string, send: object) => {
  const response = await fixture.call(method, path, send)
  return {
    status: response.status,
    text: [JSON.stringify([...response.headers]), await response.text()].join('\n'),
  }
}

/** A server whose ports fail with all their inputs, and the values that its outputs must hide. */
const begin = async (t: Test, logLevel: Level, names: ReadonlyArray<keyof Ports>) => {
  let leak: Leak = 'works'
  const wrap = leakingPorts(names, () => leak)
  const fixture = await startFixture(t.testdir(), { store: 'memory', realSecrets: false, logLevel, wrap })
  t.teardown(fixture.stop)
  const canaries = newCanaries()
  const ids = { library: await newLibraryItem(fixture), feed: await newFeedItem(fixture) }
  const tokens = {
    user: await fixture.token('user'),
    donor: await fixture.token('donor'),
    manager: await fixture.token('manager'),
  }
  const hidden = {
    ...canaries,
    core: coreOf(canaries.text),
    emailOfDonor: CLIENTS.donor.email,
    ...Object.fromEntries(Object.entries(tokens).map(([who, token]) => [`token of ${who}`, token])),
  }
  const set = (next: Leak) => {
    leak = next
  }
  return { fixture, canaries, ids, tokens, hidden, set }
}

type Setup = Awaited<ReturnType<typeof begin>>

/** Calls every route once while ports fail in one way. Returns the number of responses with internal errors. */
const failAll = async (t: Test, setup: Setup, leak: Leak, turn: number): Promise<number> => {
  const { fixture, canaries, ids, tokens, hidden, set } = setup
  let faults = 0
  for (const [at, { method, path, access, operation }] of API_ROUTES.entries()) {
    const ways = waysOf(
      canaries,
      tokens[LEAST[access.scope] as keyof typeof tokens],
      PARAMETERS[operation] ?? {},
    )
    const way = (turn * 7 + at) % ways.length
    const itemId = path.startsWith('/library') ? ids.library : ids.feed
    const paths = loadedPaths(path, { itemId, labelId: 'water' }, canaries)
    const { query = {}, headers = {}, ...body } = ways[way]?.send ?? {}
    set(leak)
    const send = { query, headers, ...(method === 'GET' ? {} : body) }
    const { status, text } = await answerOf(fixture, method, paths[way % paths.length] ?? '', send)
    set('works')
    if (status >= 500) faults += 1
    const seen = status === 200 ? [] : seenIn(text, hidden)
    t.same(seen, [], `${operation}, way ${way}, ${leak}: ${status}`)
  }
  return faults
}

for (const [turn, level] of LEVELS.entries())
  t.test(
    `A5, I1: if a port fails with its inputs in the error, no response and no log line shows them (${level})`,
    async (t) => {
      const setup = await begin(t, level, STORES)
      const { fixture, hidden } = setup
      let faults = 0
      for (const [more, leak] of LEAKS.entries())
        faults += await failAll(t, setup, leak, turn * LEAKS.length + more)
      t.ok(faults > 20, `${faults} internal errors`)
      t.same(await seenInSinks(fixture, hidden), [], 'no log line shows them')
      const logged = fixture.lines.filter((line) => line.includes('"failed"'))
      t.equal(logged.length > 20, level !== 'fatal', `${logged.length} errors are logged`)
      const whole = logged.filter((line) => line.includes(' failed on ') && line.includes('"code":"23505"'))
      t.equal(whole.length > 10, level !== 'fatal', 'with the operation and the code')
      t.notOk(logged.some((line) => /"(?:detail|parameters|input)":/.test(line)))
    },
  )

t.test('A5, A6: errors of the ports for clients and tokens show no secrets either', async (t) => {
  const { fixture, canaries, tokens, hidden, set } = await begin(t, 'trace', ['clients', 'accessTokens'])
  const { token, secret, email, text } = canaries
  const grant = { grant_type: 'client_credentials' }
  const basic = `Basic ${btoa(`${email}:${secret}`)}`
  const ways = [
    { form: { ...grant, client_id: email, client_secret: secret } },
    { json: { ...grant, client_id: coreOf(text), client_secret: secret, scope: text } },
    { form: { ...grant, token }, headers: { authorization: basic } },
    { form: { client_id: 'user', client_secret: secret, token } },
    { form: { ...grant, client_id: 'user', client_secret: fixture.secrets.user ?? '', token: tokens.donor } },
  ]
  const places = [
    { headers: { authorization: `Bearer ${token}` } },
    { query: { access_token: token } },
    { query: { access_token: tokens.user } },
  ]
  const bodies = [...places, { form: { access_token: token } }, { json: { access_token: tokens.user } }]
  const statuses = new Set<number>()
  for (const leak of LEAKS) {
    set(leak)
    for (const path of ['/oauth2/get-token', '/oauth2/revoke'])
      for (const [at, way] of ways.entries()) {
        const answer = await answerOf(fixture, 'POST', path, way)
        statuses.add(answer.status)
        t.same(seenIn(answer.text, hidden), [], `${path}, way ${at}: ${answer.status}`)
      }
    for (const place of places)
      t.same(seenIn((await answerOf(fixture, 'GET', '/library/', place)).text, hidden), [])
    for (const place of bodies)
      t.same(seenIn((await answerOf(fixture, 'POST', '/feed/', place)).text, hidden), [])
  }
  t.same([...statuses].sort(), [400, 401, 500, 503])
  set('works')
  t.same(await seenInSinks(fixture, { ...hidden, 'secret of user': fixture.secrets.user ?? '' }), [])
  t.ok(fixture.lines.some((line) => line.includes('"failed"')))
})

t.test(
  'A5: the log has the type, message, location and code of an error, and no other properties',
  async (t) => {
    const cause = Object.assign(new TypeError('Invalid URL'), {
      code: 'ERR_INVALID_URL',
      input: 'a secret',
      port: 5432,
    })
    const fault = new AggregateError([new Error('one of a-long-value')], 'both with A-LONG-VALUE failed', {
      cause,
    })
    const { stack, ...told } = loggedError(fault, ['a-long-value', 'with'])
    t.match(stack, /^AggregateError: both with \[cut\] failed\n +at /)
    t.match(told, {
      type: 'AggregateError',
      message: 'both with [cut] failed',
      cause: { type: 'TypeError', message: 'Invalid URL', code: 'ERR_INVALID_URL', port: 5432 },
      errors: [{ type: 'Error', message: 'one of [cut]' }],
    })
    t.notMatch(JSON.stringify(told), /a secret|input/)
    t.same(loggedError('a text of a-long-value', ['a-long-value']), {
      type: 'string',
      message: 'a text of [cut]',
    })
    t.same(loggedError({ _tag: 'ImageMissing', address: 7, name: 'secret' }), {
      type: 'ImageMissing',
      address: 7,
    })
    t.same(loggedError({ name: 'secret' }), { type: 'Object' })
    t.same(loggedError(Object.create(null)), { type: 'object' })
    const circle = new Error('a')
    circle.cause = circle
    let [depth, at]: [number, LoggedError | undefined] = [0, loggedError(circle)]
    for (; at?.cause !== undefined; at = at.cause) depth += 1
    t.equal(depth, 5, 'an error that is its own cause can be logged')
  },
)
