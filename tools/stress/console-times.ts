// Opens pages of the console as a slow phone does: 150 ms, 1.6 Mbit/s, a processor four times slower. Run `pnpm build` first.
// Usage: node tools/stress/console-times.ts [--runs 3]
import { serve } from '../../apps/almoner/test/support/almoner.ts'
import { inPage, launchBrowser, type Page } from '../../testing/browser/src/index.ts'
import { check, folder, options, progress, report } from './campaign.ts'

const { runs } = options({ runs: 3 })

const PHONE = { viewport: { width: 390, height: 780 }, locale: 'en-GB', hasTouch: true } as const

const KBIT = 1024 / 8
const NETWORK = {
  ...{ offline: false, latency: 150 },
  ...{ downloadThroughput: 1600 * KBIT, uploadThroughput: 750 * KBIT },
}

/** The most bytes that a list moves when the console's files are cached. */
const MOST_BYTES = 250_000

/** A page, an element of it that takes input, and the most milliseconds until it is there: with the console's files cached, and without. */
interface Target {
  readonly name: string
  readonly path: string
  readonly element: string
  readonly warm: number
  readonly cold: number
}

type Cookies = Parameters<ReturnType<Page['context']>['addCookies']>[0]

/** Notes when an element of the page is there and the page has answered once after that. */
const noteUsable = (element: string): string => `{
  const look = () => {
    if (document.querySelector(${JSON.stringify(element)}) === null) setTimeout(look, 16)
    else requestAnimationFrame(() => setTimeout(() => { globalThis.usableAt = performance.now() }))
  }
  look()
}`

/** Milliseconds after which nothing more is loaded. */
const QUIET = 4000

/** Opens a page on the slow phone. Returns the milliseconds until it is usable, and the bytes that it has moved. */
const measure = async (page: Page, { path, element }: Target) => {
  const devtools = await page.context().newCDPSession(page)
  let bytes = 0
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', NETWORK)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.addInitScript(noteUsable(element))
  await page.goto(path)
  await page.locator(element).first().waitFor()
  await page.waitForTimeout(QUIET)
  const usable = Number(await page.evaluate('Math.round(globalThis.usableAt)'))
  return { usable, bytes }
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const linkIn = (text: string): string => /(http:\S+\/console\/enter#[\w-]{43})/.exec(text)?.[1] ?? 'no link'

const [browser, server] = await Promise.all([launchBrowser(), serve(folder, ['--demo'])])
const settings = { baseURL: server.url, ...PHONE }

let [cookies, editor]: [Cookies, string] = [[], '']
await inPage(browser, settings, async (page) => {
  await page.goto(linkIn(server.said().out))
  await page.getByRole('button', { name: /^Sign in as / }).click()
  await page.getByRole('heading', { name: /^Hello/ }).waitFor()
  await page.goto('/console/library')
  editor =
    (await page.locator('.rows .title').first().getAttribute('href'))?.replace('/translation', '') ?? ''
  cookies = await page.context().cookies()
})

const TARGETS: ReadonlyArray<Target> = [
  { name: 'desk', path: '/console', element: 'main .page h1', warm: 2000, cold: 3000 },
  { name: 'library', path: '/console/library', element: '.rows .title', warm: 2000, cold: 3000 },
  { name: 'editor', path: editor, element: '.editor-text textarea', warm: 2500, cold: 3500 },
]

const figures: Record<string, object> = {}
for (const target of TARGETS)
  for (const state of ['warm', 'cold'] as const) {
    const found: Array<{ readonly usable: number; readonly bytes: number }> = []
    for (let run = 0; run < runs; run += 1)
      await inPage(browser, settings, async (page) => {
        await page.context().addCookies(cookies)
        if (state === 'warm') {
          await page.goto(target.path)
          await page.locator(target.element).first().waitFor()
          await page.waitForTimeout(QUIET)
        }
        found.push(await measure(page, target))
        progress(`${target.name}, ${state}, ${run + 1}`)
      })
    const usable = median(found.map((one) => one.usable))
    const bytes = median(found.map((one) => one.bytes))
    figures[`${target.name}, ${state}`] = { usable, bytes }
    check(usable <= target[state], `${target.name}, ${state}: usable after ${usable} ms`)
    if (state === 'warm') check(bytes <= MOST_BYTES, `${target.name}: moves ${bytes} bytes`)
  }
await browser.close()
await server.stop()
report(figures)
