import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inPage, type Page } from '@almoner/browser'
import t from 'tap'
import { IMAGE_FOLDER } from '../../../../testing/corpus/test/images.ts'
import { openConsole } from '../support/console-server.ts'
import { dropOn } from '../support/drop.ts'
import {
  addPublication,
  assets,
  browser,
  DESKTOP,
  FILE,
  looksRight,
  PUBLICATION,
  photo,
  REFUSED,
  scenario,
} from '../support/scenario.ts'
import { interleave } from '../support/two-editors.ts'

t.teardown(() => browser.close())

t.test('M7: a publication is written and published; what is missing is listed with links', async (t) => {
  await scenario(t, { ...DESKTOP, expected: [REFUSED] }, async (page, { fixture }) => {
    await page.goto('/console/library')
    await page.getByRole('heading', { name: 'The library is empty' }).waitFor()
    await page.getByRole('link', { name: 'New publication' }).first().click()
    const publish = page.getByRole('button', { name: 'Publish' })
    await publish.click()
    const alert = page.getByRole('alert').filter({ hasText: 'missing before' })
    await alert.getByRole('link', { name: 'Title: Fill this in.' }).click()
    await page.keyboard.type('Clean water')
    await page.getByRole('textbox', { name: 'Text' }).fill('A new well.')
    await page.getByRole('textbox', { name: 'Link' }).fill('https://example.org/well')
    await page.getByRole('spinbutton', { name: 'day' }).click()
    await page.keyboard.type('1/2/27')
    // Past the button of the calendar.
    for (const key of ['Tab', 'Tab']) await page.keyboard.press(key)
    t.match(
      await page.getByRole('spinbutton', { name: 'year' }).textContent(),
      '2027',
      'B8: a year of two digits',
    )
    await page.getByText('Water', { exact: true }).click()
    await publish.click()
    await alert.getByRole('link', { name: 'Cover: Add a cover.' }).waitFor()
    await looksRight(t, page, 'editor with errors')
    await page.locator('input[type=file]').first().setInputFiles(FILE)
    await page.getByRole('img', { name: 'Cover, as it is now' }).waitFor()
    const file = join(t.testdirName, 'photo.jpg')
    writeFileSync(file, photo)
    await dropOn(page, page.getByText('Drop an image here'), [file])
    await page.getByRole('img', { name: 'Image for notifications, as it is now' }).waitFor()
    await page.getByText('Health', { exact: true }).click()
    await publish.click()
    await page.getByText('Published. Readers see it now.').waitFor()
    t.match(page.url(), /\/console\/library\/[0-9a-f-]{36}$/)
    const readers = page.getByRole('table', { name: 'Who sees the saved version' })
    await readers.getByRole('row', { name: 'Donors Yes No' }).waitFor()
    const answer = await fixture.call('GET', '/library/', { as: 'user', query: { include: 'labels' } })
    t.match(await answer.json(), {
      items: [
        {
          item: {
            itemTitle: 'Clean water',
            labels: [{}, {}],
            itemPublicationDate: '2027-02-01',
            status: 'Live',
          },
        },
      ],
    })
  })
})

