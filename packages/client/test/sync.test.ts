import fc from 'fast-check'
import t from 'tap'
import { ApiError, type CopyChange, memoryStore, type SyncStore } from '../src/index.ts'
import { makeSync, type SyncOptions } from '../src/sync/sync.ts'
import { type Act, type ChangesModel, changesModel, itemOf } from './support/changes-model.ts'

const put = (n: number, day = n): Act => ({ act: 'put', kind: 'library', n, day })

/** A copy of a model, with a clock that waits move. */
const copyOf = (model: ChangesModel, more: Partial<SyncOptions> = {}) => {
  const waits: Array<number> = []
  let now = 0
  const time = {
    now: () => now,
    wait: async (milliseconds: number, signal: AbortSignal) => {
      waits.push(milliseconds)
      now += milliseconds
      signal.throwIfAborted()
    },
  }
  const store = more.store ?? memoryStore()
  return { copy: makeSync({ client: model.client, store, ...more }, time), store, waits, time }
}

const refusal = (status: number, retryAfter?: number, body: object = {}) =>
  new ApiError({ status, retryAfter }, body)

const titles = (items: ReadonlyArray<{ readonly itemTitle: string }>) =>
  items.map(({ itemTitle }) => itemTitle)

t.test(
  'N1: a copy is walked to its end, listed in the order of the collections, and follows changes',
  async (t) => {
    const model = changesModel()
    for (const act of [put(1), put(3), put(2), { act: 'labels', order: [2, 0, 1] } as const]) model.do(act)
    const { copy } = copyOf(model, { lim: 2 })
    t.same(await copy.state(), { isComplete: false, portfolio: 0 })
    await copy.update()
    t.equal(model.asked.length, 3)
    t.same(await copy.list('library'), model.collection('library'))
    t.same(await copy.labels(), model.collection('label'))
    t.same(await copy.state(), { isComplete: true, portfolio: 0 })
    t.match(await copy.get('library', 'library-3'), { itemId: 'library-3' })
    t.match(await copy.get('label', 'label-2'), { en: 'English 2' })
    model.do(put(1, 9))
    model.do({ act: 'remove', kind: 'library', n: 3 })
    await copy.update()
    t.same(await copy.list('library'), model.collection('library'))
    t.equal(await copy.get('library', 'library-3'), undefined)
  },
)

t.test('N1: language, kinds, include and limit are asked for, and nothing that was not given', async (t) => {
  const model = changesModel()
  await copyOf(model).copy.update()
  await copyOf(model, {
    lang: 'fr',
    kinds: ['feed', 'label'],
    include: ['labels', 'images'],
    lim: 7,
  }).copy.update()
  t.strictSame(
    model.asked.map(({ query }) => query),
    [{ lim: 500 }, { lang: 'fr', kinds: 'feed,label', include: 'labels,images', lim: 7 }],
  )
})

t.test('lists are filtered by language, state, label and rights, and cut', async (t) => {
  const model = changesModel()
  for (const n of [0, 1, 2, 3, 4, 5]) model.do(put(n))
  const { copy } = copyOf(model)
  await copy.update()
  const ids = async (filter: Parameters<typeof copy.list<'library'>>[1]) =>
    (await copy.list('library', filter)).map(({ itemId }) => Number(itemId.slice(-1)))
  t.same(await ids({}), [5, 4, 3, 2, 1, 0])
  t.same(await ids({ lang: 'fr' }), [5, 3, 1])
  t.same(await ids({ status: 'Draft' }), [3, 0])
  t.same(await ids({ labelId: 'label-0', status: 'Live' }), [4, 2])
  t.same(await ids({ labelId: 'none' }), [])
  t.same(await ids({ isDonorRestricted: '1' }), [])
  t.same(await ids({ lang: 'en', offset: 1, lim: 1 }), [2])
  t.same(await ids({ lim: 0 }), [])
  t.same(await ids({ offset: 9 }), [])
})

