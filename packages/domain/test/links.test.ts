import { setImmediate as turn } from 'node:timers/promises'
import { linked, stored } from '@almoner/domain/media'
import { done, sampleFeedItem, sampleId, sampleImage, sampleLibraryItem } from '@almoner/testkit/contracts'
import { memoryLinkChecker, memoryPorts, setClock } from '@almoner/testkit/memory'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import * as domain from './fixtures/domain.ts'
import { manager, user } from './fixtures/fixture.ts'

const { findingAfter, instant, UTC } = domain

const DAY = 86_400_000
const NOON = Date.UTC(2026, 4, 1, 12)

const LINK: domain.ItemLink = {
  ...{ contentType: 'library', itemId: sampleId(1), field: 'link' },
  url: 'https://example.org/' as domain.WebUrl,
}

/** Returns the verdict on a link after these answers, each with the moment at which it came. */
const after = (
  answers: ReadonlyArray<readonly [domain.LinkAnswer, number]>,
  timeZone = UTC,
): domain.LinkVerdict | undefined =>
  answers.reduce<domain.LinkFinding | undefined>(
    (before, [answer, at]) => findingAfter(before, LINK, answer, { at: instant(at), timeZone }),
    undefined,
  )?.verdict

t.test(
  'C17: only 404, 410, no such name and a refused connection make a link dead, on two days',
  async (t) => {
    for (const answer of ['404', '410', 'no-name', 'refused'] as const) {
      t.equal(after([[answer, NOON]]), 'unknown', `${answer} once`)
      t.equal(
        after([
          [answer, NOON],
          [answer, NOON + DAY],
        ]),
        'dead',
        `${answer} twice`,
      )
      t.equal(
        after([
          [answer, NOON],
          [answer, NOON + 1000],
        ]),
        'unknown',
        `${answer} twice on a day`,
      )
    }
    for (const answer of [
      '401',
      '403',
      '429',
      '500',
      '503',
      '304',
      'unresolved',
      'unreachable',
      'silent',
    ] as const)
      t.equal(
        after([
          [answer, NOON],
          [answer, NOON + DAY],
          [answer, NOON + 2 * DAY],
        ]),
        'unknown',
        answer,
      )
    for (const answer of ['200', '204', '206'] as const) t.equal(after([[answer, NOON]]), 'alive', answer)
  },
)

t.test('C17: a link that flaps is not dead, and an answer that says nothing changes nothing', async (t) => {
  t.equal(
    after([
      ['404', NOON],
      ['200', NOON + DAY],
      ['404', NOON + 2 * DAY],
    ]),
    'unknown',
  )
  t.equal(
    after([
      ['404', NOON],
      ['410', NOON + DAY],
    ]),
    'unknown',
    'another answer',
  )
  t.equal(
    after([
      ['404', NOON],
      ['503', NOON + DAY],
    ]),
    'unknown',
  )
  t.equal(
    after([
      ['404', NOON],
      ['503', NOON + DAY],
      ['404', NOON + 2 * DAY],
    ]),
    'dead',
  )
})

t.test('C17, B8: days are those of the time zone of the service', async (t) => {
  const answers = [
    ['404', NOON],
    ['404', NOON + DAY / 2],
  ] as const
  t.equal(after(answers), 'dead')
  t.equal(after(answers, 'Pacific/Honolulu' as domain.TimeZone), 'unknown')
})

t.test('C17, I9: what a clock that was ahead noted is no earlier day', async (t) => {
  t.equal(
    after([
      ['404', NOON + 9 * DAY],
      ['404', NOON],
    ]),
    'unknown',
  )
  t.equal(
    after([
      ['404', NOON + 9 * DAY],
      ['404', NOON],
      ['404', NOON + DAY],
    ]),
    'dead',
  )
})

t.test('C17: another address in a field is another link', async (t) => {
  const first = findingAfter(undefined, LINK, '404', { at: instant(NOON), timeZone: UTC })
  const other = { ...LINK, url: 'https://example.org/new' as domain.WebUrl }
  t.equal(findingAfter(first, other, '404', { at: instant(NOON + DAY), timeZone: UTC }).verdict, 'unknown')
})

