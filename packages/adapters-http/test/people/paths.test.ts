import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import { codePoint } from '../../../domain/test/code-point.ts'
import { LONGEST_SEGMENT } from '../../src/index.ts'
import type { Fixture } from '../support/fixture.ts'
import { onEachStore, onServer } from '../support/items.ts'
import { AMINA, attach, detach, tokenPath, tokensOf } from '../support/people.ts'
import { asResponse, fieldsOf, seeProblem } from '../support/problems.ts'
import { type RawAnswer, send as sendRaw } from '../support/raw.ts'

// Device tokens in paths (F4): "Tokens up to 4096 characters, in any characters that a path can carry percent-encoded".

/** Every byte of a text percent-encoded, also where it need not be. */
const everyByte = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')

const asDonor = async (fixture: Fixture, method: string, path: string): Promise<RawAnswer> =>
  sendRaw(fixture.url, method, path, { Authorization: `Bearer ${await fixture.token('donor')}` })

const below = (encoded: string): string => `${tokenPath(AMINA)}/${encoded}`

/** A Web Push subscription of a browser with this number of characters. */
const subscription = (length: number): string => {
  const of = (id: string) =>
    `{"endpoint": "https://fcm.googleapis.com/fcm/send/${id}", "expirationTime": null, "keys": {"p256dh": "BGsX0fLhLEJH+Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT+NC4v4af5uO5+tKfA+eFivOM1drMV7Oy7ZAaDe\\/UfU=", "auth": "BTBZMqHH6r4Tts7J/aSIgg=="}}`
  return of(
    randomBytes(length)
      .toString('base64url')
      .slice(0, length - of('').length),
  )
}

const LONGEST: Readonly<Record<string, string>> = {
  letters: 'x'.repeat(4096),
  'characters of four bytes': '\u{1F600}'.repeat(4096),
  'characters of three bytes': '\u20ac'.repeat(4096),
  slashes: '/'.repeat(4096),
  'percent signs': '%'.repeat(4096),
  'percent signs that look encoded': '%25%2F%'.repeat(585),
  blanks: ' '.repeat(4096),
  quotes: '"'.repeat(4096),
  dots: '.'.repeat(4096),
  'a Web Push subscription': subscription(4096),
}

onEachStore(t, 'F4: the longest tokens work in a path, over a real socket', async (t, fixture) => {
  for (const [about, token] of Object.entries(LONGEST)) {
    t.ok([...token].length <= 4096 && [...token].length > 4090, about)
    t.equal((await attach(fixture, AMINA, token)).status, 200)
    t.equal((await tokensOf(fixture, AMINA))[0], token, `${about}: as sent`)
    const answer = await asDonor(fixture, 'DELETE', below(everyByte(token)))
    t.same([answer.status, answer.body], [200, '"success"'], `${about}, with every byte encoded`)
    t.strictSame(await tokensOf(fixture, AMINA), [])
  }
  t.equal(
    below(everyByte('\u{1F600}'.repeat(4096))).length > LONGEST_SEGMENT,
    true,
    'the URL of a token alone',
  )
})

onEachStore(t, 'F4: with the longest email and the longest access token as well', async (t, fixture) => {
  const email = `${'水'.repeat(245)}@d.org`
  const token = '\u{1F600}'.repeat(4096)
  t.equal((await attach(fixture, email, token)).status, 200)
  const path = `/user/${everyByte(email)}/notification/token/${everyByte(token)}`
  const query = `access_token=${await fixture.token('userManager')}`
  const answer = await sendRaw(fixture.url, 'DELETE', `${path}?${query}`, { 'User-Agent': 'x'.repeat(8_000) })
  t.same([answer.status, answer.body], [200, '"success"'])
})

onServer(
  t,
  'F4: a token of more than 4096 characters is 400, and named if it fits into a request',
  async (t, fixture) => {
    for (const token of ['x'.repeat(4097), 'x'.repeat(40_000), '\u{1F600}'.repeat(4097)]) {
      const problem = await seeProblem(
        t,
        asResponse(await asDonor(fixture, 'DELETE', below(encodeURIComponent(token)))),
        'invalid_request',
      )
      t.strictSame(fieldsOf(problem), ['token'])
    }
    const tooLong = below('x'.repeat(LONGEST_SEGMENT + 1))
    await seeProblem(
      t,
      asResponse(await asDonor(fixture, 'DELETE', tooLong)),
      'invalid_request',
      'longer than any token',
    )
    const tooLarge = below('x'.repeat(100_000))
    await seeProblem(
      t,
      asResponse(await asDonor(fixture, 'DELETE', tooLarge)),
      'headers_too_large',
      'longer than any request head',
    )
  },
)

