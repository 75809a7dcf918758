import t from 'tap'
import { loggedError } from '../../src/logged-error.ts'

t.test(
  'A5: texts of a request are removed from a logged error, in any case and at any position',
  async (t) => {
    const secrets = ['Secret-Token', 'reader@example.org']
    const error = new Error('no SECRET-TOKEN for Reader@Example.org, secret-token', {
      cause: new Error('reader%40example.org is unknown'),
    })
    const told = loggedError(error, secrets)
    t.equal(told.message, 'no [cut] for [cut], [cut]')
    t.equal(told.cause?.message, '[cut] is unknown')
    t.equal(loggedError(new Error('a word'), ['word']).message, 'a word', 'short words are not cut')
  },
)

t.test('A5: letters whose length changes with their case hide nothing', async (t) => {
  const told = loggedError(new Error('İstanbul: secret-token'), ['Secret-Token'])
  t.notMatch(told.message, /secret/i)
})

t.test('A5, I1: an error is logged, however long the request is', async (t) => {
  const words = Array.from({ length: 9000 }, (_, n) => `word${String(n).padStart(9, '0')}`)
  const told = loggedError(new Error(`failed at ${words[8999]}`), [words.join(' ')])
  t.equal(told.message, 'failed at [cut]')
})

t.test('A5, F1: an address is removed in the form in which it is stored, too', async (t) => {
  const told = loggedError(new Error('duplicate key ada@bücher.example'), [
    ' Ada@XN--BCHER-KVA.example\u00a0',
  ])
  t.equal(told.message, 'duplicate key [cut]')
})