const ANSWERS = ['404', '410', 'no-name', 'refused', '200', '403', '503', 'silent'] as const

t.test('C17: a dead link gave the same answer on an earlier day, and no success since', async () => {
  const history = fc.array(fc.tuple(fc.constantFrom(...ANSWERS), fc.integer({ min: 1, max: 3 * DAY })), {
    minLength: 1,
    maxLength: 12,
  })
  fc.assert(
    fc.property(history, (steps) => {
      let at = NOON
      const answers = steps.map(([answer, wait]): readonly [domain.LinkAnswer, number] => {
        at += wait
        return [answer, at]
      })
      const [last, moment] = answers.at(-1) ?? ['200', 0]
      const alive = answers.findLastIndex(([answer]) => answer === '200')
      const day = (one: number) => Math.floor(one / DAY)
      // Answers that say nothing count for nothing, and another one that makes it dead begins again.
      const said = answers.slice(alive + 1).filter(([answer]) => ANSWERS.indexOf(answer as never) < 4)
      const others = said.findLastIndex(([answer]) => answer !== last)
      const isDead =
        ANSWERS.indexOf(last as never) < 4 &&
        said.slice(others + 1).some(([, when]) => day(when) < day(moment))
      const verdict = after(answers)
      return (verdict === 'dead') === isDead && (verdict === 'alive') === (last === '200')
    }),
  )
})

const contacts = fc.oneof(
  fc.record({
    kind: fc.constant('answered' as const),
    status: fc.constantFrom(200, 204, 301, 302, 303, 307, 308, 400, 401, 403, 404, 405, 429, 500, 501, 503),
    location: fc.constantFrom(
      undefined,
      'https://example.org/a',
      'http://b.example/',
      'ftp://c.example/',
      'x',
    ),
  }),
  fc.record({ kind: fc.constant('failed' as const), fault: fc.constantFrom(...domain.LINK_FAULTS) }),
)

t.test(
  'C17: a link has its answer after seven requests at most, five of them redirects, the first ones HEAD',
  async () => {
    fc.assert(
      fc.property(fc.array(contacts, { minLength: 8, maxLength: 8 }), (given) => {
        const steps = [domain.firstStep('https://example.org/' as domain.WebUrl)]
        const answer = given.reduce<domain.LinkAnswer | undefined>((known, contact) => {
          const step = steps.at(-1)
          if (known !== undefined || step === undefined) return known
          const next = domain.afterContact(step, contact)
          if (E.isRight(next)) steps.push(next.right)
          return E.isLeft(next) ? next.left : undefined
        }, undefined)
        const isInOrder = steps.every(
          ({ method, redirects }, n) =>
            redirects <= 5 && (method === 'GET' || steps[n - 1]?.method !== 'GET'),
        )
        return answer !== undefined && domain.isLinkAnswer(answer) && steps.length <= 7 && isInOrder
      }),
    )
  },
)

t.test('C17: GET follows where HEAD is refused, and nothing else asks twice', async (t) => {
  const first = domain.firstStep('https://example.org/' as domain.WebUrl)
  const nextOf = (status: number, step = first) =>
    domain.afterContact(step, { kind: 'answered', status, location: undefined })
  for (const status of [400, 403, 404, 405, 501])
    t.strictSame(nextOf(status), E.right({ ...first, method: 'GET' }), String(status))
  for (const status of [200, 304, 429, 500, 503]) t.strictSame(nextOf(status), E.left(String(status)))
  t.strictSame(nextOf(404, { ...first, method: 'GET' }), E.left('404'))
  t.strictSame(nextOf(301), E.left('redirects'), 'a redirect to nowhere')
})