onEachStore(t, 'F4: . and .. in any spelling are 400', async (t, fixture) => {
  for (const spelling of ['%2E', '%2e', '%2E%2E', '%2e%2E', '.%2e', '.', '..']) {
    const answer = await asDonor(fixture, 'DELETE', below(spelling))
    t.strictSame(fieldsOf(await seeProblem(t, asResponse(answer), 'invalid_request', spelling)), ['token'])
  }
  for (const token of ['...', '.a', '..a', './..', '%2E']) {
    await attach(fixture, AMINA, token)
    const answer = await asDonor(fixture, 'DELETE', below(encodeURIComponent(token)))
    t.equal(answer.status, 200, `${token} is not one of them`)
  }
})

onEachStore(t, 'F4: a segment is decoded once, and its slashes belong to the token', async (t, fixture) => {
  for (const [token, spellings] of [
    ['a/b', ['a%2Fb', 'a%2fb', '%61%2Fb']],
    ['/', ['%2F', '%2f']],
    ['a%2Fb', ['a%252Fb', '%61%252fb'.replace('2f', '2F')]],
    ['%', ['%25']],
    ['%25', ['%2525']],
    ['a+b c', ['a+b%20c', 'a%2Bb%20c']],
    ['a?b#c', ['a%3Fb%23c']],
    ['a;b', ['a;b', 'a%3Bb']],
    ['"quoted"', ['%22quoted%22', '"quoted"']],
    ['\u{1F600}', ['%F0%9F%98%80', '%f0%9f%98%80']],
    ['token', ['token', '%74oken']],
    [AMINA, ['amina@example.org', 'amina%40example.org']],
  ] as const)
    for (const spelling of spellings) {
      await attach(fixture, AMINA, token)
      t.equal((await asDonor(fixture, 'DELETE', below(spelling))).status, 200, spelling)
      t.strictSame(await tokensOf(fixture, AMINA), [])
    }
  await attach(fixture, AMINA, 'a/b')
  await seeProblem(t, asResponse(await asDonor(fixture, 'DELETE', below('a/b'))), 'not_found', 'a bare slash')
  await seeProblem(
    t,
    asResponse(await asDonor(fixture, 'DELETE', below('a%252Fb'))),
    'not_found',
    'twice encoded',
  )
})

onServer(t, 'B3, F4: an undecodable path is 400', async (t, fixture) => {
  for (const segment of [
    '%',
    '%Z',
    '%ZZ',
    'a%2',
    '%FF',
    '%C3%28',
    '%ED%A0%80',
    '%F0%9F%98',
    '%2F%',
    '%2525%GG',
  ])
    await seeProblem(
      t,
      asResponse(await asDonor(fixture, 'DELETE', below(segment))),
      'invalid_request',
      segment,
    )
  const nul = asResponse(await asDonor(fixture, 'DELETE', below('a%00b')))
  t.strictSame(fieldsOf(await seeProblem(t, nul, 'invalid_request', 'U+0000')), ['token'])
  const email = await asDonor(fixture, 'GET', '/user/%FF/notification/token')
  await seeProblem(t, asResponse(email), 'invalid_request', 'nor in an email that is ignored')
})

/** A token as F4 allows it. */
const token = fc
  .string({ unit: codePoint, minLength: 1, maxLength: 40 })
  .filter((text) => !text.includes('\u0000') && text !== '.' && text !== '..')

onEachStore(
  t,
  'F4, F5: every attached token is listed unchanged, and can be detached by its path',
  async (t, fixture) => {
    await fc.assert(
      fc.asyncProperty(token, async (text) => {
        await attach(fixture, AMINA, text)
        const [listed] = await tokensOf(fixture, AMINA)
        const { status } = await detach(fixture, AMINA, text, 'donor')
        return listed === text && status === 200 && (await tokensOf(fixture, AMINA)).length === 0
      }),
      { numRuns: 60 },
    )
    t.pass()
  },
)
