import { makePasswordChecker } from '@almoner/adapters-signin'
import type { Page } from '@almoner/browser'
import { type TotpSecret, totpCode, totpStep } from '@almoner/domain/managers'
import { done, samplePassword } from '@almoner/testkit/contracts'
import t from 'tap'
import type { OpenedConsole } from '../support/console-server.ts'
import { browser, DESKTOP, looksRight, openSignedOut, PHONE, scenario } from '../support/scenario.ts'

t.teardown(() => browser.close())

const REFUSALS = /^console: .*\b(?:400|401|403|429)\b.*\/console\/api\//

const AS_ODA = { ...DESKTOP, as: 'Oda', expected: [REFUSALS] } as const

const PASSWORD = 'correct horse battery'

const { hmac } = makePasswordChecker()

/** Returns an authenticator app on the clock of the server. */
const appOf = ({ fixture }: OpenedConsole, secret: string) => ({
  code: () => totpCode(hmac, secret as TotpSecret, totpStep(fixture.clock.now())),
  /** Waits for the next code. */
  next: () => fixture.clock.advance(30_000),
})

/** Sets a password up on the account page. Returns the app and the recovery codes. */
const setUp = async (t: Parameters<typeof looksRight>[0], page: Page, console: OpenedConsole) => {
  await page.goto('/console/account')
  await page.getByRole('button', { name: 'Set up a password' }).click()
  const form = page.getByRole('dialog', { name: 'Set up a password' })
  await form.getByRole('img', { name: 'QR code with the secret for the app' }).waitFor()
  await looksRight(t, page, 'set up a password')
  const app = appOf(console, await form.getByLabel('Or type this secret into the app').inputValue())
  await form.getByLabel('New password').fill('too short')
  await form.getByLabel('Code that the app shows').fill(app.code())
  await form.getByRole('button', { name: 'Set the password' }).click()
  await form.getByText('Choose 12 to 256 characters.').waitFor()
  await form.getByLabel('New password').fill(PASSWORD)
  await form.getByLabel('Code that the app shows').fill('000 000')
  await form.getByRole('button', { name: 'Set the password' }).click()
  await form.getByText('This is not the code that the app shows now.').waitFor()
  await form.getByLabel('Code that the app shows').fill(app.code())
  await form.getByRole('button', { name: 'Set the password' }).click()
  const shown = page.getByRole('dialog', { name: 'Your recovery codes' })
  await shown.waitFor()
  await looksRight(t, page, 'recovery codes')
  const codes = await shown.getByRole('listitem').allInnerTexts()
  await shown.getByRole('button', { name: 'I have stored them' }).click()
  await page.getByText('10 recovery codes left').waitFor()
  return { app, codes }
}

const toSignIn = async (page: Page) => {
  await openSignedOut(page, '/console/sign-in')
  const button = page.getByRole('button', { name: 'Sign in with a password' })
  await button.waitFor()
  return async (code: string, password = PASSWORD) => {
    await page.getByLabel('Email').fill('oda@example.org')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('Code of your app').fill(code)
    await button.click()
  }
}

const alertIn = (page: Page, text: string) =>
  page.getByRole('alert').filter({ visible: true }).getByText(text).waitFor()

const atDesk = (page: Page) => page.getByRole('heading', { name: 'Hello, Oda' }).waitFor()

