import type { FeedItem } from '@almoner/domain'
import { type LinkFinding, NO_ROUNDS } from '@almoner/domain/content'
import { instant, type WebUrl } from '@almoner/domain/values'
import { done, sampleFeedItem } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { linkCheckOf } from '../../src/config/definitions.ts'
import { readSettings } from '../../src/config/read.ts'
import { makeCurrent, onStore } from '../support/database.ts'
import { inFolder } from '../support/in-process.ts'

t.test('C17: check links lists what links of Live items answered last, as a table or as JSON', async (t) => {
  const folder = t.testdir()
  await makeCurrent(folder)
  const check = (...args: ReadonlyArray<string>) => inFolder(folder, ['check', 'links', ...args])
  t.match(await check('--json'), { code: 0, out: '[]\n', err: '' })
  const item = sampleFeedItem(1)
  const at = instant(Date.now())
  const finding: LinkFinding = {
    ...{ contentType: 'feed', itemId: item.id, field: 'link', url: 'https://example.org/1' as WebUrl },
    ...{ answer: '403', at, verdict: 'unknown', gone: O.none },
  }
  await onStore(folder, async ({ feedItems, linkFindings }) => {
    await done(feedItems.add({ item, linksToImages: [] }))
    const write = { storesImages: [], displaysImages: [], linksToImages: [] }
    const publish = (current: FeedItem) =>
      E.right({ ...write, item: { ...current, status: 'Live' } as FeedItem })
    await done(feedItems.change(item.id, publish))
    await done(linkFindings.advance({ ...NO_ROUNDS, step: 1, number: 1, shown: 1 }, [finding]))
  })
  const { gone: _, ...rest } = finding
  t.same(JSON.parse((await check('--json')).out), [{ ...rest, at: new Date(at).toISOString() }])
  const lines = (await check()).out.trimEnd().split('\n')
  t.strictSame(
    lines.map((line) => line.trim().split(/ {2,}/)),
    [
      ['ITEM', 'VERDICT', 'ANSWER', 'CHECKED', 'FIELD', 'LINK'],
      [item.id, 'unknown', '403', new Date(at).toISOString(), 'link', finding.url],
    ],
  )
})

t.test(
  'C17: links are checked where the console is on, and through a proxy only where one is set',
  async (t) => {
    const way = (variables: Readonly<Record<string, string>>) =>
      E.match(
        (faults: ReadonlyArray<string>) => faults.join(),
        (settings: Parameters<typeof linkCheckOf>[0]) => linkCheckOf(settings) as string,
      )(readSettings(variables))
    t.equal(way({}), 'on')
    t.equal(way({ ALMONER_CONSOLE: 'off' }), 'off')
    t.equal(way({ ALMONER_CONSOLE: 'off', ALMONER_LINK_CHECK: 'on' }), 'on')
    t.equal(way({ ALMONER_LINK_CHECK: 'off' }), 'off')
    t.match(way({ ALMONER_LINK_CHECK: 'proxy' }), /^ALMONER_LINK_CHECK is proxy: set HTTPS_PROXY/)
    t.equal(way({ ALMONER_LINK_CHECK: 'proxy', HTTPS_PROXY: 'http://127.0.0.1:3128' }), 'proxy')
    t.match(way({ ALMONER_LINK_CHECK: 'never' }), /^ALMONER_LINK_CHECK must be one of on, proxy, off/)
  },
)