t.test(
  'C17: a round counts for none if more than half of its hosts failed by name or connection',
  async (t) => {
    const cases = [
      [0, 0, false],
      [1, 0, false],
      [1, 1, true],
      [2, 1, false],
      [3, 2, true],
      [10, 5, false],
    ] as const
    for (const [hosts, unreached, isVoid] of cases) t.equal(domain.isVoid({ hosts, unreached }), isVoid)
    t.strictSame(
      (['no-name', 'unresolved', 'refused', 'unreachable', 'silent', 'certificate', '404'] as const).map(
        domain.isReached,
      ),
      [false, false, false, false, true, true, true],
    )
  },
)

t.test(
  'C17: links, video links and images elsewhere of Live items are links; images of ours are none',
  async (t) => {
    const images = {
      cover: O.some(stored(sampleImage(1).name)),
      notification: O.some(linked('https://images.example/1.png' as domain.WebUrl)),
    }
    const publication = { ...sampleLibraryItem(1), status: 'Live', images } as domain.LibraryItem
    const fieldsOf = (item: domain.LibraryItem | domain.FeedItem) =>
      domain.webLinksOf(item).map(({ field, url }) => [field, url])
    t.strictSame(fieldsOf(publication), [
      ['link', publication.link],
      ['notificationImgUrl', 'https://images.example/1.png'],
    ])
    const [link, vlink] = [
      'https://a.example/',
      'https://b.example/',
    ] as unknown as ReadonlyArray<domain.WebUrl>
    const post = {
      ...sampleFeedItem(2),
      status: 'Live',
      content: {
        kind: 'photo',
        link: O.fromNullable(link),
        vlink: O.fromNullable(vlink),
        image: O.some(sampleImage(1).name),
      },
    } as domain.FeedItem
    t.strictSame(fieldsOf(post), [
      ['link', link],
      ['vlink', vlink],
    ])
    for (const status of ['Draft', 'Archived'] as const)
      t.strictSame(fieldsOf({ ...publication, status } as domain.LibraryItem), [])
  },
)

const LIVE = {
  cover: O.some(linked('https://images.example/cover.png' as domain.WebUrl)),
  notification: O.some(linked('https://images.example/cover.png' as domain.WebUrl)),
}

/** A service in memory with Live publications, and an internet with scripted answers. */
const startFixture = async (urls: ReadonlyArray<string>) => {
  const clock = setClock(NOON)
  const asked: Array<{ readonly url: string; readonly method: string; readonly at: number }> = []
  const answers = new Map<string, (method: string) => domain.Contact>()
  const ports = memoryPorts({
    clock,
    // A request whose turn has come is sent before time passes.
    timer: {
      wait: (milliseconds) => async () => {
        await turn()
        clock.advance(milliseconds)
      },
    },
    linkChecker: memoryLinkChecker(({ url, method }) => {
      asked.push({ url, method, at: clock.now() })
      return answers.get(url)?.(method) ?? { kind: 'answered', status: 200 }
    }),
  })
  for (const [n, url] of urls.entries()) {
    const item = sampleLibraryItem(n)
    await done(ports.libraryItems.add({ item, linksToImages: [] }))
    await done(
      ports.libraryItems.change(item.id, (current) =>
        E.right({
          item: {
            ...current,
            status: 'Live',
            images: LIVE,
            link: url as domain.WebUrl,
          } as domain.LibraryItem,
          ...{ storesImages: [], displaysImages: [], linksToImages: [] },
        }),
      ),
    )
  }
  const run = domain.makeCheckLinks(ports, { timeZone: UTC })
  const gone = (...links: ReadonlyArray<string>) => {
    for (const url of links) answers.set(url, () => ({ kind: 'answered', status: 404 }))
  }
  const dead = async () => (await done(domain.deadLinks(ports))).map(({ finding }) => finding.url)
  return { ports, clock, asked, answers, gone, dead, run: () => done(run()), runWith: run }
}

