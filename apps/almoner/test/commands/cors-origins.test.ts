import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import t from 'tap'
import { readSettings } from '../../src/config/read.ts'

const NAME = 'ALMONER_CORS_ORIGINS'

const read = (text: string) =>
  E.map(({ corsOrigins }: { readonly corsOrigins: ReadonlyArray<string> }) => corsOrigins)(
    readSettings({ [NAME]: text }),
  )

/** What operators write, and what pages and apps send (operations.md). */
const TAKEN: Readonly<Record<string, string>> = {
  'capacitor://localhost': 'capacitor://localhost',
  'ionic://localhost': 'ionic://localhost',
  'tauri://localhost': 'tauri://localhost',
  'http://tauri.localhost': 'http://tauri.localhost',
  'app://.': 'app://.',
  'org.example.app://bundle-1': 'org.example.app://bundle-1',
  'chrome-extension://abcdefghijklmnopabcdefghijklmnop':
    'chrome-extension://abcdefghijklmnopabcdefghijklmnop',
  'safari-web-extension://0A1B2C3D-0000-4000-8000-ABCDEF012345':
    'safari-web-extension://0A1B2C3D-0000-4000-8000-ABCDEF012345',
  'capacitor://localhost:8100': 'capacitor://localhost:8100',
  'https://app.example.org': 'https://app.example.org',
  'http://localhost:8100': 'http://localhost:8100',
  'http://web_1:8080': 'http://web_1:8080',
  'http://[::1]:3000': 'http://[::1]:3000',
  'http://[0:0:0:0:0:0:0:1]:3000': 'http://[::1]:3000',
  'HTTPS://App.Example.ORG': 'https://app.example.org',
  'https://app.example.org:443': 'https://app.example.org',
  'http://app.example.org:80': 'http://app.example.org',
  'https://app.example.org:80': 'https://app.example.org:80',
  'https://bücher.example': 'https://xn--bcher-kva.example',
  'https://xn--bcher-kva.example': 'https://xn--bcher-kva.example',
}

const NULL = /null is none/
const PATTERN = /patterns/
const FORM = /SCHEME:\/\/HOST/

const REFUSED: ReadonlyArray<readonly [text: string, reason: RegExp]> = [
  ['null', NULL],
  ['https://app.example.org, null', NULL],
  ['*', PATTERN],
  ['https://*.example.org', PATTERN],
  ['https://app.example.*', PATTERN],
  ['capacitor://*', PATTERN],
  ['https://app.example.org:*', PATTERN],
  ['https://.example.org', FORM],
  ['https://%2A.example.org', FORM],
  ['/https:.*example.org/', PATTERN],
  ['https://(app|web).example.org', FORM],
  ['^https://app.example.org$', FORM],
  ['https://app.example.org/', FORM],
  ['https://app.example.org/app', FORM],
  ['https://app.example.org?', FORM],
  ['https://app.example.org#', FORM],
  ['https://user@app.example.org', FORM],
  ['https:\\\\app.example.org', FORM],
  ['https://app.example.org:port', FORM],
  ['https://app.example.org:99999', FORM],
  ['https://app example.org', FORM],
  ['https:app.example.org', FORM],
  ['capacitor:localhost', FORM],
  ['capacitor://', FORM],
  ['file://', FORM],
  ['file:///android_asset', FORM],
  ['app.example.org', FORM],
  ['localhost:8100', FORM],
  ['//app.example.org', FORM],
  ['https://', FORM],
  ['https://app.example.org,,http://localhost', FORM],
  ['https://app.example.org;http://localhost', FORM],
  ['https://app.example.org http://localhost', FORM],
]

t.test('CORS origins: any scheme://host[:port] is taken, a web origin as browsers send it', async (t) => {
  for (const [text, expected] of Object.entries(TAKEN)) t.strictSame(read(text), E.right([expected]), text)
  const all = Object.keys(TAKEN).join(' , ')
  t.strictSame(read(all), E.right(Object.values(TAKEN)), 'a list')
  t.strictSame(read('none'), E.right([]))
})

t.test('CORS origins: others are refused with the reason', async (t) => {
  for (const [text, reason] of REFUSED) {
    const refused = read(text)
    t.ok(E.isLeft(refused), text)
    if (E.isLeft(refused)) t.match(refused.left, [reason], text)
  }
})

t.test('CORS origins: the origin of every web page can be named, also as its address begins', async (t) => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true }), (url) => {
      const { origin } = new URL(url)
      const [written = ''] = /^https?:\/\/[^/?#]+/.exec(url) ?? []
      return [origin, written].every((text) => {
        const taken = read(text)
        return E.isRight(taken) && taken.right.join() === origin
      })
    }),
  )
  t.pass()
})
