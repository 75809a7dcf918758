// One person has a new publication open in two tabs, in random interleavings: types, chooses images, leaves, comes back, reloads, takes over, saves.
// No text and no image may be replaced by a tab that has not shown it, or be lost when its page is left unless the person was asked.
// Usage: node tools/stress/two-tabs.ts [--rounds 200] [--seed 1]
import { join } from 'node:path'
import t from 'tap'
import { openConsole } from '../../packages/console/test/support/console-server.ts'
import { assets, browser, FILE } from '../../packages/console/test/support/scenario.ts'
import { seeded } from '../../packages/testkit/src/contracts/index.ts'
import { inPage, type Page } from '../../testing/browser/src/index.ts'
import { check, folder, options, progress, report } from './campaign.ts'

const { rounds, seed } = options({ rounds: 200, seed: 1 })

/** Acts of each interleaving, before both tabs save. */
const ACTS = 8

const BOXES = ['Title', 'Text', 'Link'] as const
const SLOTS = ['cover', 'notification'] as const

/** The most milliseconds until typed text is on the server, or the person is asked. */
const PATIENCE = 20_000

/** A tab, with everything that it has shown. */
interface Tab {
  readonly page: Page
  readonly seen: Set<string>
  /** Whether the browser or the page has asked before leaving, since the last look. */
  wasAsked: boolean
}

/** A copy that a tab has stored: its values, and all that the tab had shown until then. */
interface Stored {
  readonly version: string
  readonly values: ReadonlyArray<string>
  readonly seen: ReadonlySet<string>
}

/** The copies of a round by version. The first came after no other. */
type Chain = Map<string, Stored>

const totals = { rounds, acts: 0, stored: 0, choices: 0, asked: 0, kept: 0, saves: 0 }

/** Returns the texts and file names of images in the fields of a copy. */
const valuesOf = (fields: string): ReadonlyArray<string> => {
  const { itemTitle = '', itemDescription = '', link = '', images = '{}' } = JSON.parse(fields)
  return [itemTitle, itemDescription, link, ...Object.values(JSON.parse(images))].filter((one) => one !== '')
}

const boxOf = ({ page }: Tab, name: string) => page.getByRole('textbox', { name, exact: true })
const noticeOf = ({ page }: Tab) => page.getByRole('alert').filter({ hasText: 'in another tab' })
const goBackOf = ({ page }: Tab) => page.getByRole('button', { name: 'Go back' })

const namesIn = (sources: ReadonlyArray<string>): ReadonlyArray<string> =>
  sources.map((source) => source.slice(source.lastIndexOf('/') + 1))

const imagesIn = (page: Page, where: string): Promise<ReadonlyArray<string>> =>
  page.locator(`${where} img`).evaluateAll((all) => all.map((one) => (one as { src: string }).src))

/** Returns what the form of a tab shows now, which the tab has seen then. */
const shownIn = async (tab: Tab): Promise<ReadonlyArray<string>> => {
  const texts = []
  for (const name of BOXES) texts.push(await boxOf(tab, name).inputValue())
  const shown = [...texts, ...namesIn(await imagesIn(tab.page, '.image-field'))].filter((one) => one !== '')
  for (const value of shown) tab.seen.add(value)
  return shown
}

/** What a notice showed when the person chose one of its two texts: the other one may go. */
const offered = new Set<string>()

/** Notes what the notice about the other tab shows. Returns whether it is there. */
const seeNotice = async (tab: Tab): Promise<boolean> => {
  const notice = noticeOf(tab)
  if ((await notice.count()) === 0) return false
  for (const value of await notice.getByRole('definition').allTextContents()) tab.seen.add(value)
  for (const name of namesIn(await imagesIn(tab.page, '[aria-labelledby="other-tab"]'))) tab.seen.add(name)
  return true
}

/** The copies of the round that runs. */
let chain: Chain = new Map()

/** Runs in each page: reports each working copy that the page has stored. The browser shows no body of a request that may outlive its page. */
const REPORT_STORED = `{
  const { fetch } = globalThis
  globalThis.fetch = async (request, ...more) => {
    const isCopy = request.method === 'PUT' && /\\/copies\\/new-[0-9a-f]+$/.test(request.url)
    const body = isCopy ? await request.clone().json() : undefined
    const response = await fetch(request, ...more)
    if (isCopy && response.ok) {
      const { copy } = await response.clone().json()
      globalThis.noteStored(copy.updatedAt, body.version ?? '', body.fields)
    }
    return response
  }
}`

