import type { Page } from '@almoner/browser'
import t from 'tap'
import { addPosts, browser, DESKTOP, looksRight, PHONE, scenario } from '../support/scenario.ts'

t.teardown(() => browser.close())

/** Waits until presses act on the post that is shown. */
const isSeen = (page: Page) => page.locator('.decide:not([aria-disabled])').waitFor()

t.test('the queue is worked with keys: next, approve, undo, archive', async (t) => {
  await scenario(t, DESKTOP, async (page, { fixture }) => {
    await addPosts(fixture, 'First', 'Second', 'Third')
    await page.goto('/console/queue')
    await page.getByRole('heading', { name: 'First' }).waitFor()
    await page.getByText('amina@example.org').waitFor()
    await looksRight(t, page, 'queue')
    await page.keyboard.press('j')
    await page.getByRole('heading', { name: 'Second' }).waitFor()
    await page.keyboard.press('k')
    await page.getByRole('heading', { name: 'First' }).waitFor()
    await isSeen(page)
    await page.keyboard.press('a')
    const latest = page.getByRole('status')
    await page.getByRole('button', { name: 'Undo: “First”' }).first().waitFor()
    t.equal(await latest.getByText('Approved: “First”').count(), 1)
    await page.keyboard.press('z')
    await page.getByRole('heading', { name: 'First' }).waitFor()
    await page.getByText('1 of 3 waiting posts').waitFor()
    for (const [key, title] of [
      ['r', 'First'],
      ['a', 'Second'],
      ['a', 'Third'],
    ] as const) {
      await page.getByRole('heading', { name: title }).waitFor()
      await isSeen(page)
      await page.keyboard.press(key)
      await page
        .getByRole('button', { name: `Undo: “${title}”` })
        .first()
        .waitFor()
    }
    await page.getByRole('heading', { name: 'Nothing waits' }).waitFor()
    await looksRight(t, page, 'queue with last acts')
    const live = async () => {
      const answer = await fixture.call('GET', '/feed/', { as: 'user' })
      const { items } = (await answer.json()) as { items: ReadonlyArray<{ item: { itemTitle: string } }> }
      return items.map(({ item }) => item.itemTitle)
    }
    t.strictSame(await live(), ['Third', 'Second'])
    const acts = page.getByRole('region', { name: 'Your last acts' })
    await acts.getByRole('button', { name: 'Undo: “Second”' }).click()
    await acts.getByText('Undone, waits again: “Second”').waitFor()
    await page.getByRole('heading', { name: 'Second' }).waitFor()
    t.strictSame(await live(), ['Third'], 'M12: each act has its undo, not only the last')
  })
})

t.test('M8: on a phone, in French and dark, a post is approved by touch', async (t) => {
  await scenario(t, { ...PHONE, language: 'fr' }, async (page, { fixture }) => {
    await addPosts(fixture, 'Un puits au village')
    await page.goto('/console')
    await page.getByRole('link', { name: 'À valider' }).tap()
    await page.getByRole('heading', { name: 'Un puits au village' }).waitFor()
    await looksRight(t, page, 'file')
    await page.getByRole('button', { name: 'Approuver' }).tap()
    await page.getByText('Approuvé : « Un puits au village »').first().waitFor()
    await page.getByRole('heading', { name: 'Rien n’attend' }).waitFor()
  })
})

t.test('L3: the donor of a post learns why it is not taken; earlier posts and an overview', async (t) => {
  await scenario(t, { ...DESKTOP, language: 'fr' }, async (page, { fixture }) => {
    await addPosts(fixture, 'First', 'Second', 'Third')
    await page.goto('/console/queue?view=overview')
    const third = page.getByRole('link', { name: 'Third', exact: true })
    await third.waitFor()
    await looksRight(t, page, 'overview')
    await page.keyboard.press('a')
    await third.click()
    await page.getByRole('heading', { name: 'Third' }).waitFor()
    const earlier = page.getByRole('region', { name: 'Déjà envoyé par le même donateur' })
    await earlier.getByRole('link', { name: 'First' }).waitFor()
    t.same(await earlier.getByRole('link').allTextContents(), ['Second', 'First'])
    await page.keyboard.press('w')
    const dialog = page.getByRole('dialog', { name: 'Pourquoi ne pas retenir « Third » ?' })
    await dialog.getByRole('button', { name: 'Déjà publié' }).click()
    const text = dialog.getByLabel('Ce que lit le donateur')
    t.equal(
      await text.inputValue(),
      'Thank you! We have published this already.',
      'in the language of the post',
    )
    await looksRight(t, page, 'reason')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Dire pourquoi non' }).click()
    t.match(await text.inputValue(), /published this already/, 'M12: a cancelled act loses no text')
    await text.fill('Trop sombre')
    await dialog.locator('.act:not([aria-disabled])').waitFor()
    await dialog.getByRole('button', { name: 'Archiver le post avec cette raison' }).click()
    await page.getByText('Archivé : « Third »').first().waitFor()
    await page.getByRole('heading', { name: 'Second' }).waitFor()
    const reasons = async () => {
      const query = { include: 'reason' }
      const answer = await fixture.call('GET', '/user/me/feed', { as: 'donor', query })
      const { items } = (await answer.json()) as { items: ReadonlyArray<{ item: { reason: string } }> }
      return items.map(({ item }) => item.reason)
    }
    await page.getByRole('button', { name: 'Revenir en arrière : « Third »' }).first().waitFor()
    t.same(await reasons(), ['Trop sombre', '', ''])
    await page.getByRole('button', { name: 'Revenir en arrière : « Third »' }).first().click()
    await page.getByRole('heading', { name: 'Third' }).waitFor()
    t.same(await reasons(), ['', '', ''], 'M12: undo takes the reason back too')
  })
})

