import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { LABELS } from '../../adapters-http/test/support/fixture.ts'
import { newFeedItem, newLibraryItem } from '../../adapters-http/test/support/samples.ts'
import { makeClient } from '../src/client.ts'
import { fileStore } from '../src/file-store.ts'
import { type CopyChange, createSync, type LibraryItem, memoryStore } from '../src/index.ts'
import { machineTime } from '../src/tokens.ts'
import { showLibrary } from './offline.ts'
import { startService } from './support/service.ts'

const LIVE = {
  status: 'Live',
  coverImgUrl: 'https://example.org/cover.jpg',
  notificationImgUrl: 'https://example.org/notification.jpg',
}

t.test(
  'N1: a copy of a real service equals its collections, page by page, and in a file after a restart',
  async (t) => {
    const service = await startService(t, { store: 'sqlite' })
    const file = join(service.fixture.folder, 'copy')
    for (let n = 0; n < 5; n += 1) {
      await newLibraryItem(service.fixture, { itemTitle: `${n}`, itemPublicationDate: `2026-04-0${5 - n}` })
      await newFeedItem(service.fixture, { itemTitle: `${n}` })
    }
    const client = service.as('manager')
    const store = fileStore(file)
    const copy = createSync({ client, store, include: ['labels'], lim: 3 })
    await copy.update()
    const { data } = await client.get('/library/', { query: { include: 'labels' } })
    const wanted = data.items.map(({ item }) => item)
    t.same(await copy.list('library'), wanted)
    t.same(await copy.labels(), LABELS)
    await store.close()
    const other = fileStore(file)
    const again = createSync({ client, store: other, include: ['labels'] })
    t.same(await again.list('library'), wanted, 'without a request')
    t.equal((await again.list('feed')).length, 5)
    await other.close()
  },
)

t.test(
  'N3: a copy that asks for more than before is fetched again, by one client after the other',
  async (t) => {
    const service = await startService(t, { store: 'sqlite' })
    await newLibraryItem(service.fixture)
    const store = memoryStore()
    const client = service.as('manager')
    await createSync({ client, store }).update()
    const heard: Array<CopyChange> = []
    const copy = createSync({ client, store, include: ['labels'] })
    copy.subscribe((changes) => heard.push(...changes))
    await copy.update()
    t.match(await copy.list('library'), [{ labels: [] }])
    const lesser = createSync({ client: service.as('user'), store })
    await lesser.update()
    t.same(await lesser.list('library'), [], 'a Draft is gone once the caller may not see it')
    t.equal((await lesser.labels()).length, LABELS.length)
  },
)

t.test('N4: the example of the manual shows a copy, and changes as they come', async (t) => {
  const service = await startService(t, { store: 'sqlite' })
  const id = await newLibraryItem(service.fixture, { itemTitle: 'First' })
  const publish = async (title: string) => {
    const { data, etag } = await service.as('manager').get('/library/{itemId}', { path: { itemId: id } })
    const { itemDescription = '', link = '' } = data.items[0]?.item ?? {}
    const json = { ...LIVE, itemTitle: title, itemDescription, link }
    await service.fixture.call('POST', `/library/${id}`, {
      as: 'manager',
      json,
      headers: { 'if-match': etag ?? '' },
    })
  }
  const controller = new AbortController()
  const shown: Array<string> = []
  const render = (items: ReadonlyArray<LibraryItem>, isComplete: boolean) => {
    const title = items[0]?.itemTitle ?? (isComplete ? 'none' : 'unknown')
    if (shown.at(-1) === title) return
    shown.push(title)
    if (title === 'none') void publish('Second')
    if (title === 'Second') void publish('Third')
    if (title === 'Third') controller.abort()
  }
  service.time.wait = (milliseconds) => machineTime.wait(Math.min(milliseconds, 100), controller.signal)
  await showLibrary(service.as('user'), memoryStore(), render, controller.signal)
  t.same(shown, ['unknown', 'none', 'Second', 'Third'])
})

t.test('A9: a client whose rights have ended is refused, and its run ends', async (t) => {
  const service = await startService(t, { store: 'sqlite' })
  const token = async () => ({ access_token: 'of no client' })
  const client = makeClient({ baseUrl: service.fixture.url, token, fetch: service.send }, service.time)
  const copy = createSync({ client, store: memoryStore() })
  await t.rejects(copy.run({ signal: new AbortController().signal }), { name: 'ApiError' })
})

t.test('the manual shows the tested example', async (t) => {
  const example = readFileSync(join(import.meta.dirname, 'offline.ts'), 'utf8').trimEnd()
  const manual = readFileSync(join(import.meta.dirname, '../../../docs/apps.md'), 'utf8')
  t.ok(manual.includes(`\`\`\`ts app\n${example}\n\`\`\``))
})
