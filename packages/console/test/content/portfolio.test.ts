import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { zipOf } from '../../../adapters-node/test/support/zip.ts'
import { dropOn } from '../support/drop.ts'
import { FILES, loadFiles, writeFiles } from '../support/portfolio.ts'
import { browser, DESKTOP, looksRight, PHONE, proveByLink, REFUSED, scenario } from '../support/scenario.ts'

t.teardown(() => browser.close())

t.test(
  'H1: the portfolio is searched, read and exported; a load of the export changes nothing',
  async (t) => {
    await scenario(t, DESKTOP, async (page, { fixture }) => {
      await page.goto('/console/portfolio')
      await page.getByRole('heading', { name: 'There is no portfolio yet' }).waitFor()
      await loadFiles(fixture)
      await page.getByText('Our portfolio').waitFor()
      const sectors = page.getByRole('region', { name: 'Sectors' })
      await sectors.getByText('Eau').waitFor()
      const download = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Export' }).press('Enter')
      const archive = await (await download).path()
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
      await page.goto('/console/portfolio/load')
      const chooser = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Choose a zip archive' }).press('Enter')
      const exported = { name: 'portfolio.zip', mimeType: 'application/zip', buffer: readFileSync(archive) }
      await (await chooser).setFiles(exported)
      await page.getByText('These files are the portfolio as it is.').waitFor()
    })
  },
)

t.test(
  'texts that lack a language or their highlight are named, and lead to their organization',
  async (t) => {
    await scenario(t, DESKTOP, async (page, { fixture }) => {
      await loadFiles(fixture)
      await page.goto('/console/portfolio')
      await page.getByText('2 texts need attention').press('Enter')
      await page.getByText('The summary: French is missing').waitFor()
      await looksRight(t, page, 'findings')
      await page.getByRole('group').getByRole('link', { name: 'Wells of Acme' }).click()
      const own = page.getByRole('region', { name: '1 text needs attention' })
      await own.getByText('The summary: the highlight does not occur in the text (French)').waitFor()
      await page.getByText('The highlight does not occur in the text: “sept villages”').waitFor()
      await page.goto('/console/portfolio/organizations/unknown')
      await page.getByRole('heading', { name: 'There is no such organization' }).waitFor()
    })
  },
)

/** The files with another name of an organization, and one organization less. */
const CHANGED = {
  ...FILES,
  'organizations.json': FILES['organizations.json']?.replace('Wells of Acme', 'Acme Wells') ?? '',
}

const BAD = {
  ...CHANGED,
  'datasets.csv': 'id,year,beneficiaries,staffHeadcount,budget,budgetCurrency\nacme,2015,many,12,1,EUR\n',
  'summaries.json': '[\n{"id":"unknown","lang":"en","text":"Text"}\n]',
}

t.test(
  'H1: a folder is checked: bad rows by file and line, nothing written; then it is loaded',
  async (t) => {
    await scenario(t, { ...DESKTOP, expected: [REFUSED] }, async (page, { fixture, newToken }) => {
      await loadFiles(fixture)
      const folder = join(t.testdirName, 'ours')
      writeFiles(folder, BAD)
      await page.goto('/console/portfolio')
      await page.getByRole('link', { name: 'Load from files' }).click()
      const choose = async () => {
        const chooser = page.waitForEvent('filechooser')
        await page.getByRole('button', { name: 'Choose a folder' }).press('Enter')
        await (await chooser).setFiles(folder)
      }
      await choose()
      const faults = page.getByRole('region', { name: '2 errors in the files' })
      await faults.getByRole('heading', { name: 'datasets.csv' }).waitFor()
      await faults.getByText('Line 2: beneficiaries "many" must be a whole number').waitFor()
      await faults.getByText('Line 2: id "unknown" is no organization of this portfolio').waitFor()
      await looksRight(t, page, 'errors')
      const names = async () => (await fixture.call('GET', '/portfolio/organization/', { as: 'user' })).text()
      t.match(await names(), 'Wells of Acme', 'nothing has changed')
      writeFiles(folder, CHANGED)
      await choose()
      const plan = page.getByRole('region', { name: '1 organization changes' })
      await plan.getByText('Organizations: 1 changed').waitFor()
      const steps = page.getByRole('list', { name: 'Steps' })
      t.equal(await steps.locator('[aria-current="step"]').textContent(), 'Agree')
      await plan.getByText('Differences of Acme Wells').press('Enter')
      await plan.getByText('Organizations changed', { exact: true }).waitFor()
      const name = plan.getByRole('definition').filter({ hasText: 'Acme' })
      t.match(await name.locator('del').allTextContents(), [/Wells of $/])
      await plan.getByRole('row', { name: /^Organizations replaces it / }).waitFor()
      await looksRight(t, page, 'plan')
      fixture.clock.advance(6 * 60_000)
      await page.getByRole('button', { name: 'Load these files' }).press('Enter')
      const question = page.getByRole('dialog', { name: 'Load these files into the portfolio?' })
      await question.getByText('0 organizations are added, 1 changed, 0 removed').waitFor()
      await page.locator('.act:not([aria-disabled])').waitFor()
      await question.getByRole('button', { name: 'Load these files' }).press('Enter')
      await proveByLink(page, await newToken())
      await page.keyboard.press('Enter')
      await page.getByText('The files have been loaded.').waitFor()
      await page.getByRole('link', { name: 'Acme Wells' }).click()
      await page.getByRole('heading', { name: 'Acme Wells', level: 1 }).waitFor()
      t.match(await names(), 'Acme Wells')
    })
  },
)

