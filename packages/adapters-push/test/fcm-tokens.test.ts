// Access tokens: when one is asked for, what an answer means, and which keys sign.
import { deepEqual } from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { type PushResult, senderError, UNANSWERED } from '@almoner/domain/notifications'
import { addMillis, MINUTE, SECOND } from '@almoner/domain/values'
import { setClock } from '@almoner/testkit/memory'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import t from 'tap'
import {
  type Deadline,
  makeTimeLimit,
  type Posting,
  type PostResponse,
  type Reading,
} from '../src/connections.ts'
import { readSigningKey } from '../src/credentials.ts'
import { parseServiceAccount } from '../src/fcm/index.ts'
import { makeAccessTokens } from '../src/fcm/open-fcm.ts'
import { PATIENT } from './time.ts'

const pair = (bits: number) => generateKeyPairSync('rsa', { modulusLength: bits })
const { privateKey } = pair(2048)
const PKCS8 = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
const PKCS1 = String(privateKey.export({ type: 'pkcs1', format: 'pem' }))
const ACCOUNT = { project_id: 'p', client_email: 'a@p.example', private_key: PKCS8 }

const answerOf = (status: number, body: unknown): PostResponse => ({
  status,
  retryAfter: undefined,
  date: undefined,
  header: () => undefined,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  isWhole: true,
})

/** Access tokens from an endpoint that a function answers for; requests are counted. */
const withEndpoint = (answer: (n: number) => PostResponse | Promise<PostResponse>) => {
  const clock = setClock()
  const asked: Array<Posting> = []
  const key = readSigningKey('RS256', PKCS8)
  if (key === undefined) throw new TypeError('no key')
  const post = async <A>(posting: Posting, _deadline: Deadline, { answered, unanswered }: Reading<A>) => {
    asked.push(posting)
    try {
      return answered(await answer(asked.length))
    } catch (error) {
      return unanswered(error as Error)
    }
  }
  const timeLimit = makeTimeLimit(PATIENT)
  return { tokens: makeAccessTokens(ACCOUNT, key, { post, timeLimit }, clock), clock, asked }
}

const HOUR = 60 * MINUTE

/** What happens before some concurrent pushes: time passes, the clock steps, or the token is refused. */
const rounds = fc.record({
  passes: fc.oneof(fc.constant(0), fc.nat(2 * HOUR), fc.constantFrom(55 * MINUTE - 1, 55 * MINUTE)),
  step: fc.oneof(fc.constant(0), fc.integer(), fc.constantFrom(-MINUTE - 1, -MINUTE, MINUTE, MINUTE + 1)),
  isRefused: fc.constantFrom(false, false, true),
  pushes: fc.integer({ min: 1, max: 20 }),
})

/** Knows the number of the token that holds. */
const makeModel = () => {
  let [current, age, step] = [0, 0, 0]
  return {
    current: () => current,
    expect: (round: { readonly passes: number; readonly step: number; readonly isRefused: boolean }) => {
      age += round.passes
      step += round.step
      const isKept = current > 0 && age < 55 * MINUTE && Math.abs(step) <= MINUTE && !round.isRefused
      if (!isKept) [current, age, step] = [current + 1, 0, 0]
      return current
    },
  }
}

t.test('a token is asked for once by all who push, and again only when it has ended (I9)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(rounds, { maxLength: 12 }), async (played) => {
      const { tokens, clock, asked } = withEndpoint((n) =>
        answerOf(200, { access_token: `t${n}`, expires_in: 3600 }),
      )
      const model = makeModel()
      for (const round of played) {
        clock.advance(round.passes)
        clock.set(addMillis(clock.now(), round.step))
        if (round.isRefused) tokens.discard(`t${model.current()}`)
        const given = await Promise.all(Array.from({ length: round.pushes }, tokens.current))
        tokens.discard('of long ago')
        const expected = E.right(`t${model.expect(round)}`)
        for (const one of given) deepEqual(one, expected)
      }
      deepEqual(asked.length, model.current())
    }),
    { numRuns: 60 },
  )
})

