import {
  done,
  MANAGER_NOW,
  openByLink,
  sampleManager,
  samplePasskey,
  sampleSession,
} from '@almoner/testkit/contracts'
import t from 'tap'
import { makeCurrent, onStore } from '../support/database.ts'
import { command } from '../support/portfolio.ts'

const [ada, eve] = [sampleManager('ada'), sampleManager('eve')]

t.test('L4: no command takes the last enabled operator away', async (t) => {
  const folder = t.testdir()
  await makeCurrent(folder)
  await onStore(folder, async ({ managers }) => {
    await done(managers.add({ ...ada, duty: 'operator' }))
    await done(managers.add({ ...eve, duty: 'operator', disabled: true }))
  })
  for (const words of [
    ['manager', 'disable', ada.email],
    ['manager', 'duty', ada.email, 'editor'],
    ['user', 'erase', ada.email],
  ]) {
    const { code, err } = await command(folder, ...words)
    t.equal(code, 1, words.join(' '))
    t.match(err, /^[^\n]*last operator who is enabled[^\n]*\n$/, words.join(' '))
  }
  t.equal((await command(folder, 'manager', 'enable', eve.email)).code, 0)
  t.equal((await command(folder, 'user', 'erase', ada.email)).code, 0, 'one of two')
})

t.test('M3, M4: a passkey is removed by a command, which ends the sessions', async (t) => {
  const folder = t.testdir()
  await makeCurrent(folder)
  await onStore(folder, async (store) => {
    await done(store.managers.add(ada))
    await done(store.passkeys.add(samplePasskey(1)))
    await openByLink(store, sampleSession(1, ada))
  })
  const list = await command(folder, 'manager', 'passkeys', ada.email, '--json')
  t.match(JSON.parse(list.out), [{ id: 'passkey-1', name: 'Phone 1' }])
  const remove = ['manager', 'passkeys', ada.email, '--remove', 'passkey-1']
  t.equal((await command(folder, ...remove)).code, 0)
  t.match(await command(folder, ...remove), { code: 1, err: /no such passkey/ })
  t.match(await command(folder, 'manager', 'passkeys', 'x@example.org'), { code: 1, err: /no manager/ })
  await onStore(folder, async ({ sessions, passkeys }) => {
    t.same(await done(sessions.of(ada.email, MANAGER_NOW)), [])
    t.same(await done(passkeys.of(ada.email)), [])
  })
})
