import { createHash, scryptSync } from 'node:crypto'
import { done } from '@almoner/testkit/contracts'
import t from 'tap'
import { nodeSecrets } from '../src/index.ts'

const secrets = nodeSecrets()

const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')

/** Hashes a secret as an earlier version did. */
const legacyHash = (secret: string) => {
  const salt = Buffer.from('0123456789abcdef')
  const key = scryptSync(secret, salt, 32, { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 })
  return `$scrypt$ln=15,r=8,p=1$${base64(salt)}$${base64(key)}`
}

t.test('A6: secrets and tokens are stored as SHA-256 digests in lower-case hex', async (t) => {
  t.equal(secrets.digest('token'), createHash('sha256').update('token').digest('hex'))
})

t.test('A6: secrets that an earlier version hashed with scrypt stay valid', async (t) => {
  const hash = legacyHash('s')
  t.equal(await done(secrets.verify('s', hash)), 'legacy')
  t.equal(await done(secrets.verify('t', hash)), 'none')
})

t.test('A6: a stored hash cannot cost more work than those of an earlier version', async (t) => {
  const [salt, key] = ['A'.repeat(22), 'A'.repeat(43)]
  for (const cost of ['ln=30,r=8,p=1', 'ln=15,r=99,p=1', 'ln=15,r=8,p=99', 'ln=0,r=8,p=1', 'ln=15,r=0,p=1'])
    t.equal(await done(secrets.verify('s', `$scrypt$${cost}$${salt}$${key}`)), 'none', cost)
})

t.test('A6: checks of older hashes are bounded: 2 run, 64 wait, more are Unavailable', async (t) => {
  const hash = legacyHash('s')
  const results = await Promise.all(Array.from({ length: 70 }, () => secrets.verify('s', hash)()))
  const failed = results.filter(({ _tag }) => _tag === 'Left')
  t.equal(failed.length, 4)
  t.ok(failed.every((result) => result._tag === 'Left' && result.left._tag === 'Unavailable'))
})