/** Findings are values that a tab has replaced without having shown them. */
const checkChain = (name: string): void => {
  totals.stored += chain.size
  for (const { version, values, seen } of chain.values())
    for (const value of chain.get(version)?.values ?? [])
      check(values.includes(value) || seen.has(value), `${name}: ${value} was replaced unseen`)
}

/** Returns the values that the server has: those of the working copy. A page that is gone has not reported it. */
const storedOf = async ({ page }: Tab, key: string): Promise<ReadonlyArray<string>> => {
  const answer = await page.request.get(`/console/api/copies/${key}`)
  if (!answer.ok()) return []
  const { copy } = (await answer.json()) as { copy: { fields: string; updatedAt: string } }
  const values = valuesOf(copy.fields)
  if (!chain.has(copy.updatedAt)) chain.set(copy.updatedAt, { version: '', values, seen: new Set() })
  return values
}

/** Waits until everything that a tab showed is stored, or the person is asked or can go back. Returns whether it came so. */
const isSafe = async (tab: Tab, key: string, shown: ReadonlyArray<string>): Promise<boolean> => {
  const end = performance.now() + PATIENCE
  while (performance.now() < end) {
    if (tab.wasAsked || (await goBackOf(tab).count()) > 0) return true
    const stored = await storedOf(tab, key)
    if (shown.every((value) => stored.includes(value) || offered.has(value))) return true
    await tab.page.waitForTimeout(100)
  }
  return false
}

const open = async (tab: Tab, path: string): Promise<void> => {
  await tab.page.goto(path)
  await boxOf(tab, 'Title').waitFor()
  await shownIn(tab)
}

const isNew = ({ page }: Tab): boolean => page.url().includes('/new?')

/** Leaves the page within the console, and comes back: by the message, if the text could not be stored. */
const leave = async (tab: Tab, key: string, path: string, name: string): Promise<void> => {
  const shown = await shownIn(tab)
  const isHeld = await seeNotice(tab)
  tab.wasAsked = false
  await tab.page.getByRole('link', { name: 'Library' }).first().click()
  await tab.page.getByRole('heading', { name: 'Library', level: 1 }).waitFor()
  check(await isSafe(tab, key, shown), `${name}: lost on leaving: ${shown.join(', ')}`)
  const isKept = (await goBackOf(tab).count()) > 0
  if (tab.wasAsked) totals.asked += 1
  check(!isHeld || tab.wasAsked || isKept, `${name}: left beside the notice without a question`)
  if (!isKept) return open(tab, path)
  totals.kept += 1
  await goBackOf(tab).click()
  await boxOf(tab, 'Title').waitFor()
  const back = await shownIn(tab)
  check(
    shown.every((value) => back.includes(value)),
    `${name}: not there after going back: ${shown.join(', ')}`,
  )
}

const reload = async (tab: Tab, key: string, name: string): Promise<void> => {
  const shown = await shownIn(tab)
  await seeNotice(tab)
  tab.wasAsked = false
  await tab.page.reload()
  await boxOf(tab, 'Title').waitFor()
  check(await isSafe(tab, key, shown), `${name}: lost on reloading: ${shown.join(', ')}`)
  if (tab.wasAsked) totals.asked += 1
  await shownIn(tab)
}

const choose = async (tab: Tab, takes: boolean): Promise<void> => {
  totals.choices += 1
  const texts = await noticeOf(tab).getByRole('definition').allTextContents()
  const images = namesIn(await imagesIn(tab.page, '[aria-labelledby="other-tab"]'))
  for (const value of [...texts, ...images]) offered.add(value)
  const button = takes ? 'Use the other text' : 'Keep the text of this page'
  await noticeOf(tab).getByRole('button', { name: button }).click()
  await shownIn(tab)
}

const addImage = async (tab: Tab, slot: string): Promise<void> => {
  const before = await imagesIn(tab.page, `#field-${slot}`)
  await tab.page.locator(`#field-${slot} input[type=file]`).setInputFiles(FILE)
  const fresh = before[0] === undefined ? 'img' : `img:not([src="${before[0]}"])`
  await tab.page.locator(`#field-${slot} ${fresh}`).waitFor()
  await shownIn(tab)
}

