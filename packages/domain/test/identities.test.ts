import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { linkableEmail } from '../src/all.ts'

const label = fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/)
const domain = fc.tuple(label, label).map((labels) => labels.join('.'))
const inAnyCase = (text: string) =>
  fc
    .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
    .map((upper) => [...text].map((one, n) => (upper[n] ? one.toUpperCase() : one)).join(''))

t.test('M3: a first sign-in is by a verified address of an allowed domain, in any case', async () => {
  fc.assert(
    fc.property(
      fc
        .tuple(label, domain, fc.array(domain, { maxLength: 3 }), fc.boolean())
        .chain(([name, of, others, isListed]) =>
          inAnyCase(`${name}@${of}`).map((sent) => ({
            sent,
            of,
            domains: isListed ? [...others, of] : others,
          })),
        ),
      fc.boolean(),
      ({ sent, of, domains }, isEmailVerified) => {
        const found = linkableEmail({ email: O.some(sent), isEmailVerified }, domains)
        const isAllowed = isEmailVerified && (domains.length === 0 || domains.includes(of))
        return O.toUndefined(found) === (isAllowed ? sent.toLowerCase() : undefined)
      },
    ),
  )
})

t.test('M3: a domain is no other one that begins or ends like it', async () => {
  fc.assert(
    fc.property(label, domain, label, (name, of, more) =>
      [`${name}@${more}.${of}`, `${name}@${more}${of}`, `${name}@${of}.${more}`, `${of}@${more}.test`].every(
        (email) => O.isNone(linkableEmail({ email: O.some(email), isEmailVerified: true }, [of])),
      ),
    ),
  )
})

t.test('M3: without an address, or with text that is none, there is no first sign-in', async (t) => {
  for (const email of [
    O.none,
    O.some(''),
    O.some('ada'),
    O.some('a@b@example.org'),
    O.some('ada@example.org '),
    O.some('"a b"@example.org'),
  ])
    t.same(linkableEmail({ email, isEmailVerified: true }, []), O.none)
})