t.test('an assertion has the time of the clock, and is for the token endpoint alone', async (t) => {
  const { tokens, clock, asked } = withEndpoint(() => answerOf(200, { access_token: 't', expires_in: 3600 }))
  await tokens.current()
  const form = new URLSearchParams(String(asked[0]?.body))
  const { origin, pathname, search } = asked[0]?.url ?? {}
  t.strictSame([origin, pathname, search], ['https://oauth2.googleapis.com', '/token', ''])
  t.strictSame([...form.keys()], ['grant_type', 'assertion'])
  t.equal(form.get('grant_type'), 'urn:ietf:params:oauth:grant-type:jwt-bearer')
  const [header, claims] = (form.get('assertion') ?? '')
    .split('.')
    .map((part) => Buffer.from(part, 'base64url').toString())
  t.strictSame(JSON.parse(header ?? ''), { alg: 'RS256' })
  const iat = Math.floor(clock.now() / SECOND)
  t.strictSame(JSON.parse(claims ?? ''), {
    iss: 'a@p.example',
    scope: 'https://www.googleapis.com/auth/firebase.messaging',
    aud: 'https://oauth2.googleapis.com/token',
    iat,
    exp: iat + 3600,
  })
})

for (const [expires_in, isKept] of [
  [3600, true],
  ['3600', true],
  [1e12, true],
  [301, true],
  [300, false],
  [0, false],
  [-5, false],
  [null, false],
  [undefined, false],
  ['soon', false],
] as const)
  t.test(
    `a token that expires in ${expires_in} s is ${isKept ? 'kept' : 'for present pushes only'}`,
    async (t) => {
      const { tokens, asked } = withEndpoint(() => answerOf(200, { access_token: 't', expires_in }))
      for (let n = 0; n < 3; n += 1) t.strictSame(await tokens.current(), E.right('t'))
      t.equal(asked.length, isKept ? 1 : 3)
    },
  )

t.test(
  'G5: each answer without a token has its result, which all who wait for it get, and is asked for again',
  async (t) => {
    const rows: ReadonlyArray<readonly [PostResponse | Error, PushResult]> = [
      ...['', 'null', '[]', '"t"', '<p>', {}, { access_token: '' }, { access_token: 7 }].map(
        (body) => [answerOf(200, body), UNANSWERED] as const,
      ),
      [answerOf(204, ''), UNANSWERED],
      [answerOf(302, ''), senderError('HTTP 302')],
      [answerOf(400, { error: 'invalid_grant' }), senderError('invalid_grant')],
      [answerOf(400, { error: 'toString' }), senderError('HTTP 400')],
      [answerOf(401, { error: ['invalid_grant'] }), senderError('HTTP 401')],
      [new Error('cut'), UNANSWERED],
      [Object.assign(new Error('trust'), { code: 'CERT_HAS_EXPIRED' }), senderError('CERTIFICATE')],
    ]
    for (const [answer, result] of rows) {
      const { tokens, asked } = withEndpoint((n) => {
        if (n > 1) return answerOf(200, { access_token: 't', expires_in: 3600 })
        if (answer instanceof Error) throw answer
        return answer
      })
      const given = await Promise.all([tokens.current(), tokens.current()])
      t.strictSame(given, [E.left(result), E.left(result)], JSON.stringify(answer))
      t.equal(asked.length, 1)
      t.strictSame(await tokens.current(), E.right('t'))
    }
  },
)

t.test('a key signs in any form of PEM; each other key has a line that does not show it', async (t) => {
  const faultsOf = (private_key: string) => {
    const parsed = parseServiceAccount(JSON.stringify({ ...ACCOUNT, private_key }))
    return E.isLeft(parsed) ? parsed.left : []
  }
  const pem = (key: ReturnType<typeof pair>['privateKey'], more = {}) =>
    String(key.export({ type: 'pkcs8', format: 'pem', ...more }))
  for (const good of [
    PKCS8,
    PKCS1,
    PKCS8.replaceAll('\n', '\r\n'),
    `\n# a note\n${PKCS1}\n`,
    PKCS8.trimEnd(),
  ])
    t.strictSame(faultsOf(good), [])
  const none = 'its private_key is no RSA private key'
  const rows = [
    ['a-secret', none],
    [PKCS8.replaceAll('\n', '\\n'), none],
    [String(pair(2048).publicKey.export({ type: 'spki', format: 'pem' })), none],
    [pem(privateKey, { cipher: 'aes-128-cbc', passphrase: 'a' }), none],
    [pem(generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).privateKey), none],
    [pem(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey), none],
    [pem(pair(1024).privateKey), /^its private_key has fewer than 2,048 bits: /],
  ] as const
  for (const [key, fault] of rows) t.match(faultsOf(key), [fault])
})