t.test('subscribers hear what has changed once it is stored, until they leave', async (t) => {
  const model = changesModel()
  const { copy } = copyOf(model)
  const heard: Array<CopyChange> = []
  const leave = copy.subscribe((changes) => heard.push(...changes))
  for (const act of [put(1), put(2), { act: 'portfolio' } as const]) model.do(act)
  await copy.update()
  t.same(heard.splice(0), [
    { kind: 'library', id: 'library-1', operation: 'put' },
    { kind: 'library', id: 'library-2', operation: 'put' },
    { kind: 'portfolio', operation: 'reload' },
  ])
  t.equal((await copy.state()).portfolio, 1)
  await copy.update()
  t.same(heard, [], 'nothing where nothing changed')
  model.do({ act: 'remove', kind: 'library', n: 1 })
  await copy.update()
  t.same(heard.splice(0), [{ kind: 'library', id: 'library-1', operation: 'remove' }])
  leave()
  model.do(put(3))
  await copy.update()
  t.same(heard, [])
})

t.test(
  'N3: after 410 the old copy is shown until the new one is complete, and what is gone goes then',
  async (t) => {
    const model = changesModel()
    for (const n of [1, 2, 3, 4]) model.do(put(n))
    const { copy } = copyOf(model, { lim: 1 })
    await copy.update()
    model.do({ act: 'remove', kind: 'library', n: 2 })
    model.do({ act: 'expire' })
    const sizes: Array<number> = []
    const heard: Array<CopyChange> = []
    copy.subscribe(async (changes) => {
      heard.push(...changes)
      sizes.push((await copy.list('library')).length)
      t.equal((await copy.state()).isComplete, true)
    })
    await copy.update()
    t.same(await copy.list('library'), model.collection('library'))
    t.equal(Math.min(...sizes), 3)
    t.same(heard.at(-1), { kind: 'library', id: 'library-2', operation: 'remove' })
  },
)

t.test('N3: a walk that expires half way begins again; a damaged cursor too', async (t) => {
  const model = changesModel()
  for (const n of [1, 2, 3]) model.do(put(n))
  const { copy } = copyOf(model, { lim: 1 })
  const leave = copy.subscribe(() => {
    leave()
    model.do({ act: 'remove', kind: 'library', n: 1 })
    model.do({ act: 'expire' })
  })
  await copy.update()
  t.same(await copy.list('library'), model.collection('library'))
  model.faults.push(refusal(400, undefined, { errors: [{ field: 'since', message: 'is no cursor' }] }))
  await copy.update()
  t.equal(model.asked.at(-1)?.query.since?.startsWith('1.'), true)
  model.faults.push(refusal(400, undefined, { errors: [{ field: 'lang', message: 'is no language' }] }))
  await t.rejects(copy.update(), { message: /400/ })
})

t.test('N3: cursors that expire again and again end an update, and slow a run down', async (t) => {
  const model = changesModel()
  for (const n of [1, 2, 3]) model.do(put(n))
  const expiring = {
    get: ((_: string, asked: never) => {
      const answer = model.answer('/changes', asked)
      model.do({ act: 'expire' })
      return answer
    }) as never,
  }
  const { copy } = copyOf(model, { client: expiring, lim: 1 })
  await t.rejects(copy.update(), { message: /410/ })
  t.equal(model.asked.length, 8)
  const controller = new AbortController()
  const running = copyOf(model, { client: expiring, lim: 1 })
  running.copy.subscribe(() => running.waits.length > 5 && controller.abort())
  await running.copy.run({ signal: controller.signal })
  t.ok((running.waits.at(-1) ?? 0) >= 30_000, `${running.waits}`)
})

t.test(
  'N1: kinds that this version does not know are passed over, and answers of others refused',
  async (t) => {
    const store = memoryStore()
    const changes = [
      { change: { kind: 'event', id: '1', operation: 'put', event: {} } },
      { change: { kind: 'library', id: 'library-1', operation: 'put', item: itemOf('library', 1, 1, 1) } },
    ]
    let data: unknown = { changes, cursor: 'a' }
    const client = { get: (async () => ({ data, headers: new Headers() })) as never }
    const copy = makeSync({ client, store }, { now: () => 0, wait: async () => {} })
    await copy.update()
    t.same(titles(await copy.list('library')), ['version 1'])
    for (data of [undefined, '<html>', { changes: [] }, { cursor: 'b' }])
      await t.rejects(copy.update(), { message: 'The answer is not one of GET /changes.' })
    t.match(await store.position(), { cursor: 'a' })
  },
)

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constant('put'),
      kind: fc.constantFrom('library', 'feed'),
      n: fc.nat(6),
      day: fc.nat(8),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('remove'),
      kind: fc.constantFrom('library', 'feed'),
      n: fc.nat(6),
    }),
  },
  fc.record({ act: fc.constant('labels'), order: fc.uniqueArray(fc.nat(4)) }),
  fc.constant({ act: 'portfolio' }),
  fc.constant({ act: 'expire' }),
) as fc.Arbitrary<Act>