t.test('C17: a round checks every link of Live items once, and another begins a day later', async (t) => {
  const urls = Array.from({ length: 60 }, (_, n) => `https://host-${n}.example/`)
  const { run, asked, clock, ports } = await startFixture(urls)
  await done(ports.feedItems.add({ item: sampleFeedItem(99), linksToImages: [] }))
  t.match(await run(), { links: 180, dead: 0, discarded: 0 })
  t.strictSame(asked.map(({ url }) => url).sort(), [...urls, 'https://images.example/cover.png'].sort())
  t.match(await run(), { links: 0 })
  clock.set(instant(NOON + DAY - 1))
  t.match(await run(), { links: 0 })
  clock.set(instant(NOON + DAY))
  t.match(await run(), { links: 180 })
})

t.test('C17: a host gets one request a second, GET and redirects included, and all hosts four', async (t) => {
  const urls = [
    ...Array.from({ length: 9 }, (_, n) => `https://one.example/${n}`),
    ...Array.from({ length: 9 }, (_, n) => `https://host-${n}.example/`),
  ]
  const { run, asked, answers } = await startFixture(urls)
  answers.set('https://one.example/1', () => ({ kind: 'answered', status: 404 }))
  answers.set('https://host-1.example/', () => ({
    ...{ kind: 'answered', status: 302, location: 'https://one.example/moved' },
  }))
  await run()
  const gaps = (times: ReadonlyArray<number>) => times.slice(1).map((at, n) => at - (times[n] ?? 0))
  const one = asked.filter(({ url }) => url.startsWith('https://one.example/')).map(({ at }) => at)
  t.equal(one.length, 11)
  t.ok(gaps(one).every((gap) => gap >= 1000))
  t.ok(gaps(asked.map(({ at }) => at)).every((gap) => gap >= 250))
})

t.test('C17: a link has ten seconds for all its requests', async (t) => {
  const { run, asked, answers, clock, ports } = await startFixture(['https://slow.example/'])
  answers.set('https://slow.example/', () => {
    clock.advance(6000)
    return { kind: 'answered', status: 302, location: 'https://slow.example/' }
  })
  await run()
  t.equal(asked.filter(({ url }) => url.includes('slow')).length, 2)
  const found = await done(ports.linkFindings.ofItems([sampleId(0)]))
  t.match(
    found.find(({ field }) => field === 'link'),
    { answer: 'silent', verdict: 'unknown' },
  )
})

t.test('C17: dead links are listed after two rounds, until link or state changes', async (t) => {
  const fixture = await startFixture(['https://a.example/', 'https://b.example/', 'https://c.example/'])
  const { run, gone, dead, clock, ports } = fixture
  gone('https://a.example/', 'https://b.example/')
  await run()
  t.strictSame(await dead(), [])
  clock.advance(DAY)
  t.match(await run(), { dead: 2 })
  t.strictSame(await dead(), ['https://a.example/', 'https://b.example/'])
  const change = (n: number, over: object) =>
    done(
      ports.libraryItems.change(sampleId(n), (item) =>
        E.right({
          item: { ...item, ...over } as domain.LibraryItem,
          ...{ storesImages: [], displaysImages: [], linksToImages: [] },
        }),
      ),
    )
  await change(0, { link: 'https://new.example/' })
  t.strictSame(await dead(), ['https://b.example/'])
  await change(1, { status: 'Archived' })
  t.strictSame(await dead(), [])
  await change(1, { status: 'Live' })
  clock.advance(7 * DAY + 1)
  t.strictSame(await dead(), [], 'a finding that is older than a week')
})

t.test('C17: content managers alone list dead links', async (t) => {
  const { ports } = await startFixture([])
  const list = domain.makeListDeadLinks(ports)
  t.match(await list(user, {})(), { left: { _tag: 'InsufficientScope' } })
  t.match(await list(manager, {})(), { right: [] })
})

