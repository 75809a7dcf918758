import { readFile } from 'node:fs/promises'
import { done, sampleDevice } from '@almoner/testkit/contracts'
import fc from 'fast-check'
import t from 'tap'
import { replyJson } from '../../../../testing/push-providers/src/index.ts'
import { notify, review, seconds } from '../../../adapters-http/test/support/notifications.ts'
import { withFcm } from '../../../adapters-push/test/fcm.ts'
import { csvOf } from '../../src/results/csv.ts'
import {
  addPosts,
  addPublication,
  browser,
  DESKTOP,
  looksRight,
  PHONE,
  scenario,
} from '../support/scenario.ts'

t.teardown(() => browser.close())

t.test('a table as CSV has each text as it is, and none that a spreadsheet takes for a formula', async () => {
  const cell = fc.oneof(fc.integer(), fc.string(), fc.constantFrom('a,b', 'a"b', 'a\nb', '=1+1', '@x'))
  const table = fc.record({
    columns: fc.array(fc.string(), { minLength: 2, maxLength: 2 }),
    rows: fc.array(fc.tuple(cell, cell)),
  })
  /** Reads CSV by RFC 4180. */
  const read = (text: string) => {
    const cells = [...text.slice(1).matchAll(/("(?:[^"]|"")*"|[^,\r\n]*)(,|\r\n)/g)]
    return cells.map(([, value = '']) =>
      value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value,
    )
  }
  fc.assert(
    fc.property(table, ({ columns, rows }) => {
      const values = [columns, ...rows].flat()
      const found = read(csvOf({ columns, rows }))
      return found.every((text, at) => {
        const value = values[at]
        if (typeof value === 'number') return text === String(value)
        return !/^[=+@\t\r-]/.test(text) && (text === value || text === `'${value}`)
      })
    }),
  )
})

t.test('G7, F6, B8: results by month, with CSV, for paper, and on the phone', async (t) => {
  await scenario(t, DESKTOP, async (page, { fixture }) => {
    const { fcm, gateway } = await withFcm(t)
    fcm.always('token-1', replyJson(404, { error: { status: 'NOT_FOUND' } }))
    for (const n of [1, 2, 3]) await done(fixture.ports.devices.attach(sampleDevice(n)))
    await notify(fixture, { title: 'Six new wells', date: seconds('2026-05-01T08:00:00Z') })
    await review(fixture, gateway, 2)
    await addPublication(fixture, {}, 'Live')
    await addPublication(fixture, { itemPublicationDate: '2025-02-01', lang: 'fr' }, 'Live')
    await addPosts(fixture, 'Waits')
    await page.goto('/console')
    await page.getByRole('link', { name: 'Results', exact: true }).click()
    const publications = page.getByRole('region', { name: 'Publications', exact: true }).first()
    await publications.getByRole('row', { name: 'All of them 1 0' }).waitFor()
    const sent = page.getByRole('region', { name: 'Notifications', exact: true }).first()
    await sent
      .getByRole('row', { name: 'May 2026 1 3 0 0 0' })
      .or(sent.getByRole('row', { name: /^May 2026 1 / }))
      .waitFor()
    await page.getByRole('row', { name: 'English 3 0' }).waitFor()
    await page.getByRole('row', { name: 'Everything 3 0' }).waitFor()
    await looksRight(t, page, 'results')
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as CSV: Publications' }).click(),
    ])
    t.equal(saved.suggestedFilename(), 'library.csv')
    t.match(await readFile((await saved.path()) ?? '', 'utf8'), /^\uFEFFMonth,English,French\r\n/)
    await page.getByLabel('Months').selectOption('2025')
    await publications.getByRole('row', { name: 'Feb 2025 0 1' }).waitFor()
    t.match(page.url(), /year=2025/)
    await page.emulateMedia({ media: 'print' })
    t.equal(await page.getByRole('button', { name: 'Print' }).count(), 0, 'paper has no buttons')
    t.equal(await page.getByRole('navigation').count(), 0)
  })
  await scenario(t, { ...PHONE, language: 'fr' }, async (page) => {
    await page.goto('/console/results')
    await page.getByRole('heading', { name: 'Résultats' }).waitFor()
    await page.getByText('Rien pour l’instant.').first().waitFor()
    await looksRight(t, page, 'résultats')
  })
})
