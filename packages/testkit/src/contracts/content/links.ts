import type { Contact, LinkFinding, LinkRounds, LinkVerdict } from '@almoner/domain/content'
import { NO_ROUNDS } from '@almoner/domain/content'
import type { LinkChecker, LinkRequest } from '@almoner/domain/ports'
import { NEVER_STOPPED } from '@almoner/domain/ports'
import type { WebUrl } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { type ContractRunner, onEach, type UnderTest } from '../runner.ts'
import { done, SAMPLE_MOMENT, sampleId, sampleMoment } from '../samples.ts'

/** What the server of these tests answers to a request, by its path. */
export const sampleAnswer = (method: string, path: string): Contact & { readonly kind: 'answered' } => {
  if (path === '/only-get') return { kind: 'answered', status: method === 'GET' ? 200 : 405 }
  if (path === '/moved') return { kind: 'answered', status: 302, location: 'gone?to=%C3%A9' }
  return { kind: 'answered', status: path === '/gone' ? 404 : 200 }
}

/** A checker of links for one test. */
export interface LinkCheckerUnderTest {
  readonly linkChecker: LinkChecker
  /** The origin of a server that answers as {@link sampleAnswer}; redirects are relative there. */
  readonly origin: string
  /** An origin that refuses connections. */
  readonly refusing: string
  /** Releases what the test has used. */
  readonly close: () => Promise<void>
}

/** Contract tests of `LinkChecker`. */
export const linkCheckerContract = (
  runner: ContractRunner,
  make: () => Promise<LinkCheckerUnderTest>,
): void => {
  const given: (
    name: string,
    body: (check: Parameters<Parameters<ContractRunner>[1]>[0], made: LinkCheckerUnderTest) => Promise<void>,
  ) => void = onEach(runner, make)
  const request = (url: string, method: LinkRequest['method'] = 'HEAD'): LinkRequest => ({
    ...{ url: url as WebUrl, method, within: 10_000, signal: NEVER_STOPPED },
  })

  given(
    'C17: a checker returns the status of an address, asked by the method that is given',
    async (check, made) => {
      const { linkChecker, origin } = made
      const statusOf = async (path: string, method?: LinkRequest['method']) => {
        const contact = await linkChecker.contact(request(`${origin}${path}`, method))()
        return contact.kind === 'answered' ? contact.status : contact.fault
      }
      check.same(await statusOf('/there'), 200)
      check.same(await statusOf('/gone'), 404)
      check.same(await statusOf('/only-get'), 405)
      check.same(await statusOf('/only-get', 'GET'), 200)
    },
  )

  given('C17: a redirect is returned with an absolute address, and not followed', async (check, made) => {
    const { linkChecker, origin } = made
    const contact = await linkChecker.contact(request(`${origin}/moved`))()
    check.same(contact, { kind: 'answered', status: 302, location: `${origin}/gone?to=%C3%A9` })
  })

  given('C17: a refused connection is a contact, too', async (check, { linkChecker, refusing }) => {
    const contact = await linkChecker.contact(request(`${refusing}/there`))()
    check.same(contact, { kind: 'failed', fault: 'refused' })
  })
}

/** A store for one test. */
export type LinkFindingsUnderTest = UnderTest<'linkFindings'>

const finding = (n: number, over: Partial<LinkFinding> = {}): LinkFinding => ({
  contentType: 'library',
  itemId: sampleId(n),
  field: 'link',
  url: `https://host-${n}.example/?q=é` as WebUrl,
  answer: '200',
  at: sampleMoment(n),
  verdict: 'alive',
  gone: O.none,
  ...over,
})

const DEAD: Partial<LinkFinding> = {
  answer: '404',
  verdict: 'dead',
  gone: O.some({ answer: '404', since: SAMPLE_MOMENT }),
}

