import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { inPage, launchBrowser, type Page } from '@almoner/browser'
import t from 'tap'
import { ApiError } from '../src/index.ts'
import { bundleForBrowsers } from './support/bundle.ts'
import { type Act, changesModel } from './support/changes-model.ts'

let model = changesModel()
const held = new Set<() => void>()

/** Changes the service, and answers what was held back. */
const act = (...acts: ReadonlyArray<Act>): void => {
  for (const one of acts) model.do(one)
  for (const answer of held) answer()
}

const answerOnce = async (url: string) => {
  const query = Object.fromEntries(new URL(url, 'http://localhost').searchParams)
  return model.answer('/changes', { query: { ...query, lim: Number(query['lim']) } })
}

/** Answers `GET /changes`, and holds an answer without changes back if the request prefers that. */
const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  try {
    let { data, headers } = await answerOnce(request.url ?? '')
    if (data.changes.length === 0 && request.headers['prefer'] !== undefined) {
      await new Promise<void>((resolve) => {
        held.add(resolve)
        response.once('close', resolve)
      })
      ;({ data, headers } = await answerOnce(request.url ?? ''))
    }
    response.setHeaders(headers).setHeader('Content-Type', 'application/json').end(JSON.stringify(data))
  } catch (error) {
    response.writeHead(error instanceof ApiError ? error.status : 500).end()
  }
}

const { chunk } = await bundleForBrowsers(join(import.meta.dirname, 'in-page/page.ts'))
const server = createServer((request, response) => {
  if (request.url?.startsWith('/api/')) return void answer(request, response)
  const [type, body] = request.url === '/page.js' ? ['text/javascript', chunk.code] : ['text/html', PAGE]
  response.setHeader('Content-Type', type).end(body)
})
const PAGE = '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>'
await once(server.listen(0, '127.0.0.1'), 'listening')
const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const browser = await launchBrowser()
t.teardown(async () => {
  await browser.close()
  server.closeAllConnections()
  server.close()
})

/** Opens a page, whose functions are those of `in-page/page.ts`, by name. */
const opened = async (page: Page): Promise<Page> => {
  await page.goto('/')
  await page.waitForFunction('typeof titles === "function"')
  return page
}

/** Asks a page until it shows what the service has. */
const inStep = async (page: Page): Promise<void> => {
  const titles = model.collection('library').map((item) => (item as { itemTitle: string }).itemTitle)
  let found: unknown
  while (found !== titles.join()) found = await page.evaluate('titles()')
}

/** Asks a page for the objects of which it hears, until it hears of the portfolio. */
const heardBy = async (page: Page): Promise<ReadonlyArray<string>> => {
  const all = new Set<string>()
  while (!all.has('portfolio'))
    for (const id of (await page.evaluate('heard()')) as ReadonlyArray<string>) all.add(id)
  return [...all].sort()
}

const put = (n: number): Act => ({ act: 'put', kind: 'library', n, day: n })

const offline = [/ERR_INTERNET_DISCONNECTED/, /410 \(Gone\)/]

t.test('in IndexedDB: the contract of stores', (t) =>
  inPage(browser, { baseURL }, async (page) => {
    t.same(await (await opened(page)).evaluate('contract()'), [])
  }),
)

t.test('two tabs keep one copy, both hear of all changes, and one goes on when the other has gone', (t) =>
  inPage(browser, { baseURL, expected: offline }, async (page) => {
    model = changesModel()
    const one = await opened(page)
    const other = await opened(await page.context().newPage())
    for (const tab of [one, other]) await tab.evaluate('start()')
    act(put(1), put(2), put(3))
    for (const tab of [one, other]) await inStep(tab)
    act({ act: 'remove', kind: 'library', n: 2 }, { act: 'portfolio' })
    for (const tab of [one, other]) await inStep(tab)
    for (const tab of [one, other]) {
      t.same(await heardBy(tab), ['library-1', 'library-2', 'library-3', 'portfolio'])
    }
    await one.close()
    act(put(4), { act: 'expire' }, { act: 'remove', kind: 'library', n: 1 })
    await inStep(other)
    await other.evaluate('stop()')
  }),
)

t.test('a page that is opened again without a network shows its copy, and follows when it is back', () =>
  inPage(browser, { baseURL, expected: offline }, async (page) => {
    model = changesModel()
    act(put(1), put(2))
    await opened(page)
    await page.evaluate('start()')
    await inStep(page)
    await page.reload()
    await page.waitForFunction('typeof titles === "function"')
    await page.context().setOffline(true)
    await page.evaluate('start()')
    await inStep(page)
    act(put(3))
    await page.context().setOffline(false)
    await inStep(page)
    await page.evaluate('drop()')
    act(put(4))
    await inStep(page)
    await page.evaluate('stop()')
  }),
)