t.test('C13: a save through a proxy that changes tags works, and is repeated twice at most', async (t) => {
  await scenario(t, { ...DESKTOP, expected: [REFUSED, REFUSED, REFUSED] }, async (page, { fixture }) => {
    const id = await addPublication(fixture)
    let form = (tag: string) => tag.replace(/^(?=")/, 'W/')
    let posts = 0
    await page.route(`**/console/api/library/${id}`, async (route) => {
      if (route.request().method() === 'POST') posts += 1
      const response = await route.fetch()
      const { etag, ...headers } = response.headers()
      await route.fulfill({
        response,
        headers: etag === undefined ? headers : { ...headers, etag: form(etag) },
      })
    })
    await page.goto(`/console/library/${id}`)
    const save = page.getByRole('button', { name: 'Save' })
    await page.getByRole('textbox', { name: 'Title' }).fill('Through a proxy')
    await save.click()
    await page.getByText('Saved as a draft.').waitFor()
    t.equal(posts, 1)
    form = () => '"of-no-version"'
    await page.reload()
    await page.getByRole('textbox', { name: 'Title' }).fill('Never stored')
    await save.click()
    await page.getByText('It has changed meanwhile').first().waitFor()
    t.equal(posts, 4, 'one save and two repeats')
  })
})

t.test(
  'C10: a field that only another person has changed is merged; one that both changed is asked about',
  async (t) => {
    await scenario(t, { ...DESKTOP, expected: [REFUSED] }, async (page, { fixture }) => {
      const id = await addPublication(fixture)
      const change = (fields: object) =>
        fixture.call('POST', `/library/${id}`, {
          as: 'manager',
          json: { ...PUBLICATION, status: 'Draft', ...fields },
        })
      const save = () =>
        Promise.all([
          page.waitForResponse(
            (response) => response.request().method() === 'POST' && response.status() === 200,
          ),
          page.getByRole('button', { name: 'Save' }).click(),
        ])
      await page.goto(`/console/library/${id}`)
      const title = page.getByRole('textbox', { name: 'Title' })
      await title.fill('Mine')
      await change({ itemDescription: 'Theirs' })
      await save()
      t.equal(await page.getByRole('textbox', { name: 'Text' }).inputValue(), 'Theirs')
      await title.fill('Mine again')
      await change({ itemTitle: 'Theirs', itemDescription: 'Theirs' })
      await page.getByRole('heading', { name: 'Someone else changed this' }).waitFor()
      await page.getByRole('button', { name: 'Save' }).click()
      t.equal(await page.evaluate('document.activeElement.id'), 'clashes', 'the clash comes first')
      await looksRight(t, page, 'clash')
      await page.getByRole('button', { name: 'Keep yours' }).click()
      await save()
      const read = await fixture.call('GET', `/library/${id}`, { as: 'manager' })
      t.match(await read.json(), {
        items: [{ item: { itemTitle: 'Mine again', itemDescription: 'Theirs' } }],
      })
    })
  },
)

/** Files of the corpus that the service refuses, and what a person reads about them. */
const REFUSALS: ReadonlyArray<readonly [file: string, en: string, fr: string]> = [
  ['heic-iphone.heic', 'This file is HEIC. Export it as JPEG or PNG', 'Ce fichier est au format HEIC.'],
  ['webp-named-png.png', 'This file is WebP.', 'Ce fichier est au format WebP.'],
  ['svg.svg', 'This file is SVG.', 'Ce fichier est au format SVG.'],
  ['png-animated.png', 'Choose an image that does not move.', 'une image qui ne bouge pas'],
  ['jpeg-baseline-cut-at-60.jpg', 'This file is incomplete', 'Ce fichier est incomplet'],
  ['png-bad-checksum-pixels.png', 'This image is damaged.', 'Cette image est abîmée.'],
]

/** The line in the browser's console about a refused image. */
const REFUSED_IMAGE = /^console: .*\b(?:400|415)\b.*\/media/

for (const [at, language] of (['en', 'fr'] as const).entries())
  t.test(`D7: the editor says about a file what the service says, ${language}`, async (t) => {
    await scenario(t, { ...DESKTOP, language, expected: [REFUSED_IMAGE] }, async (page, { fixture }) => {
      await page.goto(`/console/library/${await addPublication(fixture)}`)
      const field = page.locator('#field-cover')
      const choose = (file: string) =>
        field.locator('input[type=file]').setInputFiles(join(IMAGE_FOLDER, file))
      for (const [file, ...texts] of REFUSALS) {
        await choose(file)
        await field.getByText(texts[at] ?? '').waitFor()
      }
      await choose('jpeg-samsung-motion.jpg')
      await field.locator('img').waitFor()
      t.equal(await page.locator('#field-cover-errors p').count(), 0)
    })
  })

t.test('D7: a file that cannot be cropped is named when it is chosen for a new post', async (t) => {
  await scenario(t, { ...DESKTOP, expected: [REFUSED_IMAGE] }, async (page, { fixture }) => {
    await page.goto('/console/feed/new')
    await page.getByRole('textbox', { name: 'Title' }).fill('A photo')
    await page.getByRole('textbox', { name: 'Text' }).fill('From the field.')
    await page.locator('input[type=file]').setInputFiles(join(IMAGE_FOLDER, 'heic-named-jpg.jpg'))
    await page.locator('#field-media').getByText('This file is HEIC.').waitFor()
    const answer = await fixture.call('GET', '/feed/', { as: 'manager' })
    t.strictSame(await answer.json(), { items: [] }, 'nothing was created')
  })
})

t.test('D1: any photo is cropped to 400 × 560 in the page, with the arrow keys too', async (t) => {
  await scenario(t, DESKTOP, async (page, { fixture }) => {
    await page.goto('/console/feed/new')
    await page.getByRole('textbox', { name: 'Title' }).fill('A photo')
    await page.getByRole('textbox', { name: 'Text' }).fill('From the field.')
    await page.locator('input[type=file]').setInputFiles(FILE)
    const frame = page.getByRole('application')
    await frame.press('ArrowRight')
    await frame.press('+')
    await looksRight(t, page, 'crop')
    await page.getByRole('button', { name: 'Use this part' }).click()
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('Published. Readers see it now.').waitFor()
    const answer = await fixture.call('GET', '/feed/', { as: 'user' })
    t.match(await answer.json(), { items: [{ item: { itemTitle: 'A photo', itemRelatedLink: /\.jpg$/ } }] })
  })
})

const KEPT = /Your text is kept/

t.test(
  'typed text outlives the browser, is restored and discarded, and never touches the item',
  async (t) => {
    const opened = await openConsole(t, assets)
    const { fixture, baseURL } = opened
    const id = await addPublication(fixture)
    const inBrowser = (run: (page: Page) => Promise<void>) =>
      inPage(browser, { baseURL, ...DESKTOP }, async (page) => {
        await page.context().addCookies([await opened.signIn()])
        await page.goto(`/console/library/${id}`)
        await run(page)
      })
    const title = (page: Page) => page.getByRole('textbox', { name: 'Title' })
    const stored = async () => {
      const read = await fixture.call('GET', `/library/${id}`, { as: 'manager' })
      return ((await read.json()) as { items: [{ item: { itemTitle: string } }] }).items[0].item.itemTitle
    }
    await inBrowser(async (page) => {
      await title(page).fill('Half a thou')
      await page.getByText(KEPT).waitFor()
    })
    t.equal(await stored(), PUBLICATION.itemTitle)
    await fixture.call('POST', `/library/${id}`, {
      as: 'manager',
      json: { ...PUBLICATION, itemDescription: 'Theirs', status: 'Draft' },
    })
    await inBrowser(async (page) => {
      await page.getByText('You wrote this on').waitFor()
      t.equal(await title(page).inputValue(), 'Half a thou')
      t.equal(await page.getByRole('textbox', { name: 'Text' }).inputValue(), 'Theirs', 'merged')
      await looksRight(t, page, 'restored')
      await page.getByRole('button', { name: 'Discard my changes' }).click()
      t.equal(await title(page).inputValue(), PUBLICATION.itemTitle)
      await page.getByRole('button', { name: 'Undo' }).click()
      t.equal(await title(page).inputValue(), 'Half a thou')
      await page.getByText(KEPT).waitFor()
      const deleted = page.waitForResponse((response) => response.request().method() === 'DELETE')
      await page.getByRole('button', { name: 'Save' }).click()
      t.equal((await deleted).status(), 200, 'the copy is deleted when the item is saved')
      t.equal(await stored(), 'Half a thou')
    })
  },
)

t.test('a new publication is continued after a reload, and from the page of the next new one', async (t) => {
  await scenario(t, DESKTOP, async (page) => {
    const title = page.getByRole('textbox', { name: 'Title' })
    await page.goto('/console/library/new')
    await title.fill('A beginning')
    await page.getByText('Water', { exact: true }).click()
    await page.getByText(KEPT).waitFor()
    await page.reload()
    await page.getByText('You wrote this on').waitFor()
    t.equal(await title.inputValue(), 'A beginning')
    t.ok(await page.getByRole('checkbox', { name: 'Water' }).isChecked(), 'with its labels')
    await page.locator('.back a').click()
    await page.getByRole('heading', { name: 'Library', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'New publication' }).first().click()
    await page.getByRole('link', { name: 'A beginning' }).click()
    await page.getByText('You wrote this on').waitFor()
    await page.getByRole('button', { name: 'Discard my changes' }).click()
    t.equal(await title.inputValue(), '')
  })
})

t.test(
  'J7: English and French are written side by side, share images and date, and are published as one',
  async (t) => {
    await scenario(t, { ...DESKTOP, expected: [REFUSED] }, async (page, { fixture }) => {
      const id = await addPublication(fixture, {}, 'Live')
      const list = async () => {
        const query = { include: 'translation' }
        const answer = await fixture.call('GET', '/library/', { as: 'user', query })
        return ((await answer.json()) as { items: ReadonlyArray<{ item: Record<string, unknown> }> }).items
      }
      await page.goto(`/console/library/${id}`)
      await page.getByRole('link', { name: 'English and French' }).click()
      const french = page.getByRole('region', { name: 'French' })
      await french.getByText('Missing').waitFor()
      await looksRight(t, page, 'translation')
      const publish = page.getByRole('button', { name: 'Publish both' })
      await publish.click()
      await french.getByRole('link', { name: 'Title: Fill this in.' }).click()
      await page.keyboard.type('De l’eau propre')
      await french.getByRole('textbox', { name: 'Text' }).fill('Un nouveau puits.')
      await publish.click()
      await page.getByText('Both are published.').waitFor()
      const [first, second] = (await list()).map(({ item }) => item)
      t.match(
        [first, second],
        [
          { lang: 'fr', translation: { itemId: id } },
          { lang: 'en', translation: { lang: 'fr' } },
        ],
      )
      t.equal(first?.['coverImgUrl'], second?.['coverImgUrl'], 'one image')
      fixture.clock.advance(60_000)
      await page
        .getByRole('region', { name: 'English' })
        .getByRole('textbox', { name: 'Title' })
        .fill('Clear water')
      await page.getByRole('button', { name: 'Save both' }).click()
      await french.getByText('The English has changed since').waitFor()
      await looksRight(t, page, 'older')
      await french.getByRole('button', { name: 'Nothing to change here' }).click()
      await page.getByText('Both languages count as saying the same.').waitFor()
      await french.getByText('The English has changed since').waitFor({ state: 'detached' })
      const shared = page.waitForResponse(
        (response) =>
          response.request().method() === 'POST' &&
          response.url().endsWith(`/library/${String(first?.['itemId'])}`),
      )
      await page.locator('input[type=file]').first().setInputFiles(FILE)
      await page.getByRole('dialog').getByRole('button', { name: 'Replace: Cover' }).click()
      await shared
      await page.getByText('Cover: replaced.').waitFor()
      const [fr, en] = (await list()).map(({ item }) => item)
      t.equal(fr?.['coverImgUrl'], en?.['coverImgUrl'], 'the new image too')
      t.not(fr?.['coverImgUrl'], first?.['coverImgUrl'])
      await page.getByRole('button', { name: 'Separate the two' }).click()
      await page.getByText('They are now two separate publications.').waitFor()
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByRole('button', { name: 'Separate the two' }).click()
      await page.getByRole('button', { name: 'Undo' }).waitFor()
      await page.reload()
      await page.getByText('Or link a French publication').click()
      await page.getByRole('button', { name: 'Link “De l’eau propre”' }).click()
      await page.getByRole('button', { name: 'Separate the two' }).waitFor()
      t.equal(await french.getByRole('textbox', { name: 'Title' }).inputValue(), 'De l’eau propre')
    })
  },
)

t.test(
  'K2: the history shows who changed what, word by word; an older version is restored, and that is undone',
  async (t) => {
    await scenario(t, DESKTOP, async (page, { fixture }) => {
      const id = await addPublication(fixture)
      fixture.clock.advance(60_000)
      const title = page.getByRole('textbox', { name: 'Title' })
      await page.goto(`/console/library/${id}`)
      await title.fill('Clean water for all')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Saved as a draft.').waitFor()
      await page.getByRole('link', { name: 'History' }).click()
      const entries = page.getByRole('listitem').filter({ has: page.getByRole('heading') })
      await entries.first().getByText('Changed · Camille').waitFor()
      t.equal(await entries.first().getByRole('insertion').textContent(), 'added:  for all')
      await entries.last().getByText('Created · App “manager”').waitFor()
      await looksRight(t, page, 'history')
      const restore = async () => {
        await page.getByRole('button', { name: /^Restore version 1 / }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
        await page.getByText('The older version is restored.').waitFor()
      }
      await restore()
      await entries.first().getByText('Restored · Camille').waitFor()
      await page.getByRole('button', { name: 'Undo' }).click()
      await entries.nth(3).waitFor()
      await page.getByRole('link', { name: 'Publication' }).click()
      t.equal(await title.inputValue(), 'Clean water for all')
      t.match(await page.title(), 'Clean water for all · Almoner')
    })
  },
)

t.test(
  'C10: two people edit one item in random interleavings: no field is lost, every conflict is shown',
  async (t) => {
    const opened = await openConsole(t, assets, { hasEvents: false })
    const { baseURL, signIn } = opened
    const settings = { ...DESKTOP, baseURL, expected: [REFUSED] }
    await inPage(browser, settings, (first) =>
      inPage(browser, settings, async (second) => {
        await first.context().addCookies([await signIn('Camille')])
        await second.context().addCookies([await signIn('Bruno')])
        const outcomes = []
        for (const seed of [1, 2]) outcomes.push(await interleave(opened, [first, second], seed))
        t.strictSame(
          outcomes.flatMap(({ findings }) => findings),
          [],
        )
        t.ok(outcomes.some(({ clashes }) => clashes > 0))
      }),
    )
  },
)