/** Contract tests of `LinkFindings`. */
export const linkFindingsContract = (
  runner: ContractRunner,
  make: () => Promise<LinkFindingsUnderTest>,
): void => {
  const given = onEach(runner, make, ({ linkFindings }) => {
    let rounds: LinkRounds = NO_ROUNDS
    const advance = async (change: Partial<LinkRounds>, found: ReadonlyArray<LinkFinding> = []) => {
      rounds = { ...rounds, step: rounds.step + 1, ...change }
      return done(linkFindings.advance(rounds, found))
    }
    /** Runs a round, whose findings are shown. */
    const show = async (number: number, found: ReadonlyArray<LinkFinding>) => {
      await advance({ number, position: O.some('feed') }, found)
      await advance({ position: O.none, shown: number })
    }
    const page = (verdict?: LinkVerdict, after?: LinkFinding, most = 100) =>
      done(linkFindings.page({ verdict: O.fromNullable(verdict), after: O.fromNullable(after), most }))
    return { linkFindings, advance, show, page }
  })

  given(
    'C17: the rounds are stored, and only who knows their latest state replaces them',
    async (check, at) => {
      const { linkFindings } = at
      check.same(await done(linkFindings.rounds()), NO_ROUNDS)
      const first: LinkRounds = {
        step: 1,
        number: 7,
        begunAt: O.some(SAMPLE_MOMENT),
        position: O.some('library 2026-01-01~é'),
        heldUntil: O.some(sampleMoment(600)),
        shown: 6,
        ended: O.some({ at: sampleMoment(-9), hosts: 5, unreached: 3 }),
      }
      const attempts = [first, { ...first, number: 8 }].map((next) =>
        linkFindings.advance(next, [finding(1)])(),
      )
      const moved = await Promise.all(attempts)
      check.same(
        moved.map((one) => one._tag === 'Right' && one.right).sort(),
        [false, true],
        'one of two at once',
      )
      const stored = await done(linkFindings.rounds())
      check.same(stored, { ...first, number: stored.number })
      check.same(await done(linkFindings.advance({ ...first, step: 1 }, [])), false)
      check.same(await done(linkFindings.advance({ ...first, step: 3 }, [])), false)
      check.same(await done(linkFindings.rounds()), stored)
      check.same(await done(linkFindings.advance({ ...NO_ROUNDS, step: 2 }, [])), true)
      check.same(await done(linkFindings.rounds()), { ...NO_ROUNDS, step: 2 })
    },
  )

  given(
    'C17: a writer that comes too late stores no findings',
    async (check, { linkFindings, show, page }) => {
      await show(1, [finding(1)])
      const late = { ...NO_ROUNDS, step: 2, number: 1, shown: 1 }
      check.same(await done(linkFindings.advance(late, [finding(2)])), false)
      check.same(await page(), [finding(1)])
    },
  )

  given(
    'C17: the findings of the round that is shown are returned, of one verdict or all',
    async (check, at) => {
      const { advance, show, page, linkFindings } = at
      check.same(await page(), [])
      const found = [
        finding(2, DEAD),
        finding(1, { field: 'vlink' }),
        finding(1, { ...DEAD, contentType: 'feed' }),
      ]
      await show(1, found)
      await advance({ number: 2, position: O.some('library') }, [
        finding(1, { answer: '410', verdict: 'unknown' }),
      ])
      const [second, third, first] = found
      check.same(await page(), [first, third, second], 'by item and field')
      check.same(await page('dead'), [first, second])
      check.same(await page('unknown'), [])
      check.same(await page(undefined, third), [second])
      check.same(await page('dead', first, 1), [second])
      check.same(await page(undefined, undefined, 2), [first, third])
      const ofItems = await done(linkFindings.ofItems([sampleId(2), sampleId(9), sampleId(2)]))
      check.same(ofItems, [second])
      const ids = Array.from({ length: 150 }, (_, n) => sampleId(n))
      check.same((await done(linkFindings.ofItems(ids))).length, 3)
    },
  )

  given(
    'C17: a field that is checked again in a round has its latest finding',
    async (check, { show, page }) => {
      const again = finding(1, {
        url: 'https://other.example/' as WebUrl,
        answer: 'no-name',
        verdict: 'unknown',
      })
      await show(1, [finding(1, DEAD)])
      await show(2, [finding(1), finding(2)])
      check.same(await page(), [finding(1), finding(2)])
      await show(2, [again])
      check.same(await page(), [again, finding(2)])
    },
  )

  given(
    'C17: the hosts of a round are counted, and the ones of which no link was reached',
    async (check, at) => {
      const { advance, linkFindings } = at
      const on = (host: string, n: number, answer: LinkFinding['answer']) =>
        finding(n, { url: `https://${host}:8443/${n}` as WebUrl, answer })
      await advance({ number: 3, position: O.some('library') }, [
        on('a.example', 1, 'refused'),
        on('a.example', 2, '503'),
        on('b.example', 3, 'no-name'),
        on('b.example', 4, 'unreachable'),
        on('c.example', 5, 'unresolved'),
        on('d.example', 6, 'certificate'),
      ])
      check.same(await done(linkFindings.hosts(3)), { hosts: 4, unreached: 2 })
      check.same(await done(linkFindings.hosts(2)), { hosts: 0, unreached: 0 })
    },
  )

  given(
    'C17: findings of the round that is shown are counted by verdict, from a moment on',
    async (check, at) => {
      const { advance, show, linkFindings } = at
      const counts = (since: number) => done(linkFindings.counts(sampleMoment(since)))
      check.same(await counts(0), { alive: 0, unknown: 0, dead: 0 })
      await show(1, [
        finding(1),
        finding(1, { ...DEAD, field: 'vlink' }),
        finding(2, DEAD),
        finding(3, { answer: '503', verdict: 'unknown' }),
      ])
      await advance({ number: 2, position: O.some('library') }, [finding(4, DEAD)])
      check.same(await counts(0), { alive: 1, unknown: 1, dead: 2 })
      check.same(await counts(2), { alive: 0, unknown: 1, dead: 1 })
      check.same(await counts(4), { alive: 0, unknown: 0, dead: 0 })
    },
  )

  given('C17: findings of rounds that neither run nor are shown are deleted', async (check, at) => {
    const { advance, show, page, linkFindings } = at
    const purgeAll = async () => {
      let total = 0
      for (let gone = await done(linkFindings.purge()); gone > 0; gone = await done(linkFindings.purge()))
        total += gone
      return total
    }
    await show(1, [finding(1), finding(2)])
    await show(2, [finding(1), finding(3)])
    await advance({ number: 3, position: O.some('feed') }, [finding(4)])
    check.same(await purgeAll(), 2)
    check.same((await page()).length, 2)
    check.same(await done(linkFindings.hosts(3)), { hosts: 1, unreached: 0 })
    await advance({ position: O.none })
    check.same(await purgeAll(), 1, 'a round that counts for none')
    check.same(await done(linkFindings.hosts(3)), { hosts: 0, unreached: 0 })
    check.same((await page()).length, 2)
  })
}
