import t from 'tap'
import {
  addPublication,
  browser,
  DESKTOP,
  FILE,
  looksRight,
  PUBLICATION,
  REFUSED,
  scenario,
} from '../support/scenario.ts'

t.teardown(() => browser.close())

const BASE = '/charity/almoner'

for (const manner of ['hands on', 'takes off'] as const)
  t.test(`M13: all of the console works below ${BASE}, which the proxy ${manner}`, async (t) => {
    const base = { path: BASE, manner }
    await scenario(
      t,
      { ...DESKTOP, base, isSignedOut: true, expected: [REFUSED, /\b404\b.*\/console\/nowhere$/] },
      async (page, { fixture, newToken, endSessions }) => {
        const paths: Array<string> = []
        page.on('request', (request) => {
          const { protocol, pathname } = new URL(request.url())
          // A chosen image is shown from the memory of the page.
          if (protocol !== 'blob:') paths.push(pathname)
        })
        const id = await addPublication(fixture, {}, 'Live')

        await page.goto(`${BASE}/console/library`)
        await page.getByRole('heading', { name: 'Welcome to Almoner' }).waitFor()
        t.match(page.url(), `${BASE}/console/sign-in?to=`)
        await page
          .getByRole('textbox', { name: 'Your sign-in link' })
          .fill(`https://x${BASE}/console/enter#${await newToken()}`)
        await page.getByRole('button', { name: 'Sign in', exact: true }).click()
        await page.getByRole('heading', { name: 'Library', level: 1 }).waitFor()
        t.match(page.url(), new RegExp(`${BASE}/console/library$`), 'the page that was wanted')
        await looksRight(t, page, 'library below a path')
        const current = page.getByRole('navigation').locator('[aria-current=page]')
        t.equal(await current.getAttribute('href'), `${BASE}/console/library`)

        await page.getByRole('link', { name: PUBLICATION.itemTitle }).click()
        const title = page.getByRole('textbox', { name: 'Title' })
        await title.waitFor()
        t.match(page.url(), `${BASE}/console/library/${id}`)
        const shown = page.locator('img').first()
        await shown.waitFor()
        t.match(await shown.getAttribute('src'), `${BASE}/static/media/`)
        const width = await page.evaluate(
          'document.images[0].decode().then(() => document.images[0].naturalWidth)',
        )
        t.ok(Number(width) > 0, 'an image')
        const uploaded = page.waitForResponse((answer) => answer.url().endsWith('/media/cover'))
        await page.locator('input[type=file]').first().setInputFiles(FILE)
        await page.getByRole('dialog').getByRole('button', { name: 'Replace: Cover' }).click()
        t.equal((await uploaded).status(), 200, 'an upload')
        await title.fill('Cleaner water')
        // The upload may have made the first save outdated: the editor merges, and saves again.
        const saved = page.waitForResponse(
          (answer) =>
            answer.ok() && answer.request().method() === 'POST' && answer.url().endsWith(`/library/${id}`),
        )
        await page.getByRole('button', { name: 'Save' }).click()
        await saved

        await page.goto(`${BASE}/console/library`)
        await page.getByRole('link', { name: 'Cleaner water' }).waitFor()
        const opened = page.waitForRequest((request) => request.url().endsWith('/console/api/events'))
        await page.reload()
        await opened
        await addPublication(fixture, { itemTitle: 'Written elsewhere' })
        await page.getByRole('link', { name: 'Written elsewhere' }).waitFor()

        await page.keyboard.press('ControlOrMeta+k')
        const palette = page.getByRole('dialog', { name: 'Search and acts' })
        await palette.getByRole('menuitem', { name: 'Feed', exact: true }).click()
        await page.getByRole('heading', { name: 'Feed', level: 1 }).waitFor()
        await page.goto(`${BASE}/console/nowhere`)
        await page.getByRole('main').getByRole('link').click()
        await page.getByRole('heading', { name: 'Hello, Camille' }).waitFor()

        await endSessions()
        await page.reload()
        await page.getByRole('heading', { name: 'Welcome to Almoner' }).waitFor()
        await page.goto(`${BASE}/console/enter#${await newToken()}`)
        await page.getByRole('button', { name: 'Sign in as Camille' }).click()
        await page.getByRole('heading', { name: 'Hello, Camille' }).waitFor()
        t.match(page.url(), new RegExp(`${BASE}/console$`))
        t.same(
          paths.filter((path) => !path.startsWith(`${BASE}/`)),
          [],
          'no request goes to another path',
        )
      },
    )
  })