/** A store whose steps arrive late, twice, from another user of the copy, or find no room; at times it loses all that it had. */
const restless = (store: SyncStore, chances: () => number): SyncStore => {
  let late: Parameters<SyncStore['apply']>[0] | undefined
  return {
    ...store,
    apply: async (step) => {
      const before = late
      late = step
      const chance = chances()
      if (chance === 4) throw new DOMException('no room', 'QuotaExceededError')
      if (chance === 5) await store.clear()
      if (before !== undefined && chance === 0) await store.apply(before)
      const done = await store.apply(step)
      if (chance === 1) await store.apply(step)
      return done
    },
  }
}

/** Failures of a request, and answers of others. */
const FAULTS: ReadonlyArray<() => unknown> = [
  () => new TypeError('fetch failed'),
  () => new SyntaxError('Unexpected end of JSON input'),
  () => refusal(503, 1),
  () => refusal(410, undefined, { code: 'cursor_expired' }),
  () => refusal(400, undefined, { errors: [{ field: 'since', message: 'is no cursor' }] }),
]

/** Has each user of a model keep its copy while it changes, and compares them with it at the end. */
const compare = async (steps: ReadonlyArray<Act | number>, lim: number, chances: () => number) => {
  const model = changesModel()
  const shared = memoryStore()
  const stores = [restless(shared, chances), shared, memoryStore()]
  const copies = stores.map((store) => copyOf(model, { store, lim }).copy)
  for (const step of steps)
    if (typeof step === 'object') model.do(step)
    else {
      const fault = FAULTS[chances()]
      if (fault !== undefined) model.faults.push(fault())
      await Promise.allSettled([copies[step]?.update(), copies[0]?.update()])
    }
  model.faults.length = 0
  for (const copy of copies.slice(1)) {
    await copy.update()
    const found = [await copy.list('library'), await copy.list('feed'), await copy.labels()]
    const wanted = (['library', 'feed', 'label'] as const).map(model.collection)
    if (JSON.stringify(found) !== JSON.stringify(wanted))
      throw new Error(`${JSON.stringify(found)} is not ${JSON.stringify(wanted)}`)
  }
}

