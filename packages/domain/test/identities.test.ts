import type { AddressClaims } from '@almoner/domain/access'
import { type AddressPolicy, linkableEmail } from '@almoner/domain/managers'
import { done } from '@almoner/testkit/contracts'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import t from 'tap'

const label = fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/)
const domain = fc.tuple(label, label).map((labels) => labels.join('.'))
const inAnyCase = (text: string) =>
  fc
    .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
    .map((upper) => [...text].map((one, n) => (upper[n] ? one.toUpperCase() : one)).join(''))

const ALL: AddressPolicy = { domains: [], trustsEmail: false }

const NOT_ASKED: TE.TaskEither<never, AddressClaims> = () => {
  throw new Error('the userinfo endpoint was asked')
}

/** Returns the address of claims, or the reason against it. */
const found = async (
  claims: AddressClaims,
  policy: AddressPolicy = ALL,
  userinfo: TE.TaskEither<never, AddressClaims> = NOT_ASKED,
): Promise<string> => E.toUnion(await linkableEmail({ claims, userinfo }, policy)())

const verified = (email: string): AddressClaims => ({ email, email_verified: true })

t.test('M3: a first sign-in is by an address of an allowed domain, in any case', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc
        .tuple(label, domain, fc.array(domain, { maxLength: 3 }), fc.boolean())
        .chain(([name, of, others, isListed]) =>
          inAnyCase(`${name}@${of}`).map((sent) => ({
            sent,
            of,
            domains: isListed ? [...others, of] : others,
          })),
        ),
      async ({ sent, of, domains }) => {
        const isAllowed = domains.length === 0 || domains.includes(of)
        const email = await found(verified(sent), { ...ALL, domains })
        return email === (isAllowed ? sent.toLowerCase() : 'domain-not-allowed')
      },
    ),
  )
})

t.test('M3: a domain is no other one that begins or ends like it', async () => {
  await fc.assert(
    fc.asyncProperty(label, domain, label, async (name, of, more) => {
      const others = [
        ...[`${name}@${more}.${of}`, `${name}@${more}${of}`],
        ...[`${name}@${of}.${more}`, `${of}@${more}.test`],
      ]
      const all = await Promise.all(others.map((email) => found(verified(email), { ...ALL, domains: [of] })))
      return all.every((reason) => reason === 'domain-not-allowed')
    }),
  )
})

t.test('M3: without an address, or with text that is none, there is no first sign-in', async (t) => {
  const none = TE.right({})
  for (const email of [undefined, null, '', 7, ['ada@example.org'], 'ada', 'a@b@example.org', '"a b"@c.org'])
    t.equal(await found({ email, email_verified: true }, ALL, none), 'no-address', String(email))
})

/** Values that providers send, or could. */
const sentVerified = fc.constantFrom<unknown>(
  ...[undefined, null, true, false, 'true', 'false', 'True', 1, 0, '1', '0', '', 'yes', {}],
)
const sentEmail = fc.constantFrom<unknown>(
  ...[undefined, 'ada@example.org', 'Ada@Example.org', 'eve@example.org'],
)
const sentClaims = fc.record({ email: sentEmail, email_verified: sentVerified, xms_edov: sentVerified })

const isSent = (claim: unknown) => claim !== undefined && claim !== null

/** What each claim says, in the words of the ruling: yes, no or nothing. */
const saysOf = ({ email_verified, xms_edov }: AddressClaims, trustsEmail: boolean) => {
  const said = [
    ...(isSent(email_verified) ? [[true, 'true'].includes(email_verified as string)] : []),
    ...(trustsEmail && isSent(xms_edov) ? [[true, 'true', 1, '1'].includes(xms_edov as string)] : []),
  ]
  if (said.includes(false)) return 'no'
  return said.includes(true) ? 'yes' : 'nothing'
}

/** Returns the expected address or reason, once the endpoint is asked. */
const expectedOf = (token: AddressClaims, info: AddressClaims, trustsEmail: boolean): unknown => {
  const [own, other] = [saysOf(token, trustsEmail), saysOf(info, trustsEmail)]
  if (other === 'no') return 'address-not-verified'
  const all = [token.email, info.email].filter(isSent).map((email) => String(email).toLowerCase())
  const [address = 'no-address', ...more] = new Set(all)
  if (more.length > 0) return 'addresses-differ'
  const isVerified = own === 'yes' || trustsEmail || (other === 'yes' && isSent(info.email))
  return all.length === 0 || isVerified ? address : 'verification-not-stated'
}

t.test('M11: only what a provider states, or what the setting trusts, verifies an address', async () => {
  await fc.assert(
    fc.asyncProperty(sentClaims, sentClaims, fc.boolean(), async (token, info, trustsEmail) => {
      let asked = 0
      const userinfo = TE.fromIO(() => {
        asked += 1
        return info
      })
      const result = await found(token, { domains: [], trustsEmail }, userinfo)
      const own = saysOf(token, trustsEmail)
      if (own === 'no') return result === 'address-not-verified' && asked === 0
      if (own === 'yes' && isSent(token.email))
        return result === String(token.email).toLowerCase() && asked === 0
      return asked === 1 && result === expectedOf(token, info, trustsEmail)
    }),
    { numRuns: 2000 },
  )
})

t.test('M11: an endpoint that fails is a failure, not a refusal of the person', async (t) => {
  const down = { _tag: 'ProviderUnavailable', cause: 'down' } as const
  const result = await linkableEmail({ claims: {}, userinfo: TE.left(down) }, ALL)()
  t.same(result, E.left(down))
  t.equal(await done(linkableEmail({ claims: verified('a@b.org'), userinfo: TE.left(down) }, ALL)), 'a@b.org')
})
