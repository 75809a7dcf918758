import { mock } from 'node:test'
import { DatabaseUnavailable } from '@almoner/adapters-kysely'
import fc from 'fast-check'
import t from 'tap'
import type { Connection } from '../src/connect.ts'
import { DatabaseFull } from '../src/fault.ts'
import { type Acquired, makePool, type Pool, type Use } from '../src/pool.ts'

// I10: too few connections mean waiting for one, and streams leave one for requests.

/** A server that allows a number of connections, and counts. */
const makeServer = (limit: number) => {
  const open = new Set<Connection>()
  const server = { limit, refused: 0, isDown: false, open }
  const connect = async (): Promise<Connection> => {
    await undefined
    if (server.isDown) throw new DatabaseUnavailable('the server is down')
    if (open.size >= server.limit) {
      server.refused += 1
      throw new DatabaseFull('too many connections')
    }
    let broken = false
    const end = () => {
      broken = true
      open.delete(connection)
    }
    const connection = { isBroken: () => broken, end } as Connection
    open.add(connection)
    return connection
  }
  return { server, connect }
}

/** Lets all that can happen without time passing happen. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

/** One piece of work, which holds its connection until it is ended. */
const begin = (pool: Pool, use: Use) => {
  const work = { use, state: 'waiting' as 'waiting' | 'running' | 'refused', end: () => {}, hang: () => {} }
  void pool.acquire(use).then(
    ({ connection, release }: Acquired) => {
      work.state = 'running'
      work.end = release
      work.hang = connection.end
    },
    () => {
      work.state = 'refused'
    },
  )
  return work
}

type Work = ReturnType<typeof begin>

const SIZE = { requests: 3, streams: 3 }

const withFakeTime = async (body: () => Promise<void>): Promise<void> => {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  try {
    await body()
  } finally {
    mock.timers.reset()
  }
}

const running = (works: ReadonlyArray<Work>, ...uses: ReadonlyArray<Use>) =>
  works.filter(({ state, use }) => state === 'running' && uses.includes(use))

/** A pool on a server, and all work that was begun and not ended. */
const makeScene = (limit: number) => {
  const { server, connect } = makeServer(limit)
  const pool = makePool(connect, SIZE, () => {})
  const works: Array<Work> = []
  const end = (work: Work | undefined, isBroken = false) => {
    if (work === undefined) return
    works.splice(works.indexOf(work), 1)
    if (isBroken) work.hang()
    work.end()
  }
  const any = (n: number) => {
    const held = running(works, 'request', 'stream', 'count')
    return held[n % Math.max(1, held.length)]
  }
  return { server, pool, works, end, any }
}

type Scene = ReturnType<typeof makeScene>

type Act = (scene: Scene) => unknown

const beginning = fc.constantFrom<Use>('request', 'stream', 'count').map(
  (use): Act =>
    ({ works, pool }) =>
      works.push(begin(pool, use)),
)

const ending = (isBroken: fc.Arbitrary<boolean>) =>
  fc.tuple(fc.nat(20), isBroken).map(
    ([n, broken]): Act =>
      ({ end, any }) =>
        end(any(n), broken),
  )

const second = fc.constant<Act>(() => mock.timers.tick(1000))

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: beginning },
  { weight: 4, arbitrary: ending(fc.integer({ min: 0, max: 4 }).map((luck) => luck === 0)) },
  fc.constant<Act>(({ pool }) => pool.renew()),
  second,
  // Connections that others take away from under streams cannot be had back.
  fc.integer({ min: 2, max: 8 }).map(
    (limit): Act =>
      ({ server, works }) => {
        if (limit > server.limit || works.length === 0) server.limit = limit
      },
  ),
)

/** Another process takes each place that is free or given back. */
const takeFree: Act = ({ server }) => {
  if (server.open.size >= 2) server.limit = server.open.size
}

const actBesideAnother: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: beginning },
  { weight: 4, arbitrary: ending(fc.constant(false)) },
  { weight: 3, arbitrary: second },
  fc.constant(takeFree),
)

const check = ({ works }: Scene) => {
  const longs = running(works, 'stream', 'count').length
  if (running(works, 'stream').length > SIZE.streams) throw new Error('too many streams')
  if (longs >= SIZE.requests + SIZE.streams) throw new Error('nothing is left for requests')
  if (works.some(({ state }) => state === 'refused')) throw new Error('work was refused')
}

/** While all streams go on, requests get through within the time that they may wait. */
const checkRequests = async (scene: Scene, beside: Act): Promise<void> => {
  const { works, end } = scene
  for (let n = 0; n < 95; n += 1) {
    beside(scene)
    for (const work of running(works, 'request')) end(work)
    mock.timers.tick(100)
    await settle()
  }
  const left = works.filter(({ use, state }) => use === 'request' && state !== 'running')
  if (left.length > 0) throw new Error(`${left.length} requests wait`)
}

