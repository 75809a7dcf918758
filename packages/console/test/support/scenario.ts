import { join } from 'node:path'
import { accessibilityFaults, inPage, launchBrowser, type Page, type PageOptions } from '@almoner/browser'
import type { Test } from 'tap'
import { jpegOf } from '../../../adapters-media/test/corpus/jpeg-file.ts'
import { buildConsole, readConsole } from '../../src/index.ts'
import {
  type ConsoleSettings,
  type ManagerOfTests,
  type OpenedConsole,
  openConsole,
} from './console-server.ts'

const BUILT = join(import.meta.dirname, '../../../../tools/bundle/dist/console')

/** `pnpm test` has just built the console; a test that is run by itself builds it, which takes two seconds. */
const openAssets = () => (process.env['TEST_PROGRAM'] === 'built' ? readConsole(BUILT) : buildConsole())

/** The built console, a photo, and the one browser of a test file. */
export const [assets, browser, photo] = await Promise.all([openAssets(), launchBrowser(), jpegOf(900, 700)])

export const DESKTOP = {
  viewport: { width: 1280, height: 900 },
  locale: 'en-GB',
  colorScheme: 'light',
} as const
export const PHONE = {
  viewport: { width: 360, height: 740 },
  locale: 'fr-FR',
  colorScheme: 'dark',
  hasTouch: true,
} as const

/** Answers with 4xx are also written to the browser's console. */
export const REFUSED = /^console: .*\b(?:400|401|403|409|412)\b.*\/console\/api\//

export const FILE = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(photo) }

type Fixture = OpenedConsole['fixture']

export const PUBLICATION = {
  itemTitle: 'Clean water',
  itemDescription: 'A new well.',
  link: 'https://example.org/',
  itemPublicationDate: '2026-05-01',
}

const POST = {
  itemType: 'link',
  itemDescription: 'It works since Monday.',
  link: 'https://example.org/',
}

export const addPosts = async (fixture: Fixture, ...titles: ReadonlyArray<string>): Promise<void> => {
  for (const itemTitle of titles) {
    await fixture.call('POST', '/feed/', { as: 'donor', json: { ...POST, itemTitle } })
    fixture.clock.advance(60_000)
  }
}

/** Starts the console and runs a scenario in it. */
export const scenario = async (
  t: Test,
  options: Omit<PageOptions, 'baseURL'> & {
    readonly language?: 'en' | 'fr'
    readonly isSignedOut?: true
    /** Who is signed in; Camille unless given. */
    readonly as?: ManagerOfTests
    readonly zone?: ConsoleSettings['zone']
    readonly host?: ConsoleSettings['host']
    readonly accounts?: ConsoleSettings['accounts']
    readonly base?: ConsoleSettings['base']
    readonly embargo?: ConsoleSettings['embargo']
  },
  run: (page: Page, console: OpenedConsole) => Promise<void>,
) => {
  const { language = 'en', isSignedOut = false, embargo = false, ...others } = options
  const { zone, host, accounts, base, as, ...rest } = others
  const opened = await openConsole(t, assets, {
    lang: language,
    ...(zone && { zone }),
    ...(host && { host }),
    ...{ accounts, base, embargo },
  })
  await inPage(browser, { baseURL: opened.baseURL, ...rest }, async (page) => {
    if (!isSignedOut) await page.context().addCookies([await opened.signIn(as)])
    await run(page, opened)
  })
}

/** Opens an address without a session. Leaves the page before, so that none of its requests comes without the cookie. */
export const openSignedOut = async (page: Page, address: string): Promise<void> => {
  await page.goto('about:blank')
  await page.context().clearCookies()
  await page.goto(address)
}

/**
 * Proves presence by a new link, in the dialog that asks for it. It waits for what the dialog says of the person's ways
 * to sign in: its request for them, if the sign-in overtook it, would come with the session that the sign-in has ended.
 */
export const proveByLink = async (page: Page, token: string): Promise<void> => {
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await proof.getByText('So far you sign in by links only').waitFor()
  await proof.getByRole('textbox', { name: 'Your new sign-in link' }).fill(`https://x/console/enter#${token}`)
}

/** Types a time as HHMM into the field of a label. */
export const typeTime = async (page: Page, label: string, time: string): Promise<void> => {
  await page.getByRole('group', { name: label }).getByRole('spinbutton').first().focus()
  await page.keyboard.type(time)
}

/** Asserts that axe finds nothing and that nothing sticks out at the side. */
export const looksRight = async (t: Test, page: Page, name: string): Promise<void> => {
  t.strictSame(await accessibilityFaults(page), [], `${name}: accessible`)
  const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  t.equal(excess, 0, `${name}: no horizontal scrolling`)
}

const imageOf = (): FormData => {
  const form = new FormData()
  form.set('itemUploadMedia', new Blob([photo]), 'photo.jpg')
  return form
}

/** Adds a publication to the library, and returns its id. A Live one gets both images. */
export const addPublication = async (
  fixture: Fixture,
  fields: object = {},
  status = 'Draft',
): Promise<string> => {
  const json = { ...PUBLICATION, ...fields }
  const created = await fixture.call('POST', '/library/', { as: 'manager', json })
  const { items } = (await created.json()) as { items: [{ item: { itemId: string } }] }
  const id = items[0].item.itemId
  if (status !== 'Live') return id
  for (const image of ['cover', 'notification'])
    await fixture.call('POST', `/library/${id}/media/${image}`, { as: 'manager', multipart: imageOf() })
  await fixture.call('POST', `/library/${id}`, { as: 'manager', json: { ...json, status } })
  return id
}

/** Shares a proposal for a publication in the name of Bruno. */
export const propose = async (
  { baseURL, signIn }: Pick<OpenedConsole, 'baseURL' | 'signIn'>,
  itemId: string,
  fields: object,
  over: object = {},
) => {
  const { name, value } = await signIn('Bruno')
  const answer = await fetch(`${baseURL}/console/api/proposals/library/${itemId}`, {
    method: 'POST',
    headers: {
      ...{ Cookie: `${name}=${value}`, 'Sec-Fetch-Site': 'same-origin' },
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({
      fields: JSON.stringify({ ...PUBLICATION, lang: 'en', isDonorRestricted: '0', ...fields }),
      ...over,
    }),
  })
  if (answer.status !== 200) throw new TypeError(`${answer.status} ${await answer.text()}`)
}

/** Runs in a new page: presses the button that publishes as soon as it is there, before anyone can have seen it. */
export const PRESS_AT_ONCE = `new MutationObserver((_, observer) => {
  const button = document.querySelector('.editor-actions .button.primary')
  if (button === null) return
  observer.disconnect()
  button.click()
}).observe(document, { childList: true, subtree: true })`
