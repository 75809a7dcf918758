import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inPage, launchBrowser, type Page, type PageOptions } from '@almoner/browser'
import t, { type Test } from 'tap'
import { jpegOf } from '../../../../packages/adapters-media/test/corpus/jpeg-file.ts'
import { almoner, type Server, serve } from '../support/almoner.ts'
import { type Credentials, tokenOf } from '../support/client.ts'
import { type Hands, withKeyboard, withMouse } from '../support/hands.ts'
import { ownFolder } from '../support/own-folder.ts'

// A person who has never seen the console does its main work, by visible text and roles only (M8).

const [browser, photo] = await Promise.all([launchBrowser(), jpegOf(900, 700)])
const folder = ownFolder()
const server: Server = await serve(folder, ['--demo'])
t.teardown(async () => {
  await browser.close()
  await server.stop()
})

const FILE = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: photo }

const WORDS = {
  en: {
    enter: /^Sign in as /,
    hello: /^Hello, /,
    library: 'Library',
    create: 'New publication',
    fields: { title: 'Title', text: 'Text', link: 'Link' },
    labels: ['Water', 'Education'],
    files: [/^Choose a file\s*Cover$/, /^Choose a file\s*Image for notifications$/],
    shown: ['Cover, as it is now', 'Image for notifications, as it is now'],
    publish: 'Publish',
    published: 'Published. Readers see it now.',
    queue: 'Queue',
    approve: /^Approve/,
    approved: /^Approved: /,
    save: 'Save',
    history: 'History',
    restoreOne: /^Restore version/,
    restore: 'Restore this version',
    restored: 'The older version is restored.',
    publication: 'Publication',
  },
  fr: {
    enter: /^Se connecter en tant que /,
    hello: /^Bonjour, /,
    library: 'Bibliothèque',
    create: 'Nouvelle publication',
    fields: { title: 'Titre', text: 'Texte', link: 'Lien' },
    labels: ['Eau', 'Éducation'],
    files: [/^Choisir un fichier\s*Couverture$/, /^Choisir un fichier\s*Image pour les notifications$/],
    shown: ['Couverture, état actuel', 'Image pour les notifications, état actuel'],
    publish: 'Publier',
    published: 'Publié. Les lecteurs le voient.',
    queue: 'À valider',
    approve: /^Approuver/,
    approved: /^Approuvé\s: /,
    save: 'Enregistrer',
    history: 'Historique',
    restoreOne: /^Restaurer la version/,
    restore: 'Restaurer cette version',
    restored: 'L’ancienne version est restaurée.',
    publication: 'Publication',
  },
} as const

/** Returns the last sign-in link in a text. */
const linkIn = (text: string): string => /(http:\S+\/console\/enter#[\w-]{43})/.exec(text)?.[1] ?? 'no link'

/** Sends a post as a donor of the demonstration. */
const sendPost = async (itemTitle: string): Promise<void> => {
  const path = join(folder, 'data/demo-credentials.json')
  const clients: ReadonlyArray<Credentials> = JSON.parse(readFileSync(path, 'utf8'))
  const donor = clients.find(({ client_id }) => client_id === 'demo-donor')
  if (donor === undefined) throw new Error('the demonstration has no donor')
  const { access_token: token } = await tokenOf(server.url, donor)
  await fetch(`${server.url}/feed/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: new URLSearchParams({
      itemType: 'link',
      link: 'https://example.org/',
      itemTitle,
      itemDescription: 'A post.',
    }),
  })
}

/** Publishes a publication, approves a post, changes the title of the publication, and restores the older one. */
const tour = async (t: Test, page: Page, hands: Hands, link: string, language: 'en' | 'fr') => {
  const words = WORDS[language]
  const title = page.getByRole('textbox', { name: words.fields.title, exact: true })
  await page.goto(link)
  await hands.press('button', words.enter)
  await page.getByRole('heading', { name: words.hello }).waitFor()
  t.notMatch(page.url(), '#', 'the token has left the address')

  await hands.press('link', words.library)
  await hands.press('link', words.create)
  await hands.write(words.fields.title, 'A well for six villages')
  await hands.write(words.fields.text, 'It gives water since Monday.')
  await hands.write(words.fields.link, 'https://example.org/well')
  for (const label of words.labels) await hands.tick(label)
  for (const [at, button] of words.files.entries()) {
    await hands.chooseFile(button, FILE)
    await page.getByRole('img', { name: words.shown[at] ?? '' }).waitFor()
  }
  await hands.press('button', words.publish)
  await page.getByText(words.published).waitFor()

  await hands.press('link', words.queue)
  // A press acts on a post that was seen (M12).
  await page.locator('.decide:not([aria-disabled])').first().waitFor()
  await hands.press('button', words.approve)
  await page.getByText(words.approved).first().waitFor()

  await hands.press('link', words.library)
  await hands.press('link', 'A well for six villages')
  await hands.write(words.fields.title, 'Water')
  await hands.press('button', words.save)
  await page.getByText(words.published).waitFor()
  await hands.press('link', words.history)
  await hands.press('button', words.restoreOne)
  await page.locator('.act:not([aria-disabled])').waitFor()
  await hands.press('button', words.restore)
  await page.getByText(words.restored).waitFor()
  await hands.press('link', words.publication)
  await title.waitFor()
  t.equal(await title.inputValue(), 'A well for six villages', 'the older title is back')
  const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  t.equal(excess, 0, 'nothing sticks out at the side')
}

const inBrowser = (options: Omit<PageOptions, 'baseURL'>, run: (page: Page) => Promise<void>) =>
  inPage(browser, { baseURL: server.url, ...options }, run)

/** Adds a manager, and returns the link that `almoner manager add` prints. */
const newManager = async (email: string, lang: 'en' | 'fr'): Promise<string> => {
  const args = ['manager', 'add', email, '--name', 'Marie Curie', '--duty', 'editor', '--lang', lang]
  const variables = { ALMONER_BASE_URL: server.url }
  return linkIn((await almoner(folder, args, variables)).out)
}

await sendPost('A third post')

t.test('M2, M8: a person signs in from the printed link, publishes, approves, restores', async (t) => {
  const options = { viewport: { width: 1280, height: 900 }, locale: 'en-GB' }
  await inBrowser(options, (page) => tour(t, page, withMouse(page), linkIn(server.said().out), 'en'))
})

t.test('M8: by keyboard alone', async (t) => {
  const link = await newManager('keys@example.org', 'en')
  const options = { viewport: { width: 1280, height: 900 }, locale: 'en-GB' }
  await inBrowser(options, (page) => tour(t, page, withKeyboard(page), link, 'en'))
})

t.test('M8: in French, 360 px wide, in dark mode', async (t) => {
  const link = await newManager('marie@example.org', 'fr')
  const options = {
    viewport: { width: 360, height: 740 },
    locale: 'fr-FR',
    colorScheme: 'dark',
    hasTouch: true,
  } as const
  await inBrowser(options, (page) => tour(t, page, withMouse(page), link, 'fr'))
})