type Roll = (limit: number) => number

const actOnce = async (tab: Tab, key: string, path: string, roll: Roll, name: string): Promise<void> => {
  const box = BOXES[roll(BOXES.length)] ?? 'Title'
  const slot = SLOTS[roll(SLOTS.length)] ?? 'cover'
  if ((await seeNotice(tab)) && roll(2) === 0) return choose(tab, roll(2) === 0)
  switch (roll(7)) {
    case 0:
    case 1:
      return addImage(tab, slot)
    case 2:
      return leave(tab, key, path, name)
    case 3:
      return reload(tab, key, name)
    default: {
      const text = `https://example.org/${name.replaceAll(' ', '-')}`
      tab.seen.add(text)
      return boxOf(tab, box).fill(text)
    }
  }
}

/** Saves a new publication, with texts where it has none. Everything that the tab shows must be in the draft. */
const save = async (tab: Tab, name: string): Promise<void> => {
  if (!isNew(tab)) return
  for (const box of BOXES)
    if ((await boxOf(tab, box).inputValue()) === '')
      await boxOf(tab, box).fill(`https://example.org/${name.replaceAll(' ', '-')}/${box}`)
  await seeNotice(tab)
  const shown = await shownIn(tab)
  await tab.page.getByRole('button', { name: 'Save', exact: true }).click()
  await tab.page.waitForURL(/\/console\/library\/[0-9a-f-]{36}$/)
  const id = tab.page.url().slice(-36)
  const answer = await tab.page.request.get(`/console/api/library/${id}`)
  const text = await answer.text()
  for (const value of shown) check(text.includes(value), `${name}: ${value} is not in the draft`)
  totals.saves += 1
}

const round = async (tabs: readonly [Tab, Tab], number: number): Promise<void> => {
  const roll = seeded(number)
  const key = `new-${number.toString(16).padStart(32, '0')}`
  const path = `/console/library/new?copy=${key}`
  chain = new Map()
  offered.clear()
  for (const tab of tabs) tab.seen.clear()
  for (const tab of tabs) await open(tab, path)
  for (let act = 0; act < ACTS; act += 1) {
    const tab = tabs[roll(2)] ?? tabs[0]
    await actOnce(tab, key, path, roll, `round ${number} act ${act}`)
    totals.acts += 1
    if (roll(2) === 0) await tab.page.waitForTimeout(roll(1500))
  }
  for (const tab of roll(2) === 0 ? tabs : tabs.toReversed()) await save(tab, `round ${number} save`)
  checkChain(`round ${number}`)
  for (const { page } of tabs) await page.goto('/console/library')
}

// The fixture's stores load tap, which ends a process after 30 seconds.
t.setTimeout(0)

const ends: Array<() => unknown> = []
const stage = {
  testdir: () => join(folder, 'console'),
  teardown: (end: () => unknown) => void ends.push(end),
}
const { baseURL, signIn, fixture } = await openConsole(stage as never, assets)
// The clock of tests stands still: a copy that is made after another one was deleted would have its version.
const ticking = setInterval(() => fixture.clock.advance(5), 5)
const settings = { baseURL, locale: 'en-GB', expected: [/^console: .*\b4(?:04|12)\b/] }

/** Returns a tab that answers each question before leaving with yes. */
const tabOf = (page: Page): Tab => {
  const tab: Tab = { page, seen: new Set(), wasAsked: false }
  page.on('dialog', (dialog) => {
    tab.wasAsked = true
    void dialog.accept()
  })
  return tab
}

await inPage(browser, settings, async (page) => {
  const context = page.context()
  await context.addCookies([await signIn('Camille')])
  await context.addInitScript(REPORT_STORED)
  const tabs = [tabOf(page), tabOf(await context.newPage())] as const
  await context.exposeBinding('noteStored', (source, updatedAt: string, version: string, fields: string) => {
    const tab = tabs.find((one) => one.page === source.page)
    chain.set(updatedAt, { version, values: valuesOf(fields), seen: new Set(tab?.seen) })
  })
  for (let number = seed; number < seed + rounds; number += 1) {
    await round(tabs, number)
    progress(`${number - seed + 1} interleavings`)
  }
})
clearInterval(ticking)
for (const end of ends.toReversed()) await end()
await browser.close()
report(totals)
