import { accessibilityFaults, inPage, launchBrowser, type Page, type PageOptions } from '@almoner/browser'
import t, { type Test } from 'tap'
import { jpegOf } from '../../adapters-media/test/corpus/jpeg-file.ts'
import { buildConsole } from '../src/index.ts'
import { openConsole } from './support/console-server.ts'

const [assets, browser, photo] = await Promise.all([buildConsole(), launchBrowser(), jpegOf(900, 700)])
t.teardown(() => browser.close())

const DESKTOP = { viewport: { width: 1280, height: 900 }, locale: 'en-GB', colorScheme: 'light' } as const
const PHONE = {
  viewport: { width: 360, height: 740 },
  locale: 'fr-FR',
  colorScheme: 'dark',
  hasTouch: true,
} as const

/** Answers with 4xx are also written to the browser's console. */
const REFUSED = /^console: .*\b(?:400|401|412)\b.*\/console\/api\//

const FILE = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(photo) }

type Rig = Awaited<ReturnType<typeof openConsole>>['rig']

const PUBLICATION = {
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

const addPosts = async (rig: Rig, ...titles: ReadonlyArray<string>): Promise<void> => {
  for (const itemTitle of titles) {
    await rig.call('POST', '/feed/', { as: 'donor', json: { ...POST, itemTitle } })
    rig.clock.advance(60_000)
  }
}

/** Starts the console and runs a scenario in it. */
const scenario = async (
  t: Test,
  options: Omit<PageOptions, 'baseURL'> & { readonly language?: 'en' | 'fr'; readonly isSignedOut?: true },
  run: (page: Page, console: Awaited<ReturnType<typeof openConsole>>) => Promise<void>,
) => {
  const { language = 'en', isSignedOut = false, ...rest } = options
  const opened = await openConsole(t, assets, language)
  await inPage(browser, { baseURL: opened.baseURL, ...rest }, async (page) => {
    if (!isSignedOut) await page.context().addCookies([await opened.signIn()])
    await run(page, opened)
  })
}

/** Asserts that axe finds nothing and that nothing sticks out at the side. */
const looksRight = async (t: Test, page: Page, name: string): Promise<void> => {
  t.strictSame(await accessibilityFaults(page), [], `${name}: accessible`)
  const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  t.equal(excess, 0, `${name}: no horizontal scrolling`)
}

t.test('a person signs in from a link, whose token leaves the address', async (t) => {
  await scenario(t, { ...DESKTOP, isSignedOut: true }, async (page, { newToken }) => {
    await page.goto(`/console/enter?to=${encodeURIComponent('/console/library')}#${await newToken()}`)
    await page.getByRole('heading', { name: 'Library', level: 1 }).waitFor()
    t.match(page.url(), /\/console\/library$/)
  })
})

t.test('a used link is explained, and a pasted one works', async (t) => {
  await scenario(t, { ...DESKTOP, expected: [REFUSED], isSignedOut: true }, async (page, { newToken }) => {
    await page.goto('/console/enter#used')
    await page.getByRole('alert').filter({ visible: true }).getByText('Ask for a new one').waitFor()
    await looksRight(t, page, 'sign-in')
    await page
      .getByRole('textbox', { name: 'Your sign-in link' })
      .fill(`https://x/console/enter#${await newToken()}`)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Hello, Camille' }).waitFor()
  })
})

t.test('without a session the person signs in first', async (t) => {
  await scenario(t, { ...DESKTOP, isSignedOut: true }, async (page) => {
    await page.goto('/console/queue')
    await page.getByRole('heading', { name: 'Welcome to Almoner' }).waitFor()
    t.match(page.url(), '?to=%2Fconsole%2Fqueue')
  })
})

t.test('M7: a publication is written and published; what is missing is listed with links', async (t) => {
  await scenario(t, { ...DESKTOP, expected: [REFUSED] }, async (page, { rig }) => {
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
    await page.getByText('Water', { exact: true }).click()
    await publish.click()
    await alert.getByRole('link', { name: 'Cover: Add a cover.' }).waitFor()
    await looksRight(t, page, 'editor with errors')
    for (const [image, name] of ['Cover', 'Image for notifications'].entries()) {
      await page.locator('input[type=file]').nth(image).setInputFiles(FILE)
      await page.getByRole('img', { name: `${name}, as it is now` }).waitFor()
    }
    await page.getByText('Health', { exact: true }).click()
    await publish.click()
    await page.getByText('Published. Readers see it now.').waitFor()
    t.match(page.url(), /\/console\/library\/[0-9a-f-]{36}$/)
    const readers = page.getByRole('table', { name: 'Who sees the saved version' })
    await readers.getByRole('row', { name: 'Donors Yes No' }).waitFor()
    const answer = await rig.call('GET', '/library/', { as: 'user', query: { include: 'labels' } })
    t.match(await answer.json(), {
      items: [{ item: { itemTitle: 'Clean water', labels: [{}, {}], status: 'Live' } }],
    })
  })
})

t.test(
  'C10: a field that only another person has changed is merged; one that both changed is asked about',
  async (t) => {
    await scenario(t, { ...DESKTOP, expected: [REFUSED] }, async (page, { rig }) => {
      const id = await addPublication(rig)
      const change = (fields: object) =>
        rig.call('POST', `/library/${id}`, {
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
      const read = await rig.call('GET', `/library/${id}`, { as: 'manager' })
      t.match(await read.json(), {
        items: [{ item: { itemTitle: 'Mine again', itemDescription: 'Theirs' } }],
      })
    })
  },
)

const imageOf = (): FormData => {
  const form = new FormData()
  form.set('itemUploadMedia', new Blob([photo]), 'photo.jpg')
  return form
}

/** Adds a publication to the library, and returns its id. A Live one gets both images. */
const addPublication = async (rig: Rig, fields: object = {}, status = 'Draft'): Promise<string> => {
  const json = { ...PUBLICATION, ...fields }
  const created = await rig.call('POST', '/library/', { as: 'manager', json })
  const { items } = (await created.json()) as { items: [{ item: { itemId: string } }] }
  const id = items[0].item.itemId
  if (status !== 'Live') return id
  for (const image of ['cover', 'notification'])
    await rig.call('POST', `/library/${id}/media/${image}`, { as: 'manager', multipart: imageOf() })
  await rig.call('POST', `/library/${id}`, { as: 'manager', json: { ...json, status } })
  return id
}

const KEPT = /Your text is kept/

t.test(
  'typed text outlives the browser, is restored and discarded, and never touches the item',
  async (t) => {
    const opened = await openConsole(t, assets)
    const { rig, baseURL } = opened
    const id = await addPublication(rig)
    const inBrowser = (run: (page: Page) => Promise<void>) =>
      inPage(browser, { baseURL, ...DESKTOP }, async (page) => {
        await page.context().addCookies([await opened.signIn()])
        await page.goto(`/console/library/${id}`)
        await run(page)
      })
    const title = (page: Page) => page.getByRole('textbox', { name: 'Title' })
    const stored = async () => {
      const read = await rig.call('GET', `/library/${id}`, { as: 'manager' })
      return ((await read.json()) as { items: [{ item: { itemTitle: string } }] }).items[0].item.itemTitle
    }
    await inBrowser(async (page) => {
      await title(page).fill('Half a thou')
      await page.getByText(KEPT).waitFor()
    })
    t.equal(await stored(), PUBLICATION.itemTitle)
    await rig.call('POST', `/library/${id}`, {
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
    await page.getByText(KEPT).waitFor()
    await page.reload()
    await page.getByText('You wrote this on').waitFor()
    t.equal(await title.inputValue(), 'A beginning')
    await page.getByRole('link', { name: 'Library' }).first().click()
    await page.getByRole('link', { name: 'New publication' }).first().click()
    await page.getByRole('link', { name: 'A beginning' }).click()
    await page.getByText('You wrote this on').waitFor()
    await page.getByRole('button', { name: 'Discard my changes' }).click()
    t.equal(await title.inputValue(), '')
  })
})

t.test('M4: an ended session keeps the page; with a new link the work goes on', async (t) => {
  await scenario(t, { ...DESKTOP, expected: [REFUSED] }, async (page, { rig, endSessions, newToken }) => {
    const id = await addPublication(rig)
    await page.goto(`/console/library/${id}`)
    await page.getByRole('textbox', { name: 'Title' }).waitFor()
    await endSessions()
    await page.getByRole('textbox', { name: 'Title' }).fill('Written without a session')
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await looksRight(t, page, 'session ended')
    await dialog.getByRole('button', { name: 'I have signed in: go on' }).click()
    await dialog.getByText('You are not signed in yet.').waitFor()
    const link = dialog.getByRole('textbox', { name: 'Your new sign-in link' })
    await link.fill('https://x/console/enter#used')
    await link.press('Enter')
    await dialog.getByText('This link does not work.').waitFor()
    await link.fill(`https://x/console/enter#${await newToken()}`)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Saved as a draft.').waitFor()
    const read = await rig.call('GET', `/library/${id}`, { as: 'manager' })
    t.match(await read.json(), { items: [{ item: { itemTitle: 'Written without a session' } }] })
  })
})

t.test(
  'J7: English and French are written side by side, share images and date, and are published as one',
  async (t) => {
    await scenario(t, { ...DESKTOP, expected: [REFUSED] }, async (page, { rig }) => {
      const id = await addPublication(rig, {}, 'Live')
      const list = async () => {
        const query = { include: 'translation' }
        const answer = await rig.call('GET', '/library/', { as: 'user', query })
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
      rig.clock.advance(60_000)
      await page
        .getByRole('region', { name: 'English' })
        .getByRole('textbox', { name: 'Title' })
        .fill('Clear water')
      await page.getByRole('button', { name: 'Save both' }).click()
      await french.getByText('Older than its original').waitFor()
      await page.locator('input[type=file]').first().setInputFiles(FILE)
      await page.waitForResponse((response) =>
        response.url().endsWith(`/library/${String(first?.['itemId'])}`),
      )
      const [fr, en] = (await list()).map(({ item }) => item)
      t.equal(fr?.['coverImgUrl'], en?.['coverImgUrl'], 'the new image too')
      t.not(fr?.['coverImgUrl'], first?.['coverImgUrl'])
      await page.getByRole('button', { name: 'Separate the two' }).click()
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByRole('button', { name: 'Separate the two' }).click()
      await page.getByRole('button', { name: 'Undo' }).waitFor()
      await page.reload()
      await page.getByText('Write the French here').click()
      await page.getByRole('button', { name: 'Link “De l’eau propre”' }).click()
      await page.getByRole('button', { name: 'Separate the two' }).waitFor()
      t.equal(await french.getByRole('textbox', { name: 'Title' }).inputValue(), 'De l’eau propre')
    })
  },
)

t.test('D1: any photo is cropped to 400 × 560 in the page, with the arrow keys too', async (t) => {
  await scenario(t, DESKTOP, async (page, { rig }) => {
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
    const answer = await rig.call('GET', '/feed/', { as: 'user' })
    t.match(await answer.json(), { items: [{ item: { itemTitle: 'A photo', itemRelatedLink: /\.jpg$/ } }] })
  })
})

t.test('the queue is worked with keys: next, approve, undo, archive', async (t) => {
  await scenario(t, DESKTOP, async (page, { rig }) => {
    await addPosts(rig, 'First', 'Second', 'Third')
    await page.goto('/console/queue')
    await page.getByRole('heading', { name: 'First' }).waitFor()
    await page.getByText('amina@example.org').waitFor()
    await looksRight(t, page, 'queue')
    await page.keyboard.press('j')
    await page.getByRole('heading', { name: 'Second' }).waitFor()
    await page.keyboard.press('k')
    await page.getByRole('heading', { name: 'First' }).waitFor()
    await page.keyboard.press('a')
    await page.getByText('Approved. Readers see it now.').waitFor()
    await page.keyboard.press('z')
    await page.getByRole('heading', { name: 'First' }).waitFor()
    await page.getByText('1 of 3 waiting posts').waitFor()
    await page.keyboard.press('r')
    await page.getByText('Archived.').waitFor()
    await page.keyboard.press('a')
    await page.getByRole('heading', { name: 'Third' }).waitFor()
    await page.getByText('Approved. Readers see it now.').waitFor()
    const decided = page.waitForResponse((response) => response.request().method() === 'POST')
    await page.keyboard.press('a')
    await decided
    await page.getByRole('heading', { name: 'Nothing waits' }).waitFor()
    const answer = await rig.call('GET', '/feed/', { as: 'user' })
    t.match(await answer.json(), {
      items: [{ item: { itemTitle: 'Third' } }, { item: { itemTitle: 'Second' } }],
    })
  })
})

t.test('M8: on a phone, in French and dark, a post is approved by touch', async (t) => {
  await scenario(t, { ...PHONE, language: 'fr' }, async (page, { rig }) => {
    await addPosts(rig, 'Un puits au village')
    await page.goto('/console')
    await page.getByRole('link', { name: 'À valider' }).tap()
    await page.getByRole('heading', { name: 'Un puits au village' }).waitFor()
    await looksRight(t, page, 'file')
    await page.getByRole('button', { name: 'Approuver' }).tap()
    await page.getByText('Approuvé. Les lecteurs le voient.').waitFor()
    await page.getByRole('heading', { name: 'Rien n’attend' }).waitFor()
  })
})

t.test('the desk says what waits, and each line leads to the act', async (t) => {
  await scenario(t, DESKTOP, async (page, { rig }) => {
    await addPosts(rig, 'First')
    await addPublication(rig, {}, 'Live')
    await page.goto('/console')
    const toDo = page.getByRole('region', { name: 'For you to do' })
    await toDo.getByRole('link', { name: /^2 posts wait to be approved/ }).click()
    await page.getByRole('heading', { name: 'First' }).waitFor()
    await page.goBack()
    await page.getByRole('region', { name: 'Going out today' }).getByText('14:00').waitFor()
    await page.getByText('The provider refused our key.').waitFor()
    await toDo.getByRole('link', { name: /^1 publication lacks French/ }).click()
    await page.getByText('French is missing').waitFor()
    t.equal(await page.getByRole('combobox', { name: 'Translation' }).inputValue(), 'missing')
    await page.getByRole('combobox', { name: 'Translation' }).selectOption('older')
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
  })
})

t.test('a list is searched, filtered and walked with the keyboard', async (t) => {
  await scenario(t, DESKTOP, async (page, { rig }) => {
    await addPosts(rig, 'A well', 'A school', 'Another well')
    await page.goto('/console/feed')
    await page.getByRole('link', { name: 'A school' }).waitFor()
    await addPosts(rig, 'A new well')
    await page.getByRole('link', { name: 'A new well' }).waitFor()
    await page.getByRole('searchbox', { name: 'Search' }).fill('well')
    await page.getByRole('link', { name: 'A school' }).waitFor({ state: 'detached' })
    t.match(page.url(), '?q=well')
    await page.getByRole('link', { name: 'Another well' }).focus()
    await page.keyboard.press('j')
    t.equal(await page.evaluate('document.activeElement.textContent'), 'A well')
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Live')
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
    await looksRight(t, page, 'nothing matches')
    await page.getByRole('link', { name: 'Clear search and filters' }).click()
    await page.getByRole('link', { name: 'A school' }).press('Enter')
    t.equal(await page.getByRole('textbox', { name: 'Title' }).inputValue(), 'A school')
  })
})

const PAGES = ['', '/library', '/library/new', '/feed', '/feed/new', '/queue', '/account']

for (const [name, options] of [
  ['a desktop', DESKTOP],
  ['a phone in French', { ...PHONE, language: 'fr' }],
  [
    'a desktop at 400 %, with forced colours and reduced motion',
    { ...DESKTOP, viewport: { width: 320, height: 256 }, forcedColors: 'active', reducedMotion: 'reduce' },
  ],
] as const)
  t.test(`WCAG 2.2 AA: every page on ${name}`, async (t) => {
    await scenario(t, options, async (page, { rig }) => {
      await rig.call('POST', '/library/', { as: 'manager', json: PUBLICATION })
      await addPosts(rig, 'A well')
      for (const path of PAGES) {
        await page.goto(`/console${path}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.waitForLoadState('load')
        await looksRight(t, page, path)
      }
    })
  })
