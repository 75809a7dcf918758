import t from 'tap'
import type { Fixture, Send } from '../support/fixture.ts'
import { onEachStore } from '../support/items.ts'
import {
  AMINA,
  attach,
  BRUNO,
  detach,
  newClient,
  preferenceOf,
  preferencePath,
  tokenPath,
  tokensOf,
} from '../support/people.ts'
import { asResponse, fieldsOf, seeProblem } from '../support/problems.ts'

// Whose devices and preference a request is about: the interface's first sentence on tokens, F2 and F3.

const TOKEN = 'fcm:a-token'

/** Emails that are none. */
const MALFORMED = [
  'unknown',
  'a@b@c',
  '@',
  'a@',
  '@b',
  'a b@example.org',
  `${'a'.repeat(250)}@b.org`,
  '\u0000@b',
  ' ',
]

/** Every operation on a user, right in everything but perhaps the user. */
const everything = (email: string): ReadonlyArray<readonly [string, string, Send]> => [
  ['GET', tokenPath(email), {}],
  ['POST', tokenPath(email), { json: { device_token: TOKEN } }],
  ['DELETE', tokenPath(email, TOKEN), {}],
  ['GET', preferencePath(email), {}],
  ['PUT', preferencePath(email), { json: { lang: 'fr' } }],
]

onEachStore(t, 'interface: the user identifier comes from the access token', async (t, fixture) => {
  const answer = await attach(fixture, BRUNO, TOKEN, { as: 'donor' })
  t.strictSame(await answer.json(), { token: { email: AMINA, device_token: TOKEN } })
  t.strictSame(await tokensOf(fixture, AMINA), [TOKEN])
  t.strictSame(await tokensOf(fixture, BRUNO), [], 'the path is ignored')
  t.strictSame(await tokensOf(fixture, BRUNO, { as: 'donor' }), [TOKEN])
  const preference = await fixture.call('PUT', preferencePath(BRUNO), { as: 'donor', json: { lang: 'fr' } })
  t.match(await preference.json(), { preference: { email: AMINA, lang: 'fr' } })
  t.equal(await preferenceOf(fixture, BRUNO), undefined)
  t.equal((await detach(fixture, BRUNO, TOKEN, 'donor')).status, 200)
  t.strictSame(await tokensOf(fixture, AMINA), [])
})

onEachStore(t, 'interface: with the role user-manager the user comes from the path', async (t, fixture) => {
  const bound = await newClient(fixture, 'bound', {
    scopes: ['user-donor'],
    roles: ['user-manager'],
    email: 'clerk@example.org',
  })
  for (const send of [{ as: 'userManager' } as const, bound]) {
    const answer = await fixture.call('POST', tokenPath(BRUNO), { ...send, json: { device_token: TOKEN } })
    t.strictSame(await answer.json(), { token: { email: BRUNO, device_token: TOKEN } })
    const seen = await fixture.call('GET', tokenPath(BRUNO), send)
    t.strictSame(await seen.json(), { tokens: [{ token: { email: BRUNO, device_token: TOKEN } }] })
    t.equal((await fixture.call('DELETE', tokenPath(BRUNO, TOKEN), send)).status, 200)
    t.match(await (await fixture.call('GET', preferencePath(BRUNO), send)).json(), {
      preference: { email: BRUNO },
    })
  }
  t.equal(await preferenceOf(fixture, 'clerk@example.org'), undefined, 'its own user is unchanged')
})

onEachStore(t, 'A2: user-manager implies no scope: its client still needs user-donor', async (t, fixture) => {
  const lone = await newClient(fixture, 'lone', { scopes: ['user'], roles: ['user-manager'], email: BRUNO })
  for (const [method, path, send] of everything(BRUNO))
    await seeProblem(t, await fixture.call(method, path, { ...send, ...lone }), 'insufficient_scope', method)
  const higher = await newClient(fixture, 'higher', { scopes: ['content-manager'], roles: ['user-manager'] })
  t.equal((await fixture.call('GET', tokenPath(BRUNO), higher)).status, 200, 'content-manager includes it')
})

onEachStore(t, 'F3: a token without a bound user gets 403, before any other error', async (t, fixture) => {
  for (const as of ['manager', 'admin'] as const)
    for (const email of [AMINA, 'unknown'])
      for (const [method, path, send] of everything(email)) {
        const problem = await seeProblem(
          t,
          await fixture.call(method, path, { ...send, as }),
          'no_user',
          method,
        )
        t.match(problem.detail, /bound to a user.*user-manager/)
      }
  const wrong: ReadonlyArray<readonly [string, string, Send]> = [
    ['POST', tokenPath(AMINA), { json: {} }],
    ['POST', tokenPath(AMINA), { json: { device_token: '..' } }],
    ['DELETE', tokenPath(AMINA, 'x'.repeat(4097)), {}],
    ['PUT', preferencePath(AMINA), { json: { lang: 'de', subscribed: 'maybe' } }],
  ]
  for (const [method, path, send] of wrong)
    await seeProblem(
      t,
      await fixture.call(method, path, { ...send, as: 'manager' }),
      'no_user',
      `${method}, bad`,
    )
  t.strictSame(await tokensOf(fixture, AMINA), [])
  t.equal(await preferenceOf(fixture, AMINA), undefined)
})

