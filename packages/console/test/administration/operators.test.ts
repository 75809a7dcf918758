import { readFile } from 'node:fs/promises'
import type { ClientId, Email } from '@almoner/domain'
import { personalDocument } from '@almoner/domain/personal-data'
import { done } from '@almoner/testkit/contracts'
import t from 'tap'
import { AMINA, attach, BRUNO } from '../../../adapters-http/test/support/people.ts'
import { addPosts, browser, DESKTOP, looksRight, PHONE, proveByLink, scenario } from '../support/scenario.ts'

t.teardown(() => browser.close())

/** An operator whose last proof of presence is too old for an act (M4). */
const OPERATOR = {
  ...DESKTOP,
  as: 'Oda',
  expected: [/^console: .*\b(?:400|403|404)\b.*\/console\/api\//],
} as const

const FIVE_MINUTES = 5 * 60_000

t.test('M4, M10: a sign-in after the end of the session answers the question for presence too', async (t) => {
  const expected = [...OPERATOR.expected, /^console: .*\b401\b.*\/console\/api\//]
  await scenario(t, { ...OPERATOR, expected }, async (page, { fixture, newToken }) => {
    await attach(fixture, AMINA, 'fcm:one')
    await page.goto('/console/people')
    const search = page.getByRole('searchbox', { name: 'Email address or part of it' })
    await search.fill('amina')
    await page.getByRole('button', { name: 'Find' }).click()
    await page.getByRole('link', { name: AMINA }).click()
    fixture.clock.advance(FIVE_MINUTES)
    await page.getByRole('button', { name: 'Download everything' }).click()
    await page.getByRole('dialog', { name: 'Confirm that it is you' }).waitFor()
    await done(fixture.ports.sessions.endAll('oda@example.org' as Email))
    const ended = page.getByRole('dialog', { name: 'Your session has ended' })
    await ended.getByRole('textbox', { name: 'Your new sign-in link' }).fill(`#${await newToken('Oda')}`)
    const download = page.waitForEvent('download')
    await ended.getByRole('button', { name: 'Sign in', exact: true }).click()
    await download
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })
})

t.test('L1, L2, M4: a person is found, exported and erased; no URL has the address', async (t) => {
  await scenario(t, OPERATOR, async (page, { fixture, newToken }) => {
    for (const token of ['fcm:one', 'apns:two']) await attach(fixture, AMINA, token)
    await attach(fixture, BRUNO, 'fcm:three')
    await addPosts(fixture, 'A well')
    const urls: Array<string> = []
    page.on('request', (request) => void urls.push(request.url()))
    await page.goto('/console')
    await page
      .getByRole('navigation', { name: 'Administration' })
      .getByRole('link', { name: 'People' })
      .click()
    const search = page.getByRole('searchbox', { name: 'Email address or part of it' })
    await search.fill('nobody-like-this')
    await search.press('Enter')
    await page.getByText('Nothing is stored about an address with these letters.').waitFor()
    await search.fill('amina')
    await page.getByRole('button', { name: 'Find' }).click()
    await page.getByRole('status').getByText('1 person found').waitFor()
    await looksRight(t, page, 'people')
    await page.getByRole('link', { name: AMINA }).click()
    await page.getByRole('heading', { name: AMINA, level: 1 }).waitFor()
    await page.getByRole('list', { name: 'Devices' }).getByText('iPhone or iPad').waitFor()
    await page.getByRole('list', { name: 'Own posts' }).getByRole('link', { name: 'A well' }).waitFor()
    t.notMatch(await page.content(), /fcm:one|apns:two/, 'no device token is shown')
    await looksRight(t, page, 'person')

    fixture.clock.advance(FIVE_MINUTES)
    await page.getByRole('button', { name: 'Download everything' }).click()
    await proveByLink(page, await newToken('Oda'))
    // The wait for the file begins here: begun before the dialog, its time ran out on a busy machine.
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    const file = await download
    t.match(file.suggestedFilename(), /^person-\d+\.json$/)
    const email = AMINA as Email
    const record = await done(fixture.ports.personalData.find(email))
    const exported = `${JSON.stringify(personalDocument({ email, record }))}\n`
    t.equal(await readFile(await file.path(), 'utf8'), exported, 'as almoner user export prints it')

    await page.getByRole('button', { name: 'Erase…' }).click()
    const question = page.getByRole('dialog', { name: `Erase ${AMINA}?` })
    for (const part of [
      '2 devices',
      'the name under 1 post; the texts stay',
      'the API client donor, which stays',
    ])
      await question.getByText(part).waitFor()
    await looksRight(t, page, 'erase')
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Erase…' }).press('Enter')
    const path = new URL(page.url()).pathname
    await page.locator('.act:not([aria-disabled])').waitFor()
    await question.getByRole('button', { name: 'Erase this person for ever' }).press('Enter')
    await page.getByText('Erased.').waitFor()
    await page.getByText('Nothing is stored about an address with these letters.').waitFor()
    await page.goto(path)
    await page.getByText('Nothing is stored about this person any more.').waitFor()
    t.same(
      urls.filter((url) => /amina|bruno/.test(decodeURIComponent(url))),
      [],
    )
  })
})

t.test('A6, M4: clients are added, rotated, disabled and enabled, by keyboard alone', async (t) => {
  await scenario(t, OPERATOR, async (page, { fixture, newToken }) => {
    const press = (name: string) => page.getByRole('button', { name }).press('Enter')
    const dialog = (name: string) => page.getByRole('dialog', { name })
    const statusWith = async (client_secret: string) => {
      const form = { grant_type: 'client_credentials', client_id: 'donor-app', client_secret }
      return (await fixture.call('POST', '/oauth2/get-token', { form })).status
    }
    /** Reads the secret that is shown, and closes the dialog. */
    const readSecret = async () => {
      const shown = dialog('The secret of donor-app')
      const secret = await shown.getByRole('textbox', { name: 'Secret' }).inputValue()
      await page.keyboard.press('Escape')
      await shown.getByRole('button', { name: 'Copy the secret' }).press('Enter')
      await shown.getByRole('status').getByText(/\S/).waitFor()
      await looksRight(t, page, 'secret')
      await shown.getByRole('button', { name: 'I have stored it' }).press('Enter')
      await shown.waitFor({ state: 'detached' })
      t.notOk((await page.content()).includes(secret), 'the secret is shown once')
      return secret
    }
    await page.goto('/console/clients')
    const card = page.getByRole('listitem').filter({ hasText: 'donor-app' })
    await press('Add a client')
    const form = dialog('Add a client')
    await form.getByRole('textbox', { name: 'Identifier' }).fill('donor')
    await form.getByRole('button', { name: 'Add', exact: true }).press('Enter')
    await form.getByText('This is taken already. Choose another one.').waitFor()
    await form.getByRole('textbox', { name: 'Identifier' }).fill('donor-app')
    await form.getByRole('textbox', { name: 'Name' }).fill('The app')
    await form.getByRole('radio', { name: 'Public' }).press('ArrowRight')
    await form.getByText('Reads what is public or for donors').waitFor()
    await looksRight(t, page, 'add a client')
    await form.getByRole('textbox', { name: 'Name' }).press('Enter')
    const first = await readSecret()
    t.equal(await statusWith(first), 200)
    await card.getByText('Reads what is public or for donors').waitFor()
    await card.getByText('Never').waitFor()

    fixture.clock.advance(FIVE_MINUTES)
    await card.getByRole('button', { name: 'New secret…' }).press('Enter')
    await dialog('A new secret for The app').getByRole('combobox').press('End')
    await page.locator('.act:not([aria-disabled])').waitFor()
    await press('Make a new secret')
    await proveByLink(page, await newToken('Oda'))
    await page.keyboard.press('Enter')
    await page.getByText('The old secret works until 8 May 2026').waitFor()
    const second = await readSecret()
    t.same([await statusWith(first), await statusWith(second)], [200, 200], 'both work')
    await card.getByText('8 May 2026').waitFor()

    await card.getByRole('button', { name: 'Disable…' }).press('Enter')
    await page.locator('.act:not([aria-disabled])').waitFor()
    await dialog('Disable The app?').getByRole('button', { name: 'Disable the client' }).press('Enter')
    await page.getByText('The app is disabled.').waitFor()
    await card.getByText('Disabled').waitFor()
    t.equal(await statusWith(second), 401)
    await card.getByRole('button', { name: 'Enable' }).press('Enter')
    await page.getByText('The app is enabled.').waitFor()
    t.equal(await statusWith(second), 200)

    await press('Add a client')
    await form.getByRole('textbox', { name: 'Identifier' }).fill('phones')
    await form.getByRole('switch', { name: 'Acts for every person' }).waitFor()
    await form.getByRole('radio', { name: 'No', exact: true }).press('ArrowLeft')
    await form.getByText('It has no secret: each person signs in').waitFor()
    t.equal(await form.getByRole('switch').count(), 0, 'A10: it has no roles')
    t.equal(await form.getByRole('radio', { name: 'All content' }).count(), 0, 'A10: nor all content')
    await form.getByRole('textbox', { name: 'at the identity provider' }).fill('charity-app')
    await looksRight(t, page, 'add a client for people')
    await form.getByRole('textbox', { name: 'Identifier' }).press('Enter')
    await page.getByText('phones is added. It has no secret.').waitFor()
    const phones = page.getByRole('listitem').filter({ hasText: 'charity-app' })
    await phones.getByText('Gets a token for each person who has signed in, without a secret').waitFor()
    await phones.getByRole('button', { name: 'Disable…' }).waitFor()
    t.equal(await phones.getByRole('button', { name: 'New secret…' }).count(), 0)
    await done(fixture.ports.clients.noteUses(new Map([['donor-app' as ClientId, fixture.clock.now()]])))
    await page.reload()
    await card.getByText('1 May 2026').waitFor()
  })
})

t.test('M8: on a phone, in French and dark, a person is found and a client disabled by touch', async (t) => {
  await scenario(t, { ...PHONE, language: 'fr', as: 'Oda' }, async (page, { fixture }) => {
    await attach(fixture, AMINA, 'fcm:one')
    await page.goto('/console')
    const menu = page.getByRole('navigation', { name: 'Administration' })
    await menu.getByText('Administration').tap()
    await looksRight(t, page, 'menu')
    await menu.getByRole('link', { name: 'Personnes' }).tap()
    await page.getByRole('searchbox').fill('example')
    await page.getByRole('button', { name: 'Chercher', exact: true }).tap()
    await page.getByRole('link', { name: AMINA }).tap()
    await page.getByRole('button', { name: 'Effacer…' }).tap()
    await looksRight(t, page, 'effacer')
    await page.getByRole('button', { name: 'Ne rien changer' }).tap()
    await menu.getByText('Administration').tap()
    await menu.getByRole('link', { name: 'Clients de l’API' }).tap()
    await page.getByRole('button', { name: 'Ajouter un client' }).tap()
    await page.getByText('Depuis un serveur').tap()
    await page.getByText('Il a un secret, et reçoit un jeton').waitFor()
    await looksRight(t, page, 'ajouter')
    await page.getByRole('dialog').getByRole('button', { name: 'Ne rien faire' }).tap()
    const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'donor' }) })
    await card.getByRole('button', { name: 'Désactiver…' }).tap()
    await page.getByRole('dialog').getByRole('button', { name: 'Désactiver' }).tap()
    await page.getByText('donor est désactivé.').waitFor()
    await looksRight(t, page, 'clients')
  })
})

t.test('M2: an editor sees no administration, and gets no data of it', async (t) => {
  await scenario(t, { ...OPERATOR, as: 'Camille' }, async (page) => {
    await page.goto('/console/clients')
    await page.getByRole('heading', { name: 'This page is for operators' }).waitFor()
    t.equal(await page.getByRole('navigation').count(), 1)
  })
})
