// Runs the client in a browser, in a page of another origin than the service's.
// Usage: node tools/stress/browser.ts [PATH OF CHROMIUM]
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { GREY, PLAIN, pngOf } from '../../packages/adapters-media/test/corpus/png-file.ts'
import { bundleForBrowsers } from '../../packages/client/test/support/bundle.ts'
import { findings, folder, report } from './campaign.ts'
import { addManager, startServer } from './server.ts'

const [browser = 'chromium'] = process.argv.slice(2)
/** Milliseconds after which the page hangs. */
const HANGS = 60_000

const manager = addManager(folder)
const { chunk } = await bundleForBrowsers(join(import.meta.dirname, 'browser/page.ts'))
const { promise: result, resolve } = Promise.withResolvers<string>()
let [baseUrl, token] = ['', '']

const send = async (path: string, body: URLSearchParams): Promise<string> =>
  (await fetch(`${baseUrl}/oauth2/${path}`, { method: 'POST', body })).text()

type Body = (request: IncomingMessage) => Promise<string> | string | Uint8Array

/** The page's own server has the credentials, as an app's server does. */
const PAGES: Readonly<Record<string, readonly [type: string, body: Body]>> = {
  '/': ['text/html', () => '<!doctype html><title>x</title><script type="module" src="/page.js"></script>'],
  '/page.js': ['text/javascript', () => chunk.code],
  '/image.png': ['image/png', () => pngOf({ ...PLAIN, depth: 1, colour: GREY }, Buffer.alloc(0))],
  '/service': ['application/json', () => JSON.stringify({ baseUrl })],
  '/token': [
    'application/json',
    async () => {
      const answer = await send('get-token', manager)
      token = JSON.parse(answer).access_token
      return answer
    },
  ],
  '/revoke': ['text/plain', () => send('revoke', new URLSearchParams([...manager, ['token', token]]))],
  '/findings': [
    'text/plain',
    async (request) => {
      resolve(await text(request))
      return ''
    },
  ],
}

const pages = createServer(async (request, response) => {
  const [type, body] = PAGES[request.url ?? ''] ?? ['text/plain', () => '']
  response
    .setHeader('Content-Type', type)
    .setHeader('Cache-Control', 'no-store')
    .end(await body(request))
})
await once(pages.listen(0, '127.0.0.1'), 'listening')
const origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`
baseUrl = (await startServer(folder, { ALMONER_CORS_ORIGINS: origin })).url

const version = execFileSync(browser, ['--version'], { encoding: 'utf8' }).trim()
const flags = ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${join(folder, 'profile')}`]
const window = spawn(browser, [...flags, origin], { stdio: 'ignore' })
const { checks, findings: found } = JSON.parse(
  await Promise.race([result, pause(HANGS, '{"checks":0,"findings":["the page hangs"]}')]),
)
findings.push(...found)
window.kill()
await once(window, 'exit')
report({ version, checks })
