import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { accessibilityFaults, inPage, launchBrowser } from '../src/index.ts'

const POLICY =
  "default-src 'none'; script-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'"
const page = (body: string) => `<!doctype html><html lang="en"><title>Test</title><main>${body}</main></html>`

const PAGES: Readonly<Record<string, readonly [type: string, body: string]>> = {
  '/': ['text/html', page('<h1>Hello</h1><button>Go</button>')],
  '/error': ['text/html', page('<script src="/error.js"></script>')],
  '/error.js': ['text/javascript', 'throw new Error("broken")'],
  '/logs': ['text/html', page('<script src="/logs.js"></script>')],
  '/logs.js': ['text/javascript', 'console.error("unhappy")'],
  '/inline': ['text/html', page('<p style="color: red">Red</p>')],
  '/foreign': ['text/html', page('<img alt="" src="http://example.org/a.png">')],
  '/unlabelled': ['text/html', page('<input>')],
}

const server = createServer((request, response) => {
  const [type, body] = PAGES[request.url ?? ''] ?? ['text/plain', '']
  response.setHeader('Content-Type', type).setHeader('Content-Security-Policy', POLICY).end(body)
})
await once(server.listen(0, '127.0.0.1'), 'listening')
const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const browser = await launchBrowser()

t.teardown(async () => {
  await browser.close()
  server.close()
})

const visit = (path: string, expected: ReadonlyArray<RegExp> = []) =>
  inPage(browser, { baseURL, expected }, async (page) => {
    await page.goto(path)
    await page.waitForLoadState('networkidle')
  })

t.test('a page without faults passes, and its text is rendered with a font', async (t) => {
  await inPage(browser, { baseURL }, async (page) => {
    await page.goto('/')
    const box = await page.getByRole('button', { name: 'Go' }).boundingBox()
    t.ok((box?.width ?? 0) > 20)
    t.strictSame(await accessibilityFaults(page), [])
  })
})

for (const [path, fault] of [
  ['/error', /broken/],
  ['/logs', /unhappy/],
  ['/inline', /policy: style-src/],
  ['/foreign', /foreign host: http:\/\/example.org/],
] as const)
  t.test(`${path} fails`, (t) => t.rejects(visit(path), { message: fault }))

t.test('a scenario may expect a fault', (t) => t.resolves(visit('/logs', [/unhappy/])))

t.test('a failed scenario rejects with its error', (t) =>
  t.rejects(
    inPage(browser, { baseURL }, async () => {
      throw new Error('not what was expected')
    }),
    { message: 'not what was expected' },
  ),
)

t.test('WCAG 2.2: an input without a label is found', async (t) => {
  await inPage(browser, { baseURL }, async (page) => {
    await page.goto('/unlabelled')
    t.match(await accessibilityFaults(page), [/^label: <input>/])
  })
})

t.test(
  'another browser is used by ALMONER_TEST_BROWSER; without one, a line says what to install',
  async (t) => {
    process.env['ALMONER_TEST_BROWSER'] = '/nowhere/chromium'
    t.teardown(() => delete process.env['ALMONER_TEST_BROWSER'])
    await t.rejects(launchBrowser(), { message: /^No browser.*ALMONER_TEST_BROWSER/ })
  },
)
