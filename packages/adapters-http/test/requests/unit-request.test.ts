import { DonorRestricted } from '@almoner/domain/content'
import { ItemTitle, parameters } from '@almoner/domain/values'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import t from 'tap'
import { ProblemError } from '../../src/problems/problem.ts'
import { oneToken, tokensIn, tokensInHead } from '../../src/request/authentication.ts'
import { makeBodyWatch } from '../../src/request/metered-body.ts'
import { mergeParameters, readJsonBody, utf8 } from '../../src/request/parameters.ts'
import { limitUploads } from '../../src/request/upload-limit.ts'
import { copyOutOfPool } from '../../src/responses/copy-out-of-pool.ts'
import { stillClock } from '../support/seconds.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Names that JSON writes as they are: V8 14 confuses escaped ones that hold a backslash with each other (nodejs/node#63785). */
const plainName = fc.string({ maxLength: 5 }).filter((name) => JSON.stringify(name) === `"${name}"`)

t.test('B2: a JSON object without repeated names is read unchanged', async (t) => {
  const value = fc.oneof(
    fc.string(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
  )
  const held = fc.oneof(value, fc.array(value), fc.dictionary(plainName, value, { noNullPrototype: true }))
  fc.assert(
    fc.property(fc.dictionary(plainName, held, { noNullPrototype: true }), (object) => {
      const text = JSON.stringify(object)
      return JSON.stringify(readJsonBody(bytes(text))) === text
    }),
  )
  t.pass()
})

t.test('B2: exactly the repeated names at the top level become arrays', async (t) => {
  const name = fc.constantFrom('a', 'b', 'c', '__proto__', 'toString', 'é', '')
  const value = fc.oneof(
    fc.constant({ a: 1, b: { a: 2 } }),
    fc.constant(['a', 'a']),
    fc.constant('a'),
    fc.constant(null),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value)), (pairs) => {
      const text = `{${pairs.map(([key, held]) => `${JSON.stringify(key)} : ${JSON.stringify(held)}`).join(' ,\n')}}`
      const body = readJsonBody(bytes(text))
      const counts = Map.groupBy(pairs, ([key]) => key)
      return [...counts].every(([key, all]) => {
        const read = Object.getOwnPropertyDescriptor(body, key)?.value as unknown
        const expected = all.length > 1 ? [key] : all[0]?.[1]
        return JSON.stringify(read) === JSON.stringify(expected)
      })
    }),
  )
  t.same(readJsonBody(bytes('{"a":1,"\\u0061":2}')), { a: ['a'] }, 'escapes do not hide a name')
})

t.test(
  'B1: an empty body has no parameters; a body that is not an object or not UTF-8 is unreadable',
  async (t) => {
    for (const text of ['', ' \t\r\n ', 'null']) t.same(readJsonBody(bytes(text)), {})
    for (const text of ['[]', '1', '"a"', 'true', '{', '{}{}', '{"a":1,}', "{'a':1}", 'nul'])
      t.throws(() => readJsonBody(bytes(text)), ProblemError)
    t.throws(() => utf8(new Uint8Array([0xff])), ProblemError)
    t.equal(utf8(bytes('é')), 'é')
  },
)

t.test('I1: the error for an unreadable body quotes none of it', async (t) => {
  for (const body of [bytes('{"secret": oops'), bytes('["secret"]'), Uint8Array.from([0x73, 0xff])])
    try {
      readJsonBody(body)
      t.fail('should be unreadable')
    } catch (error) {
      t.notMatch(String(error), /secret|oops/)
    }
})

const WANTED = parameters({
  name: 'Wanted',
  required: { itemTitle: ItemTitle },
  optional: { isDonorRestricted: DonorRestricted },
})

t.test('B2: path wins over body, body over query; empty and null are absent, except in B9', async (t) => {
  const value = fc.constantFrom(undefined, null, '', 'p', 'b', 'q', 0, false)
  const place = fc.record({ itemTitle: value, isDonorRestricted: value })
  fc.assert(
    fc.property(place, place, place, (path, body, query) => {
      const gathered = mergeParameters(WANTED, { path, body, query })
      const firstTold = (name: 'itemTitle' | 'isDonorRestricted', isTold: (told: unknown) => boolean) =>
        [path[name], body[name], query[name]].find(isTold)
      const said = (told: unknown) => told !== undefined && told !== null
      return (
        gathered['itemTitle'] === firstTold('itemTitle', (told) => said(told) && told !== '') &&
        gathered['isDonorRestricted'] === firstTold('isDonorRestricted', said)
      )
    }),
  )
  t.same(
    mergeParameters(WANTED, { path: {}, body: { itemTitle: 'b' }, query: { itemTitle: ['x', 'y'] } })[
      'itemTitle'
    ],
    ['x', 'y'],
    'a repetition is never hidden',
  )
  t.same(
    Object.keys(mergeParameters(WANTED, { path: { other: 'x' }, body: { more: 1 }, query: {} })).sort(),
    ['isDonorRestricted', 'itemTitle'],
  )
  const inherited = Object.create({ itemTitle: 'inherited' }) as Record<string, unknown>
  t.equal(mergeParameters(WANTED, { path: {}, body: inherited, query: {} })['itemTitle'], undefined)
})