t.test('C17: a round that counts for none leaves what was found before', async (t) => {
  const urls = ['https://a.example/', 'https://b.example/', 'https://c.example/', 'https://d.example/']
  const { run, gone, dead, answers, clock, ports } = await startFixture(urls)
  gone('https://a.example/')
  await run()
  clock.advance(DAY)
  await run()
  t.strictSame(await dead(), ['https://a.example/'])
  for (const url of [...urls, 'https://images.example/cover.png'])
    answers.set(url, () => ({ kind: 'failed', fault: 'no-name' }))
  for (const _ of [1, 2]) {
    clock.advance(DAY)
    t.match(await run(), { discarded: 1 })
    t.strictSame(await dead(), ['https://a.example/'])
  }
  t.match(await done(ports.linkFindings.rounds()), {
    shown: 2,
    number: 4,
    ended: { value: { hosts: 5, unreached: 5 } },
  })
})

t.test('C17: a round that was stopped goes on where it was, in this process or another', async (t) => {
  const urls = Array.from({ length: 60 }, (_, n) => `https://host-${n}.example/`)
  const { runWith, run, asked, ports, clock, answers } = await startFixture(urls)
  const signal = { aborted: false }
  answers.set('https://host-10.example/', () => {
    signal.aborted = true
    return { kind: 'answered', status: 404 }
  })
  const stopped = await done(runWith({ signal }))
  t.ok(stopped.links > 0 && stopped.links < 180)
  const before = asked.length
  answers.delete('https://host-10.example/')
  const other = domain.makeCheckLinks(ports, { timeZone: UTC })
  const rest = await done(other())
  t.equal(stopped.links + rest.links, 180)
  t.ok(asked.length - before < 61, 'what was checked is not checked again')
  t.match(await done(ports.linkFindings.rounds()), { number: 1, shown: 1, heldUntil: O.none })
  clock.advance(DAY)
  t.match(await run(), { links: 180, dead: 0 })
})

t.test(
  'C17, I9: one process at a time checks; a dead one is followed after its lease by both clocks',
  async (t) => {
    const { ports, clock, run } = await startFixture(['https://a.example/'])
    const taken = domain.roundTaken(domain.NO_ROUNDS, clock.now(), 'library')
    await done(ports.linkFindings.advance(taken, []))
    t.match(await run(), { links: 0 }, 'another process holds the round')
    clock.set(instant(NOON + domain.LINK_LEASE + 1))
    t.match(await run(), { links: 0 }, 'its end has come by a clock that can be set')
    clock.set(instant(NOON))
    clock.advance(domain.LINK_LEASE - 1)
    t.match(await run(), { links: 0 })
    clock.advance(1)
    t.match(await run(), { links: 3, discarded: 0 })
  },
)

t.test('C17: of two processes that begin at once, one checks', async (t) => {
  const { ports, asked } = await startFixture(['https://a.example/', 'https://b.example/'])
  const both = [1, 2].map(() => done(domain.makeCheckLinks(ports, { timeZone: UTC })()))
  const links = (await Promise.all(both)).map((one) => one.links).sort()
  t.strictSame(links, [0, 6])
  t.equal(asked.length, 3)
})

t.test('C17: all links are listed with what they answered last', async (t) => {
  const { run, ports } = await startFixture(['https://a.example/', 'https://b.example/'])
  await run()
  const all = await domain.collect(await done(domain.makeListCheckedLinks(ports)()))
  t.strictSame(
    all.map(({ item, finding }) => [item.id, finding.field, finding.answer]),
    [0, 1].flatMap((n) =>
      ['coverImgUrl', 'link', 'notificationImgUrl'].map((field) => [sampleId(n), field, '200']),
    ),
  )
})

t.test('C17: links are counted once a round and day, a week old at most', async (t) => {
  const { run, ports, clock } = await startFixture(['https://a.example/'])
  const counts = t.captureFn(ports.linkFindings.counts)
  const count = domain.linkCounter({ clock, linkFindings: { ...ports.linkFindings, counts } })
  await run()
  for (const _ of [1, 2]) t.strictSame(await done(count()), { alive: 3, unknown: 0, dead: 0 })
  t.equal(counts.calls.length, 1)
  clock.advance(8 * DAY)
  t.strictSame(await done(count()), { alive: 0, unknown: 0, dead: 0 })
})
