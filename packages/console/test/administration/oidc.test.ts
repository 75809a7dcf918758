import type { Page } from '@almoner/browser'
import type { Email } from '@almoner/domain'
import { signInAt } from '@almoner/oidc-provider'
import { done } from '@almoner/testkit/contracts'
import t from 'tap'
import { browser, DESKTOP, looksRight, openSignedOut, PHONE, scenario } from '../support/scenario.ts'

t.teardown(() => browser.close())

const ACCOUNTS = new Map([
  ['camille-1', { email: 'Camille@example.org' }],
  ['oda-1', { email: 'oda@example.org' }],
  ['bruno-1', { email: 'bruno@example.org' }],
  ['bruno-2', { email: 'bruno@example.org', isVerified: false }],
  ['eve-1', { email: 'eve@example.org' }],
  ['far-1', { email: 'bruno@example.com' }],
])

/** The provider is another site than the console. */
const AT_PROVIDER = {
  host: 'localhost',
  isSignedOut: true,
  accounts: ACCOUNTS,
  expected: [
    /^foreign host: http:\/\/127\.0\.0\.1:\d+\/(?:auth|login)/,
    /^console: .*\b(?:401|403|503)\b.*\/console\/api\//,
  ],
} as const

const WITH_ORGANIZATION = { name: 'Sign in with your organization' }

/** Names an account on the provider's page. */
const nameAccount = async (page: Page, account: string) => {
  await page.getByRole('textbox', { name: 'Account' }).fill(account)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

const signInAs = async (page: Page, account: string) => {
  await page.getByRole('button', WITH_ORGANIZATION).click()
  await nameAccount(page, account)
}

/** Waits for the alert of the sign-in page. */
const refusal = (page: Page, text: RegExp) =>
  page.getByRole('alert').filter({ visible: true, hasText: text }).waitFor()

t.test('M3: an invited person signs in with the account of the organization, and again', async (t) => {
  await scenario(t, { ...DESKTOP, ...AT_PROVIDER }, async (page) => {
    await page.goto('/console/library')
    await looksRight(t, page, 'sign-in with an organization')
    await signInAs(page, 'camille-1')
    await page.getByRole('heading', { name: 'Library', level: 1 }).waitFor()
    t.match(page.url(), /\/console\/library$/, 'the page that was wanted')
    await page.goto('/console/account')
    await page.getByText(/^127\.0\.0\.1:\d+ · linked /).waitFor()
    await looksRight(t, page, 'a linked account')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', WITH_ORGANIZATION).click()
    await page.getByRole('heading', { name: 'Hello, Camille' }).waitFor()
    await page.goto('/console/account')
    await page.getByRole('button', { name: 'Unlink' }).click()
    const dialog = page.getByRole('dialog', { name: 'Unlink your account?' })
    await looksRight(t, page, 'unlinking')
    await dialog.getByRole('button', { name: 'Unlink' }).click()
    await page.getByText('No account is linked yet.').waitFor()
  })
})

t.test('M3, M11: all others are refused and hear what to do, and no account is linked', async (t) => {
  await scenario(t, { ...DESKTOP, ...AT_PROVIDER }, async (page, { fixture }) => {
    const { managers, identities } = fixture.ports
    await done(managers.change('bruno@example.org' as Email, { duty: 'operator' }))
    await done(managers.change('oda@example.org' as Email, { disabled: true }))
    const unknown = /You are not signed in\..*Ask the person who runs Almoner/
    const unverified = /does not confirm the address of this account\. Confirm it there/
    for (const account of ['eve-1', 'oda-1', 'bruno-2', 'far-1']) {
      await openSignedOut(page, '/console/sign-in')
      await signInAs(page, account)
      await refusal(page, account === 'bruno-2' ? unverified : unknown)
      t.notMatch(page.url(), /code|state/, account)
    }
    await page.context().clearCookies()
    await page.getByRole('button', WITH_ORGANIZATION).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await refusal(page, /You are not signed in\./)
    t.same(await done(identities.all()), [])
  })
})

t.test('M3: an answer of the provider counts once, in the browser that has asked', async (t) => {
  await scenario(t, { ...DESKTOP, ...AT_PROVIDER }, async (page, { baseURL }) => {
    const returns: Array<string> = []
    page.on('request', (request) => {
      if (/\/console\/sign-in\?.*code=/.test(request.url())) returns.push(request.url())
    })
    await page.goto('/console/sign-in')
    await signInAs(page, 'camille-1')
    await page.getByRole('heading', { name: 'Hello, Camille' }).waitFor()
    const [own = ''] = returns
    await page.goto(own)
    await refusal(page, /You are not signed in\./)
    const started = await fetch(`${baseURL}/console/api/sign-in/oidc/start`, {
      method: 'POST',
      headers: { 'Sec-Fetch-Site': 'same-origin' },
    })
    const { url } = (await started.json()) as { url: string }
    await openSignedOut(page, `/console/sign-in?${await signInAt(url, 'camille-1')}`)
    await refusal(page, /You are not signed in\./)
    t.same(
      (await page.context().cookies(baseURL)).map(({ name }) => name),
      [],
    )
  })
})

t.test(
  'M3, M4: an operator unlinks an account, after the provider has asked for the password again',
  async (t) => {
    await scenario(t, { ...DESKTOP, ...AT_PROVIDER }, async (page, { fixture, provider }) => {
      const { identities } = fixture.ports
      const [email, at] = ['bruno@example.org' as Email, fixture.clock.now()]
      const issuer = provider?.issuer ?? ''
      await done(identities.link({ issuer, subject: 'bruno-1', email, linkedAt: at, lastUsedAt: at }))
      await page.goto('/console/sign-in?to=/console/managers')
      await signInAs(page, 'oda-1')
      const bruno = page.getByRole('listitem').filter({ hasText: 'Bruno' })
      await bruno.getByText('Organization account').waitFor()
      fixture.clock.advance(5 * 60_000)
      await page.getByRole('button', { name: 'Unlink account: Bruno' }).click()
      await page
        .getByRole('dialog', { name: 'Unlink the organization account of Bruno?' })
        .getByRole('button', { name: 'Unlink' })
        .click()
      const presence = page.getByRole('dialog', { name: 'Confirm that it is you' })
      const unrelated = await page.context().newPage()
      await unrelated.goto('/console/sign-in')
      await unrelated.getByRole('button', WITH_ORGANIZATION).click()
      await unrelated.getByRole('heading', { name: 'Hello, Oda' }).waitFor()
      t.ok(await presence.isVisible(), 'a sign-in for another reason does not set off the act')
      const opened = page.context().waitForEvent('page')
      await presence.getByRole('link', { name: 'Sign in with your organization, in another tab' }).click()
      const other = await opened
      await nameAccount(other, 'oda-1')
      await other.getByRole('heading', { name: 'Hello, Oda' }).waitFor()
      await presence.waitFor({ state: 'hidden' })
      await bruno.getByText('Organization account').waitFor({ state: 'detached' })
      t.match(await done(identities.all()), [{ email: 'oda@example.org' }])
    })
  },
)

t.test('M3, M8: in French at 360 px; a provider that does not answer is put into words', async (t) => {
  await scenario(t, { ...PHONE, ...AT_PROVIDER }, async (page, { provider }) => {
    await page.goto('/console/sign-in')
    await provider?.stop()
    await page.getByRole('button', { name: 'Se connecter avec votre organisation' }).click()
    await refusal(page, /La connexion de votre organisation ne répond pas\./)
    await looksRight(t, page, 'sign-in with an organization, in French')
  })
})
