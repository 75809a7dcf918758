import type { LabelId, LabelName } from '@almoner/domain/values'
import { done } from '@almoner/testkit/contracts'
import t from 'tap'
import { loadFiles } from '../support/portfolio.ts'
import { addPosts, addPublication, browser, DESKTOP, openSignedOut, scenario } from '../support/scenario.ts'

t.teardown(() => browser.close())

/** Text that does something wherever it is taken for HTML. */
const HTML = '"><img src=x onerror=owned()><b id=owned>'

t.test('M6: text of donors and colleagues is text on every page, never HTML', async (t) => {
  await scenario(t, { ...DESKTOP, as: 'Oda' }, async (page, { fixture }) => {
    const label = { labelId: 'water' as LabelId, en: HTML as LabelName, fr: HTML as LabelName }
    await done(fixture.ports.labels.replaceAll([label]))
    const id = await addPublication(fixture, { itemTitle: HTML, itemDescription: HTML })
    await addPosts(fixture, HTML)
    await loadFiles(fixture)
    const paths = ['', '/library', `/library/${id}`, `/library/${id}/translation`, `/library/${id}/history`]
    paths.push(`/library/${id}/preview`, '/feed', '/queue', '/queue?view=overview', '/audit', '/calendar')
    paths.push(`/notifications/new?item=${id}`, `/library?q=${encodeURIComponent(HTML)}`)
    for (const path of paths) {
      await page.goto(`/console${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.locator('.loading').first().waitFor({ state: 'detached' })
      t.equal(await page.locator('#owned, img[src="x"]').count(), 0, path)
    }
  })
})

t.test('M3: a sign-in leads to pages of the console only', async (t) => {
  await scenario(t, { ...DESKTOP, isSignedOut: true }, async (page, { baseURL, newToken }) => {
    for (const to of [
      'https://example.org/',
      '//example.org/console',
      '/\\example.org',
      'javascript:alert(1)',
      '/console/../../static/x',
      '/console@example.org',
    ]) {
      await openSignedOut(page, `/console/sign-in?to=${encodeURIComponent(to)}`)
      await page
        .getByRole('textbox')
        .first()
        .fill(`${baseURL}/console/enter#${await newToken()}`)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: /Hello|no such page/ }).waitFor()
      const { origin, pathname } = new URL(page.url())
      t.equal(origin, baseURL, to)
      t.match(pathname, /^\/console(?:\/|$)/, to)
    }
  })
})