t.test('M3, M4, A8: a person sets a password up, uses it, changes and removes it', async (t) => {
  await scenario(t, AS_ODA, async (page, console) => {
    const { app, codes } = await setUp(t, page, console)
    t.equal(codes.length, 10)
    const signIn = await toSignIn(page)
    await looksRight(t, page, 'sign-in with a password')
    await signIn(app.code())
    await alertIn(page, 'This did not sign you in.')
    app.next()
    await signIn(app.code(), 'correct horse batterie')
    await alertIn(page, 'This did not sign you in.')
    await signIn(app.code())
    await atDesk(page)
    const again = await toSignIn(page)
    await again(codes[0] ?? '')
    await atDesk(page)
    const third = await toSignIn(page)
    await third(codes[0] ?? '')
    await alertIn(page, 'This did not sign you in.')
    app.next()
    await third(app.code())
    await atDesk(page)
    console.fixture.clock.advance(5 * 60_000)
    await page.goto('/console/managers')
    await page.getByRole('button', { name: 'New link: Bruno' }).click()
    const presence = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await presence.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await presence.getByLabel('Code of your app').fill('000000')
    await looksRight(t, page, 'presence with a password')
    await presence.getByRole('button', { name: 'Sign in with the password' }).click()
    await presence.getByText('This did not sign you in.').waitFor()
    await presence.getByLabel('Code of your app').fill(app.code())
    await presence.getByRole('button', { name: 'Sign in with the password' }).click()
    await page.getByRole('dialog', { name: 'Sign-in link for Bruno' }).waitFor()
    await page.goto('/console/account')
    await page.getByRole('button', { name: 'Change the password' }).click()
    const form = page.getByRole('dialog', { name: 'Change the password' })
    await form.getByLabel('New password').fill('oda@EXAMPLE.org')
    await form.getByRole('button', { name: 'Change the password' }).click()
    await form.getByText('Choose another password than your email or your name.').waitFor()
    await form.getByLabel('New password').fill('staple staple staple')
    await form.getByRole('button', { name: 'Change the password' }).click()
    await page.getByText('Your password has changed.').waitFor()
    await page.getByRole('button', { name: 'New recovery codes' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'New recovery codes' }).click()
    const list = page.getByRole('list', { name: 'Recovery codes' })
    await list.waitFor()
    const [code = ''] = await list.getByRole('listitem').allInnerTexts()
    await page.getByRole('button', { name: 'I have stored them' }).click()
    const fourth = await toSignIn(page)
    app.next()
    await fourth(app.code(), PASSWORD)
    await alertIn(page, 'This did not sign you in.')
    await fourth(code, 'staple staple staple')
    await atDesk(page)
    await page.goto('/console/account')
    await page.getByRole('button', { name: 'Remove the password' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the password' }).click()
    await page.getByRole('button', { name: 'Set up a password' }).waitFor()
    const removed = await toSignIn(page)
    console.fixture.clock.advance(60_000)
    for (let n = 0; n < 10; n += 1) {
      await removed(app.code(), 'staple staple staple')
      await alertIn(page, 'This did not sign you in.')
    }
    await removed(app.code(), 'staple staple staple')
    await alertIn(page, 'There were too many attempts.')
  })
})

t.test('M3, M4: after a lost phone an operator removes the password of a manager', async (t) => {
  await scenario(t, AS_ODA, async (page, { fixture, signIn }) => {
    const email = 'bruno@example.org' as never
    await done(fixture.ports.passwords.set({ ...samplePassword(), email }))
    await signIn('Bruno')
    await page.goto('/console/managers')
    await page.getByRole('button', { name: 'Remove the password: Bruno' }).click()
    const question = page.getByRole('dialog', { name: 'Remove the password of Bruno?' })
    await looksRight(t, page, 'remove a password')
    await question.getByRole('button', { name: 'Remove the password' }).click()
    await page.getByRole('button', { name: 'Remove the password: Bruno' }).waitFor({ state: 'detached' })
    t.same(await done(fixture.ports.sessions.of(email, fixture.clock.now())), [])
  })
})

t.test('M3, M8: on a phone, in French, a person sets a password up', async (t) => {
  await scenario(t, { ...PHONE, language: 'fr' }, async (page, console) => {
    await page.goto('/console/account')
    await page.getByRole('button', { name: 'Définir un mot de passe' }).tap()
    const form = page.getByRole('dialog', { name: 'Définir un mot de passe' })
    const app = appOf(console, await form.getByLabel('Ou saisissez ce secret').inputValue())
    await form.getByLabel('Nouveau mot de passe').fill(PASSWORD)
    await form.getByLabel('Code affiché par l’application').fill(app.code())
    await looksRight(t, page, 'set up a password, in French')
    await form.getByRole('button', { name: 'Définir le mot de passe' }).tap()
    await page.getByRole('dialog', { name: 'Vos codes de secours' }).waitFor()
    await looksRight(t, page, 'recovery codes, in French')
    await page.getByRole('button', { name: 'Je les ai gardés' }).tap()
    await page.getByText('10 codes de secours restants').waitFor()
    await openSignedOut(page, '/console/sign-in')
    await page.getByLabel('E-mail').fill('camille@example.org')
    await looksRight(t, page, 'sign-in with a password, in French')
    app.next()
    await page.getByLabel('Mot de passe').fill(PASSWORD)
    await page.getByLabel('Code de votre application').fill(app.code())
    await page.getByRole('button', { name: 'Se connecter avec un mot de passe' }).tap()
    await page.getByRole('heading', { name: 'Bonjour, Camille' }).waitFor()
  })
})