t.test(
  'M8: on a phone, in French and dark, an archive is checked, and one that is broken is refused',
  async (t) => {
    await scenario(t, { ...PHONE, language: 'fr', expected: [REFUSED] }, async (page, { fixture }) => {
      await page.goto('/console/portfolio/load')
      const choose = async (buffer: Buffer) => {
        const chooser = page.waitForEvent('filechooser')
        await page.getByRole('button', { name: 'Choisir une archive zip' }).tap()
        await (await chooser).setFiles({ name: 'ours.zip', mimeType: 'application/zip', buffer })
      }
      await choose(Buffer.from('no archive'))
      await page
        .getByText(/n’est pas une archive zip lisible/)
        .first()
        .waitFor()
      await choose(
        zipOf(...Object.entries(BAD).map(([name, content]) => ({ name: `ours/${name}`, content }))),
      )
      await page.getByText('Ligne 2 : beneficiaries « many » doit être un nombre entier').waitFor()
      await looksRight(t, page, 'erreurs')
      const { portfolioImageChecker: checker } = fixture.ports
      const { check } = checker
      const gate = Promise.withResolvers<void>()
      let checked = 0
      checker.check =
        (...given) =>
        async () => {
          checked += 1
          if (checked === 2) await gate.promise
          return check(...given)()
        }
      await choose(
        zipOf(...Object.entries(FILES).map(([name, content]) => ({ name: `ours/${name}`, content }))),
      )
      await page.getByText('Vérification des images : 1 sur 2').waitFor()
      await looksRight(t, page, 'vérification')
      gate.resolve()
      await page.getByRole('heading', { name: '2 organisations changent' }).waitFor()
      await looksRight(t, page, 'changements')
    })
  },
)

t.test(
  'H1: a folder, a zip archive, and single files and folders are dropped from a file manager',
  async (t) => {
    await scenario(t, DESKTOP, async (page, { fixture }) => {
      await loadFiles(fixture)
      const folder = join(t.testdirName, 'ours')
      writeFiles(folder, BAD)
      const archive = join(t.testdirName, 'ours.zip')
      writeFileSync(archive, zipOf(...Object.entries(CHANGED).map(([name, content]) => ({ name, content }))))
      await page.goto('/console/portfolio/load')
      const zone = page.locator('.drop-zone')
      const faults = page.getByRole('region', { name: '2 errors in the files' })
      const plan = page.getByRole('region', { name: '1 organization changes' })
      await dropOn(page, zone, [folder])
      await faults.waitFor()
      await dropOn(page, zone, [archive])
      await plan.waitFor()
      t.equal(await faults.count(), 0)
      await dropOn(
        page,
        zone,
        readdirSync(folder).map((name) => join(folder, name)),
      )
      await faults.waitFor()
      t.equal(await plan.count(), 0)
    })
  },
)