for (const [name, any, beside] of [
  ['', act, () => {}],
  [', while another process takes what is given back', actBesideAnother, takeFree],
] as const)
  t.test(`I10: work in any order gets connections, and streams leave one for requests${name}`, async (t) => {
    const acts = fc.array(any, { minLength: 5, maxLength: 60 })
    const property = fc.asyncProperty(fc.integer({ min: 2, max: 8 }), acts, (limit, list) =>
      withFakeTime(async () => {
        const scene = makeScene(limit)
        for (const each of list) {
          each(scene)
          await settle()
          check(scene)
        }
        await checkRequests(scene, beside)
      }),
    )
    await t.resolves(fc.assert(property, { numRuns: 300 }))
  })

t.test('I10: twenty requests at once on four connections are all served', async (t) => {
  await withFakeTime(async () => {
    const { server, connect } = makeServer(4)
    const pool = makePool(connect, { requests: 8, streams: 8 }, () => {})
    let served = 0
    const requests = Array.from({ length: 200 }, async () => {
      const { release } = await pool.acquire()
      await settle()
      served += 1
      release()
    })
    await Promise.all(requests)
    t.equal(served, 200)
    t.ok(server.refused < 20, `${server.refused} connections were refused`)
    await pool.close()
    t.equal(server.open.size, 0)
  })
})

t.test('I10: a full server gets a third connection back, so that another process can start', async (t) => {
  for (const [limit, left] of [
    [2, 2],
    [3, 2],
    [5, 4],
  ] as const)
    await withFakeTime(async () => {
      const { server, connect } = makeServer(limit)
      const pool = makePool(connect, { requests: 8, streams: 8 }, () => {})
      const works = Array.from({ length: 9 }, () => begin(pool, 'request'))
      await settle()
      t.equal(server.open.size, limit)
      for (const work of running(works, 'request')) work.end()
      await settle()
      t.equal(server.open.size, left, `of ${limit}`)
    })
})

t.test('I10: after a renewal no connection is used that began before', async (t) => {
  const { server, connect } = makeServer(9)
  const pool = makePool(connect, SIZE, () => {})
  const works = [begin(pool, 'request')]
  await settle()
  works.push(begin(pool, 'request'))
  pool.renew()
  await settle()
  const [before] = server.open
  for (const work of works) work.end()
  const { connection } = await pool.acquire()
  t.not(connection, before)
  t.strictSame([...server.open], [connection])
})

t.test('I10: a pool grows again within a second after the server allows more connections', async (t) => {
  await withFakeTime(async () => {
    const { server, connect } = makeServer(3)
    const pool = makePool(connect, { requests: 8, streams: 8 }, () => {})
    const works = Array.from({ length: 6 }, () => begin(pool, 'request'))
    await settle()
    server.limit = 6
    mock.timers.tick(1000)
    for (let n = 0; n < 6; n += 1) await settle()
    t.equal(running(works, 'request').length, 6)
  })
})

t.test('I10: work waits for ten seconds, a thousand requests and 64 streams at a time', async (t) => {
  await withFakeTime(async () => {
    const { connect } = makeServer(2)
    const pool = makePool(connect, { requests: 1, streams: 1 }, () => {})
    const held = [begin(pool, 'request'), begin(pool, 'request')]
    await settle()
    t.equal(running(held, 'request').length, 2)
    const streams = Array.from({ length: 65 }, () => begin(pool, 'stream'))
    const requests = Array.from({ length: 1001 - 64 }, () => begin(pool, 'request'))
    await settle()
    const refused = (works: ReadonlyArray<Work>) => works.filter(({ state }) => state === 'refused').length
    t.strictSame([refused(streams), refused(requests)], [1, 1])
    mock.timers.tick(9999)
    await settle()
    t.strictSame([refused(streams), refused(requests)], [1, 1])
    mock.timers.tick(1)
    await settle()
    t.strictSame([refused(streams), refused(requests)], [65, 1001 - 64])
  })
})

t.test('a server that refuses all, or is down, is no reason to wait', async (t) => {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  t.teardown(() => mock.timers.reset())
  for (const spoil of [{ limit: 0 }, { isDown: true }]) {
    const { server, connect } = makeServer(4)
    Object.assign(server, spoil)
    const pool = makePool(connect, SIZE, () => {})
    const refused = await Promise.allSettled(Array.from({ length: 9 }, () => pool.acquire()))
    t.ok(
      refused.every(({ status }) => status === 'rejected'),
      JSON.stringify(spoil),
    )
    Object.assign(server, { limit: 4, isDown: false })
    const { release } = await pool.acquire()
    release()
    await pool.close()
  }
})
