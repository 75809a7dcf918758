import { createHook } from 'node:async_hooks'
import { createHash, scryptSync } from 'node:crypto'
import { done } from '@almoner/domain/contracts'
import t from 'tap'
import { nodeSecrets } from '../src/index.ts'

const secrets = nodeSecrets()

t.test('A6: a token is stored as its SHA-256 digest in lower-case hex', async (t) => {
  t.equal(secrets.digest('token'), createHash('sha256').update('token').digest('hex'))
})

t.test('A6: a hash carries its own cost and salt, so that any scrypt can check it', async (t) => {
  const [, form, cost, salt = '', key = ''] = (await done(secrets.hash('s'))).split('$')
  t.same([form, cost], ['scrypt', 'ln=15,r=8,p=1'])
  const again = scryptSync('s', Buffer.from(salt, 'base64'), 32, { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 })
  t.equal(Buffer.from(key, 'base64').toString('hex'), again.toString('hex'))
})

t.test('A6: a hash made at another cost still counts', async (t) => {
  const salt = Buffer.from('0123456789abcdef')
  const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
  const key = scryptSync('s', salt, 32, { N: 2 ** 10, r: 4, p: 2 })
  const hash = `$scrypt$ln=10,r=4,p=2$${text(salt)}$${text(key)}`
  t.equal(await done(secrets.verify('s', hash)), true)
  t.equal(await done(secrets.verify('t', hash)), false)
})

t.test('A6: a text that asks for more than a hash may cost is no hash', async (t) => {
  const [salt, key] = ['A'.repeat(22), 'A'.repeat(43)]
  for (const cost of ['ln=30,r=8,p=1', 'ln=15,r=99,p=1', 'ln=15,r=8,p=99', 'ln=0,r=8,p=1', 'ln=15,r=0,p=1'])
    t.equal(await done(secrets.verify('s', `$scrypt$${cost}$${salt}$${key}`)), false, cost)
})

t.test('A6: hashing is Unavailable when too many are being made', async (t) => {
  const narrow = nodeSecrets({ atOnce: 1, waiting: 0 })
  const [first, second] = await Promise.all([narrow.hash('a')(), narrow.verify('b', '')()])
  t.match([first, second], [{ _tag: 'Right' }, { left: { _tag: 'Unavailable' } }])
})

t.test('A6: verifying against a text that is no hash is as much work as against a hash', async (t) => {
  const hash = await done(secrets.hash('s'))
  let runs = 0
  const hook = createHook({
    init: (_id, type) => {
      if (type === 'SCRYPTREQUEST') runs += 1
    },
  }).enable()
  for (const text of [hash, '', 'nonsense', '$scrypt$']) await done(secrets.verify('s', text))
  hook.disable()
  t.equal(runs, 4)
})