t.test('A5: tokens are found in every allowed place, each as often as it occurs', async (t) => {
  t.same(tokensInHead([], {}), [])
  t.same(tokensInHead(['Bearer a'], {}), ['a'])
  t.same(tokensInHead(['bearer  a'], { access_token: 'b' }), ['a', 'b'])
  t.same(tokensInHead(['Basic a', 'BEARER b'], {}), ['b'])
  t.same(tokensInHead(['Bearer'], {}), [''], 'an empty Bearer is a bad token')
  t.same(tokensInHead(['Bearera'], {}), [])
  t.same(tokensIn({ access_token: ['a', 'b'] }), ['a', 'b'])
  t.same(tokensIn({ access_token: ['a'] }).length, 2, 'a repeated name in JSON')
  for (const none of [undefined, null, '']) t.same(tokensIn({ access_token: none }), [])
  t.same(tokensIn(Object.create({ access_token: 'a' }) as object as Record<string, unknown>), [])
  t.match(oneToken([]), E.left({ code: 'invalid_token' }))
  t.match(oneToken(['a', 'a']), E.left({ code: 'invalid_request' }))
  t.match(oneToken([5]), E.left({ code: 'invalid_token' }))
  t.same(oneToken(['a']), E.right('a'))
})

t.test('D1: the upload limit runs a few, queues a bounded number, and rejects the rest', async (t) => {
  const acquire = limitUploads({ permits: 2, queue: 2 }, makeBodyWatch(stillClock().everySecond))
  const [one, two] = [await acquire(), await acquire()]
  const turns: Array<string> = []
  const inTurn = async (name: string) => {
    const release = await acquire()
    turns.push(name)
    return release
  }
  const [third, fourth] = [inTurn('third'), inTurn('fourth')]
  await t.rejects(acquire(), ProblemError)
  t.same(turns, [], 'they wait')
  one()
  one()
  one()
  const release = await third
  t.same(turns, ['third'], 'releasing twice has no effect')
  two()
  await fourth
  t.same(turns, ['third', 'fourth'])
  release()
  const again = await acquire()
  t.type(again, 'function')
})

t.test(
  'D1, B10: an upload waits a minute, or until its client leaves, and then frees its place',
  async (t) => {
    const clock = stillClock()
    const acquire = limitUploads({ permits: 1, queue: 2 }, makeBodyWatch(clock.everySecond))
    const release = await acquire()
    const client = new AbortController()
    const [late, gone] = [acquire(), acquire(client.signal)]
    await t.rejects(acquire(), ProblemError, 'two wait')
    client.abort(new Error('gone'))
    await t.rejects(gone, { message: 'gone' })
    await t.rejects(acquire(client.signal), { message: 'gone' }, 'a client that has left before')
    await clock.pass(30)
    const next = acquire()
    await clock.pass(29)
    await t.rejects(acquire(), ProblemError, 'the first waits still')
    const rejected = late.catch((error: unknown) => error)
    await clock.pass(1)
    t.match(await rejected, { problem: { code: 'unavailable', headers: { 'Retry-After': '5' } } })
    const last = acquire()
    release()
    const releaseNext = await next
    await clock.pass(59)
    releaseNext()
    await t.resolves(last, 'an upload that has its turn is late no more')
  },
)

t.test('a cached response has its own memory and does not retain a slab of Node’s buffer pool', async (t) => {
  const small = Buffer.from('an item')
  t.ok(small.buffer.byteLength > small.byteLength, 'Node has sliced it from a larger buffer')
  const own = copyOutOfPool(small)
  t.same([own.toString(), own.buffer.byteLength], ['an item', small.byteLength])
  t.equal(copyOutOfPool(own), own, 'a buffer with its own memory is not copied')
})
