import t from 'tap'
import { makeApnsKey } from '../src/index.ts'
import { withApns } from './apns.ts'
import { providerTokenOf, seconds } from './tokens.ts'

t.test('APNs requires a provider token that the key has signed, at most an hour old', async (t) => {
  const { key, connect, send } = await withApns(t)
  const stranger = { ...makeApnsKey(), keyId: key.keyId, teamId: key.teamId }
  const rows = [
    ['', 'MissingProviderToken'],
    ['bearer none', 'InvalidProviderToken'],
    [`bearer ${providerTokenOf(stranger)}`, 'InvalidProviderToken'],
    [`bearer ${providerTokenOf(key, {}, { kid: 'ELSE000000' })}`, 'InvalidProviderToken'],
    [`bearer ${providerTokenOf(key, {}, { alg: 'RS256' })}`, 'InvalidProviderToken'],
    [`bearer ${providerTokenOf(key, { iss: 'ELSE000000' })}`, 'InvalidProviderToken'],
    [`bearer ${providerTokenOf(key, { iat: undefined })}`, 'InvalidProviderToken'],
    [`bearer ${providerTokenOf(key, { iat: seconds() + 3600 })}`, 'InvalidProviderToken'],
    [`bearer ${providerTokenOf(key, { iat: seconds() - 3700 })}`, 'ExpiredProviderToken'],
  ] as const
  for (const [authorization, reason] of rows) {
    const { status, json } = await send({ authorization }, {}, await connect())
    t.strictSame([status, json], [403, { reason }])
  }
})

const bearer = (key: ReturnType<typeof makeApnsKey>, now: number) => ({
  authorization: `bearer ${providerTokenOf(key, { iat: Math.floor(now / 1000) })}`,
})

t.test('APNs accepts a new provider token every twenty minutes, not more often', async (t) => {
  let now = Date.now()
  const { key, connect, send } = await withApns(t, { now: () => now })
  t.equal((await send(bearer(key, now))).status, 200)
  t.equal((await send(bearer(key, now))).status, 200, 'signed again in the same second')
  now += 1_199_000
  t.match(await send(bearer(key, now)), { status: 429, json: { reason: 'TooManyProviderTokenUpdates' } })
  t.equal((await send(bearer(key, now), {}, await connect())).status, 200, 'another connection')
  now += 2000
  t.equal((await send(bearer(key, now))).status, 200)
})

t.test('APNs can count provider tokens over all uses of the key', async (t) => {
  let now = Date.now()
  const { key, connect, send } = await withApns(t, { now: () => now, tokenUpdates: 'key' })
  t.equal((await send(bearer(key, now))).status, 200)
  now += 60_000
  t.equal((await send(bearer(key, now), {}, await connect())).status, 429)
  t.equal((await send(bearer(key, now - 60_000), {}, await connect())).status, 200)
})
