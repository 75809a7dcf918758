// Runs the client in a browser, in a page of another origin than the service.
// Usage: node tools/stress/browser.ts [PATH OF CHROMIUM]
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { PNG } from '../../packages/adapters-http/test/support/uploads.ts'
import { bundleForBrowsers } from '../../packages/client/test/support/bundle.ts'
import { newManager, startServer } from './server.ts'

const [browser = 'chromium'] = process.argv.slice(2)
/** Milliseconds after which a page counts as stuck. */
const PATIENCE = 60_000

const folder = mkdtempSync(join(tmpdir(), 'almoner-browser-'))
const manager = newManager(folder)
const { chunk } = await bundleForBrowsers(join(import.meta.dirname, 'browser/page.ts'))

const told = Promise.withResolvers<string>()
let baseUrl = ''
let token = ''

const newToken = async (): Promise<string> => {
  const answer = await (await fetch(`${baseUrl}/oauth2/get-token`, { method: 'POST', body: manager })).text()
  token = JSON.parse(answer).access_token
  return answer
}

const revoke = async (): Promise<string> => {
  const body = new URLSearchParams(manager)
  body.set('token', token)
  return (await fetch(`${baseUrl}/oauth2/revoke`, { method: 'POST', body })).text()
}

type Page = readonly [
  type: string,
  body: (request: IncomingMessage) => Promise<string | Uint8Array> | string | Uint8Array,
]

/** The page's own server, which has the credentials: what an app's server does for its pages. */
const PAGES: Readonly<Record<string, Page>> = {
  '/': [
    'text/html',
    () => '<!doctype html><title>Almoner</title><script type="module" src="/page.js"></script>',
  ],
  '/page.js': ['text/javascript', () => chunk.code],
  '/image.png': ['image/png', () => PNG],
  '/service': ['application/json', () => JSON.stringify({ baseUrl })],
  '/token': ['application/json', newToken],
  '/revoke': ['text/plain', revoke],
  '/findings': [
    'text/plain',
    async (request) => {
      told.resolve(await text(request))
      return ''
    },
  ],
}

const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const page = PAGES[request.url ?? '']
  if (page === undefined) response.writeHead(404).end()
  else
    response
      .setHeader('Content-Type', page[0])
      .setHeader('Cache-Control', 'no-store')
      .end(await page[1](request))
}

const pages = createServer((request, response) => {
  answer(request, response).catch(told.reject)
})
await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
const origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`
const service = await startServer(folder, { ALMONER_CORS_ORIGINS: origin })
baseUrl = service.url

const version = execFileSync(browser, ['--version'], { encoding: 'utf8' }).trim()
const flags = ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${join(folder, 'profile')}`]
const window = spawn(browser, [...flags, origin], { stdio: 'ignore' })
const gone = new Promise<void>((resolve) => window.once('exit', () => resolve()))
window.once('error', told.reject)
const stuck = setTimeout(() => told.reject(new Error('the page has told nothing')), PATIENCE)
try {
  const { checks, findings } = JSON.parse(await told.promise)
  process.stdout.write(`${JSON.stringify({ version, checks, findings })}\n`)
  process.exitCode = findings.length === 0 ? 0 : 1
} finally {
  clearTimeout(stuck)
  window.kill()
  service.process.kill()
  await Promise.all([gone, service.ended])
  pages.close()
  rmSync(folder, { recursive: true, force: true })
}