t.test('M12: a held key, a double click and a double tap decide on one post', async (t) => {
  await scenario(t, { ...DESKTOP, hasTouch: true }, async (page, { fixture }) => {
    await addPosts(fixture, 'One', 'Two', 'Three', 'Four')
    await page.goto('/console/queue')
    const approve = page.getByRole('button', { name: 'Approve' })
    const isNext = async (title: string) => {
      await page.getByRole('heading', { name: title }).waitFor()
      await isSeen(page)
    }
    await isNext('One')
    // Playwright repeats a key that is down already.
    for (let press = 0; press < 10; press += 1) await page.keyboard.down('a')
    await isNext('Two')
    for (let press = 0; press < 10; press += 1) await page.keyboard.down('a')
    await page.keyboard.up('a')
    t.equal(await page.getByRole('heading', { name: 'Two' }).count(), 1, 'a key that is held on')
    await approve.dblclick()
    await isNext('Three')
    const { x = 0, y = 0, width = 0, height = 0 } = (await approve.boundingBox()) ?? {}
    for (let tap = 0; tap < 2; tap += 1) await page.touchscreen.tap(x + width / 2, y + height / 2)
    await isNext('Four')
    await approve.focus()
    await page.keyboard.down('Enter')
    await page.getByRole('heading', { name: 'Four' }).waitFor()
    await page.keyboard.up('Enter')
    await page.getByRole('heading', { name: 'Nothing waits' }).waitFor()
    t.equal(await page.getByRole('region', { name: 'Your last acts' }).getByRole('listitem').count(), 4)
  })
})

/** What a page has shown and decided, by its own clock. */
interface Log {
  readonly shown: Array<{ readonly title: string; readonly at: number }>
  readonly decided: Array<{ readonly title: string; readonly for: number }>
}

/** Keeps a log of the posts that are shown, and of decisions with the time for which their posts had been shown. Runs in the page. */
const keepLog = (): void => {
  const page = globalThis as unknown as {
    log: Log
    document: { querySelector: (selector: string) => { textContent: string } | null }
    fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>
    MutationObserver: new (run: () => void) => { observe: (node: unknown, options: object) => void }
  }
  page.log = { shown: [], decided: [] }
  const note = () => {
    const title = page.document.querySelector('#post-title')?.textContent ?? ''
    if (page.log.shown.at(-1)?.title !== title) page.log.shown.push({ title, at: performance.now() })
  }
  new page.MutationObserver(note).observe(page.document, {
    subtree: true,
    childList: true,
    characterData: true,
  })
  const { fetch } = page
  page.fetch = async (input, init) => {
    const request = new Request(input, init)
    const { status, itemTitle } = (request.method === 'POST' ? await request.clone().json() : {}) as {
      status?: string
      itemTitle?: string
    }
    if (status !== undefined) {
      const index = page.log.shown.findLastIndex(({ title }) => title === itemTitle)
      const [from, to] = [page.log.shown[index]?.at ?? 0, page.log.shown[index + 1]?.at ?? 0]
      page.log.decided.push({ title: itemTitle ?? '', for: to - from })
    }
    return fetch(input, init)
  }
}

/** Presses keys, and the button with the mouse or by touch, at once. Runs in the page. */
const pressAll = (presses: ReadonlyArray<string>): void => {
  const page = globalThis as unknown as {
    document: { querySelector: (selector: string) => EventTarget | null }
    KeyboardEvent: new (name: string, options: object) => Event
    PointerEvent: new (name: string, options: object) => Event
  }
  for (const press of presses) {
    const options = {
      bubbles: true,
      cancelable: true,
      key: press,
      pointerId: 1,
      button: 0,
      pointerType: 'mouse',
    }
    if (press.length === 1) {
      page.document.querySelector('main')?.dispatchEvent(new page.KeyboardEvent('keydown', options))
    } else {
      const button = page.document.querySelector('.decide .primary')
      button?.dispatchEvent(new page.PointerEvent(press, { ...options, width: 1, height: 1, detail: 1 }))
    }
  }
}

t.test(
  'M12: no sequence of 2,000 presses decides on a post that was not shown for half a second',
  async (t) => {
    await scenario(t, DESKTOP, async (page, { fixture }) => {
      await addPosts(fixture, ...Array.from({ length: 40 }, (_, number) => `Post ${number}`))
      await page.clock.install({ time: '2026-05-01T12:00:00Z' })
      await page.addInitScript(keepLog)
      await page.goto('/console/queue')
      await page.clock.runFor(1000)
      await page.getByRole('heading', { name: 'Post 0' }).waitFor()
      let seed = 20260501
      const random = (below: number) => {
        seed = (seed * 1103515245 + 12345) % 2147483648
        return Math.floor((seed / 2147483648) * below)
      }
      const kinds = ['a', 'a', 'r', 'j', 'k', 'z', 'pointerdown', 'pointerup', 'click']
      let presses = 0
      while (presses < 2000) {
        const some = Array.from({ length: 1 + random(24) }, () => kinds[random(kinds.length)] ?? 'a')
        presses += some.length
        await page.evaluate(pressAll, some)
        await page.clock.runFor(random(3) === 0 ? 600 : random(450))
      }
      const { decided } = await page.evaluate(() => Reflect.get(globalThis, 'log') as Log)
      t.ok(decided.length > 20, `${decided.length} decisions`)
      t.strictSame(
        decided.filter((decision) => decision.for < 500),
        [],
      )
    })
  },
)
