import t from 'tap'
import { loadFiles } from './support/portfolio.ts'
import { browser, DESKTOP, looksRight, scenario } from './support/scenario.ts'

t.teardown(() => browser.close())

t.test(
  'the portfolio is searched and read: sectors, texts in both languages, figures with a table',
  async (t) => {
    await scenario(t, DESKTOP, async (page, { rig }) => {
      await page.goto('/console/portfolio')
      await page.getByRole('heading', { name: 'There is no portfolio yet' }).waitFor()
      await loadFiles(rig)
      await page.getByText('Our portfolio').waitFor()
      const sectors = page.getByRole('region', { name: 'Sectors' })
      await sectors.getByText('Eau').waitFor()
      await page.getByRole('searchbox', { name: 'Search' }).fill('bicycle')
      await page.getByRole('link', { name: 'Wells of Acme' }).waitFor({ state: 'detached' })
      await page.getByRole('link', { name: 'Zenith Bicycle Nurses' }).waitFor()
      await page.getByRole('searchbox', { name: 'Search' }).fill('')
      await page.getByRole('link', { name: 'Wells of Acme' }).press('Enter')
      await page.getByRole('heading', { name: 'Wells of Acme', level: 1 }).waitFor()
      const french = page.getByRole('region', { name: 'French' })
      await french.getByText('acme creuse des puits.').waitFor()
      const english = page.getByRole('region', { name: 'English' })
      t.equal(await english.getByText('six villages', { exact: true }).count(), 1, 'the highlight is marked')
      const chart = page.getByRole('figure', { name: 'Beneficiaries' })
      await chart.getByRole('img', { name: 'Beneficiaries: from 1,200 (2015) to 2,300 (2017)' }).waitFor()
      await chart.getByText('Show as a table').press('Enter')
      await chart.getByRole('row', { name: '2016 1,450' }).waitFor()
      await looksRight(t, page, 'organization')
      t.ok(
        await page.evaluate(
          '[...document.images].every((image) => image.complete && image.naturalWidth > 0)',
        ),
        'images are shown',
      )
    })
  },
)

t.test(
  'texts that lack a language or their highlight are named, and lead to their organization',
  async (t) => {
    await scenario(t, DESKTOP, async (page, { rig }) => {
      await loadFiles(rig)
      await page.goto('/console/portfolio')
      await page.getByText('2 texts need attention').press('Enter')
      await page.getByText('The summary: French is missing').waitFor()
      await looksRight(t, page, 'findings')
      await page.getByRole('group').getByRole('link', { name: 'Wells of Acme' }).click()
      const own = page.getByRole('region', { name: '1 text needs attention' })
      await own.getByText('The summary: the highlight does not occur in the text (French)').waitFor()
      await page.getByText('The highlight does not occur in the text: “sept villages”').waitFor()
      await page.goto('/console/portfolio/organizations/nobody')
      await page.getByRole('heading', { name: 'There is no such organization' }).waitFor()
    })
  },
)