t.test(
  'N2: copies of any number of users equal the collections, after any answers that come late, twice or damaged, and stores that fail',
  async () => {
    const steps = fc.array(fc.oneof(act, fc.nat(2)), { maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(
        steps,
        fc.integer({ min: 1, max: 3 }),
        fc.infiniteStream(fc.nat(9)),
        (steps, lim, chance) => compare(steps, lim, () => chance.next().value as number),
      ),
      { numRuns: 300 },
    )
  },
)

t.test('an update that another user of the copy overtakes goes on until all has arrived', async (t) => {
  const model = changesModel()
  for (const n of [1, 2, 3, 4]) model.do(put(n))
  const shared = memoryStore()
  const other = copyOf(model, { store: shared, lim: 1 }).copy
  let [isFirst, leave] = [true, () => {}]
  const client = {
    get: (async (path: string, asked: never) => {
      const answer = await model.answer(path, asked)
      // While this answer is on its way another tab takes the first steps of a walk.
      if (!isFirst) return answer
      isFirst = false
      const controller = new AbortController()
      leave = other.subscribe(() => controller.abort(new Error('closed')))
      await other.update({ signal: controller.signal }).catch(() => {})
      return answer
    }) as never,
  }
  await copyOf(model, { store: shared, client }).copy.update()
  leave()
  t.same(await other.list('library'), model.collection('library'))
  t.same(await shared.position().then((position) => position?.isWalking), false)
})

t.test('a clock that is set, backwards or forwards, ends neither a copy nor its pauses', async (t) => {
  const model = changesModel()
  const times = [5e9, 1e9, 1e9, 9e9, 9e9, 0]
  let at = 0
  const controller = new AbortController()
  const time = {
    now: () => times[at++ % times.length] ?? 0,
    wait: async () => {
      model.do(put(at))
      if (at > 20) controller.abort()
    },
  }
  const copy = makeSync({ client: model.client, store: memoryStore() }, time)
  await copy.run({ signal: controller.signal })
  await copy.update()
  t.same(await copy.list('library'), model.collection('library'))
})

/** Runs a copy until its service has been asked `times` times; `before` is done at each time. */
const runFor = async (times: number, before: (time: number) => void, model = changesModel()) => {
  const controller = new AbortController()
  const failures: Array<unknown> = []
  const { get } = model.client as { get: (path: string, asked: object) => Promise<unknown> }
  let time = 0
  const client = {
    get: (async (path: string, asked: object) => {
      time += 1
      if (time === times) controller.abort()
      before(time)
      return get(path, asked)
    }) as never,
  }
  const { copy, waits } = copyOf(model, { client })
  await copy.run({ signal: controller.signal, onFailure: (error) => failures.push(error) })
  return { copy, waits: waits.map((wait) => Math.floor(wait / 1000)), failures, model }
}

t.test(
  'N4: a copy that is kept in step asks again at once after changes, and lets the service wait',
  async (t) => {
    const model = changesModel()
    for (const n of [1, 2]) model.do(put(n))
    const { waits, copy } = await runFor(4, (time) => model.do(put(time)), model)
    t.same(waits, [])
    t.same(
      model.asked.map(({ wait }) => wait),
      [undefined, 50, 50, 50],
      'but not before the copy is complete',
    )
    t.equal((await copy.list('library')).length, 3)
  },
)

t.test('N4: answers without changes that come early are followed by longer and longer pauses', async (t) => {
  const { waits } = await runFor(9, () => {})
  for (const [n, wait] of waits.entries()) {
    const least = Math.min(30, 2 ** n)
    t.ok(wait >= least && wait <= 2 * least, `${wait} s`)
  }
  t.equal(waits.length, 8)
})

t.test(
  'temporary failures are reported and followed by pauses, at least as long as the service asks',
  async (t) => {
    const faults = [
      new TypeError('fetch failed'),
      refusal(503, 120),
      refusal(429),
      new SyntaxError('<'),
      refusal(500),
    ]
    const model = changesModel()
    const { waits, failures } = await runFor(
      7,
      (time) => {
        const fault = faults[time - 1]
        if (fault !== undefined) model.faults.push(fault)
        else model.do(put(1))
      },
      model,
    )
    t.same(failures, faults)
    t.equal(waits.length, 5, 'the answer with a change is followed at once')
    t.ok((waits[1] ?? 0) >= 120, `${waits}`)
    t.ok((waits[4] ?? 0) >= 16, `${waits}`)
  },
)

t.test('A9: a refusal ends the run with its error, and so does a store that fails', async (t) => {
  for (const status of [400, 401, 403, 404]) {
    const model = changesModel()
    model.faults.push(refusal(status))
    await t.rejects(
      runFor(5, () => {}, model),
      { name: 'ApiError' },
    )
    t.equal(model.asked.length, 1)
  }
  const store = { ...memoryStore(), apply: () => Promise.reject(new Error('the disk is full')) }
  const { copy } = copyOf(changesModel(), { store })
  await t.rejects(copy.run({ signal: new AbortController().signal }), { message: 'the disk is full' })
})

t.test('a signal ends a run while it asks or pauses, and an update with its reason', async (t) => {
  const controller = new AbortController()
  const hanging = (_: string, { signal }: { signal: AbortSignal }) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
      queueMicrotask(() => controller.abort(new Error('closed')))
    })
  const model = changesModel()
  const { copy } = copyOf(model, { client: { get: hanging as never } })
  await copy.run({ signal: controller.signal })
  await t.rejects(copy.update({ signal: controller.signal }), { message: 'closed' })
  await copyOf(model).copy.run({ signal: controller.signal })
  t.equal(model.asked.length, 0)
})

t.test('a subscriber that throws harms neither the copy nor the others', async (t) => {
  const thrown: Array<() => void> = []
  const own = globalThis.queueMicrotask
  globalThis.queueMicrotask = (report) => thrown.push(report)
  t.teardown(() => {
    globalThis.queueMicrotask = own
  })
  const model = changesModel()
  const { copy } = copyOf(model)
  let heard = 0
  copy.subscribe(() => {
    throw new Error('of the app')
  })
  copy.subscribe(() => {
    heard += 1
  })
  model.do(put(1))
  await copy.update()
  t.same([heard, thrown.length, (await copy.list('library')).length], [1, 1, 1])
  t.throws(() => thrown[0]?.(), { message: 'of the app' })
})
