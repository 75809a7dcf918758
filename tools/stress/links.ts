import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import type { FeedItem } from '@almoner/domain'
import { GAP, makeCheckLinks } from '@almoner/domain/content'
import { UTC, type WebUrl } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { MIGRATIONS, makeMigrator, makeStore } from '../../packages/adapters-kysely/src/index.ts'
import { systemClock } from '../../packages/adapters-node/src/index.ts'
import { openLinkChecker } from '../../packages/adapters-push/src/links.ts'
import { openSqlite } from '../../packages/adapters-sqlite/src/index.ts'
import { done, sampleFeedItem } from '../../packages/testkit/src/contracts/index.ts'

// What a round of checks of links costs (C17): CPU time for each link, with the waits left out, as a share of the time that a round takes by its pace.

const { values } = parseArgs({ options: { links: { type: 'string', default: '10000' } } })
const links = Number(values.links)
const folder = mkdtempSync(join(tmpdir(), 'almoner-links-'))
const server = new Worker(
  `const { createServer } = require('node:http'); const { parentPort } = require('node:worker_threads')
  const server = createServer((_, response) => response.end()).listen(0, '127.0.0.1', () => parentPort.postMessage(server.address()))`,
  { eval: true },
)
const [{ port }] = (await once(server, 'message')) as [AddressInfo]
const engine = await done(openSqlite({ file: join(folder, 'almoner.db') }))
await done(makeMigrator(engine, systemClock, MIGRATIONS).migrate())
const store = makeStore(engine)
for (let n = 0; n < links; n += 1) {
  const item = sampleFeedItem(n)
  await done(store.feedItems.add({ item, linksToImages: [] }))
  const link = O.some(`http://127.0.0.1:${port}/${n}` as WebUrl)
  const publish = (current: FeedItem) => {
    const live = { ...current, status: 'Live', content: { ...current.content, link } } as FeedItem
    return E.right({ item: live, storesImages: [], displaysImages: [], linksToImages: [] })
  }
  await done(store.feedItems.change(item.id, publish))
}
const linkChecker = openLinkChecker({ service: () => 'http://127.0.0.1', allowed: [`127.0.0.1:${port}`] })
let waited = 0
const clock = { now: systemClock.now, elapsed: () => performance.now() + waited }
const timer = {
  wait: (milliseconds: number) => async () => {
    waited += milliseconds
  },
}
const before = process.threadCpuUsage()
const checked = await done(makeCheckLinks({ ...store, linkChecker, clock, timer }, { timeZone: UTC })())
const { user, system } = process.threadCpuUsage(before)
const perLink = (user + system) / 1000 / checked.links
const share = (perLink / GAP) * 100
process.stdout.write(
  `${checked.links} links, ${perLink.toFixed(2)} ms of a core for each: at most ${share.toFixed(2)} % of a core during a round\n`,
)
await engine.close()
await server.terminate()
rmSync(folder, { recursive: true })
process.exit(share < 1 ? 0 : 1)
