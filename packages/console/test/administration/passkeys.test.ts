import type { Page } from '@almoner/browser'
import { done } from '@almoner/testkit/contracts'
import t from 'tap'
import {
  browser,
  DESKTOP,
  looksRight,
  openSignedOut,
  PHONE,
  proveByLink,
  scenario,
} from '../support/scenario.ts'

t.teardown(() => browser.close())

const REFUSALS = /^console: .*\b(?:401|403)\b.*\/console\/api\//

const ON_NAME = { ...DESKTOP, host: 'localhost', as: 'Oda', expected: [REFUSALS] } as const

/** Gives the page an authenticator whose person always agrees. */
const addAuthenticator = async (page: Page) => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { forget: () => devtools.send('WebAuthn.clearCredentials', { authenticatorId }) }
}

const addPasskey = async (page: Page) => {
  await page.goto('/console/account')
  await page.getByText('You have no passkey yet.').waitFor()
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('list', { name: 'Your passkeys' }).getByRole('listitem').waitFor()
}

const toSignIn = async (page: Page) => {
  await openSignedOut(page, '/console/sign-in')
  return page.getByRole('button', { name: 'Sign in with a passkey' })
}

t.test('M3, M4: a person adds a passkey, signs in with it, and proves presence with it', async (t) => {
  await scenario(t, ON_NAME, async (page, { fixture }) => {
    await addAuthenticator(page)
    await addPasskey(page)
    await looksRight(t, page, 'passkeys')
    const signIn = await toSignIn(page)
    await signIn.waitFor()
    await looksRight(t, page, 'sign-in with a passkey')
    await signIn.click()
    await page.getByRole('heading', { name: 'Hello, Oda' }).waitFor()
    fixture.clock.advance(5 * 60_000)
    await page.goto('/console/managers')
    await page.getByRole('button', { name: 'New link: Bruno' }).click()
    const presence = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await looksRight(t, page, 'presence with a passkey')
    await presence.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('dialog', { name: 'Sign-in link for Bruno' }).waitFor()
  })
})

t.test('M3: a passkey is renamed and removed, and does not sign in any more', async (t) => {
  await scenario(t, ON_NAME, async (page) => {
    await addAuthenticator(page)
    await addPasskey(page)
    await page.getByRole('button', { name: /^Rename: / }).click()
    await page.getByRole('textbox', { name: 'Name of the passkey' }).fill('My phone')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Remove: My phone' }).click()
    await page
      .getByRole('dialog', { name: 'Remove My phone?' })
      .getByRole('button', { name: 'Remove' })
      .click()
    await page.getByText('You have no passkey yet.').waitFor()
    await (await toSignIn(page)).click()
    await page.getByRole('alert').filter({ visible: true }).getByText('not known here').waitFor()
  })
})

t.test('M3: a browser without a passkey, and a disabled manager, get no session', async (t) => {
  await scenario(t, ON_NAME, async (page, { fixture }) => {
    const { forget } = await addAuthenticator(page)
    await addPasskey(page)
    // An enabled operator is left (L4).
    await done(fixture.ports.managers.change('bruno@example.org' as never, { duty: 'operator' }))
    await done(fixture.ports.managers.change('oda@example.org' as never, { disabled: true }))
    await (await toSignIn(page)).click()
    const alert = page.getByRole('alert').filter({ visible: true })
    await alert.getByText('not known here').waitFor()
    await forget()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await alert.getByText('No passkey was used').waitFor()
  })
})

t.test('M3: at an address that is no name, no passkeys are offered', async (t) => {
  await scenario(t, { ...DESKTOP, as: 'Oda' }, async (page) => {
    await page.goto('/console/account')
    await page.getByText('Passkeys are not possible at this address').waitFor()
    const signIn = await toSignIn(page)
    await page.getByRole('textbox', { name: 'Your sign-in link' }).waitFor()
    t.equal(await signIn.count(), 0)
  })
})

t.test(
  'M10: who signs in by links only proves presence by a new link, and adds a passkey there',
  async (t) => {
    await scenario(t, ON_NAME, async (page, { fixture, newToken }) => {
      await addAuthenticator(page)
      const dialog = (name: string) => page.getByRole('dialog', { name })
      const makeLink = () => page.getByRole('button', { name: 'New link: Bruno' }).click()
      const proof = dialog('Confirm that it is you')
      await page.goto('/console/managers')
      fixture.clock.advance(5 * 60_000)
      await makeLink()
      await proof.getByText('So far you sign in by links only').waitFor()
      await proof.getByText('almoner manager link oda@example.org').waitFor()
      t.equal(await proof.getByRole('button', { name: 'Sign in with a passkey' }).count(), 0, 'there is none')
      await looksRight(t, page, 'presence by a link')
      await proveByLink(page, await newToken('Oda'))
      await page.keyboard.press('Enter')
      const offer = dialog('Do without links from now on')
      await offer.waitFor()
      await looksRight(t, page, 'offer of a passkey')
      await offer.getByRole('button', { name: 'Add a passkey' }).click()
      await dialog('Sign-in link for Bruno').waitFor()
      await page.keyboard.press('Escape')
      await page.goto('/console/managers')
      fixture.clock.advance(5 * 60_000)
      await makeLink()
      await proof.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await dialog('Sign-in link for Bruno').waitFor()
    })
  },
)

t.test('M8, M10: on a phone, in French and dark, a person goes on without a passkey', async (t) => {
  const phone = { ...PHONE, language: 'fr', host: 'localhost', as: 'Oda', expected: [REFUSALS] } as const
  await scenario(t, phone, async (page, { fixture, newToken }) => {
    await addAuthenticator(page)
    await page.goto('/console/managers')
    fixture.clock.advance(5 * 60_000)
    await page.getByRole('button', { name: 'Nouveau lien : Bruno' }).tap()
    const proof = page.getByRole('dialog', { name: 'Confirmez que c’est bien vous' })
    await proof.getByText('vous vous connectez seulement par lien').waitFor()
    await proof.getByText('la commande « almoner manager link oda@example.org »').waitFor()
    await looksRight(t, page, 'preuve par un lien')
    await proof.getByRole('textbox').fill(`#${await newToken('Oda')}`)
    await proof.getByRole('button', { name: 'Se connecter', exact: true }).tap()
    const offer = page.getByRole('dialog', { name: 'Vous passer de lien désormais' })
    await offer.waitFor()
    await looksRight(t, page, 'clé proposée')
    await offer.getByRole('button', { name: 'Continuer sans clé' }).tap()
    await page.getByRole('dialog', { name: /Lien de connexion/ }).waitFor()
  })
})