const refusedFields = async (fixture: Fixture, method: string, path: string, send: Send) => {
  const answer = await fixture.call(method, path, { as: 'userManager', ...send })
  return [answer.status, fieldsOf((await answer.json()) as Parameters<typeof fieldsOf>[0])]
}

onEachStore(t, 'F2: a malformed email in a path that is used is 400 and named', async (t, fixture) => {
  for (const email of MALFORMED)
    for (const [method, path, send] of everything(email))
      t.strictSame(
        await refusedFields(fixture, method, path, send),
        [400, ['email']],
        `${method} ${JSON.stringify(email)}`,
      )
  const problem = await seeProblem(
    t,
    await fixture.call('GET', tokenPath('unknown'), { as: 'userManager' }),
    'invalid_request',
  )
  t.strictSame(problem.errors, [{ field: 'email', message: 'must be an email address' }])
})

onEachStore(t, 'F3: a malformed email in a path that is ignored is accepted', async (t, fixture) => {
  for (const email of MALFORMED) {
    const answer = await attach(fixture, email, TOKEN, { as: 'donor' })
    t.match(await answer.json(), { token: { email: AMINA } }, JSON.stringify(email))
    t.strictSame(await tokensOf(fixture, email, { as: 'donor' }), [TOKEN])
    t.equal((await fixture.call('PUT', preferencePath(email), { as: 'donor', json: {} })).status, 200)
    t.equal((await detach(fixture, email, TOKEN, 'donor')).status, 200)
  }
  const nothing = await fixture.call('GET', '/user//notification/token', { as: 'donor' })
  await seeProblem(t, nothing, 'not_found', 'an empty segment is not a path (B3)')
})

onEachStore(t, 'I1: a malformed email and all other bad fields are named together', async (t, fixture) => {
  const elsewhere = JSON.stringify({
    endpoint: 'https://push.example.org/a',
    keys: {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    },
  })
  for (const [method, path, send, fields] of [
    ['POST', tokenPath('unknown'), { json: {} }, ['device_token', 'email']],
    ['POST', tokenPath('unknown'), { json: { device_token: '.' } }, ['device_token', 'email']],
    ['POST', tokenPath('unknown'), { json: { device_token: elsewhere } }, ['device_token', 'email']],
    ['DELETE', tokenPath('unknown', 'x'.repeat(4097)), {}, ['email', 'token']],
    [
      'PUT',
      preferencePath('unknown'),
      { json: { lang: 'de', subscribed: 2 } },
      ['email', 'lang', 'subscribed'],
    ],
  ] as const)
    t.strictSame(await refusedFields(fixture, method, path, send), [400, fields], `${method} ${fields}`)
})

onEachStore(t, 'F1: emails are compared and returned in lower case', async (t, fixture) => {
  for (const spelling of ['BRUNO@EXAMPLE.ORG', 'bruno@Example.org'])
    t.match(await (await attach(fixture, spelling, `fcm:${spelling}`)).json(), { token: { email: BRUNO } })
  t.equal((await tokensOf(fixture, 'Bruno@example.ORG')).length, 2)
  t.strictSame(await preferenceOf(fixture, 'BRUNO@example.org'), {
    email: BRUNO,
    lang: 'en',
    subscribed: true,
    topics: [],
  })
  t.equal((await detach(fixture, 'BrUnO@example.org', 'fcm:BRUNO@EXAMPLE.ORG')).status, 200)
  t.equal((await tokensOf(fixture, BRUNO)).length, 1)
})

onEachStore(t, 'F2: any valid email works in a path', async (t, fixture) => {
  for (const email of [
    'a+b@example.org',
    "o'neil/99%@example.org",
    'a?b#c@example.org',
    'amina.o+news@sub.example.org',
    'é@exämple.org',
    '\u{1F600}@example.org',
    `${'é'.repeat(240)}@example.org`,
    "a'b=c&d@e.org",
  ]) {
    t.match(await (await attach(fixture, email, TOKEN)).json(), { token: { email } }, email)
    t.strictSame(await tokensOf(fixture, email), [TOKEN])
    t.equal(asResponse(await detach(fixture, email, TOKEN)).status, 200)
  }
})
