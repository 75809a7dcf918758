import type { Page } from '@almoner/browser'
import { done } from '@almoner/testkit/contracts'
import * as O from 'fp-ts/lib/Option.js'
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

/** A refusal for want of presence is also written to the browser's console. */
const NOT_PRESENT = /^console: .*\b403\b.*\/console\/api\//

const AS_OPERATOR = { ...DESKTOP, as: 'Oda', expected: [NOT_PRESENT] } as const

const linkIn = (page: Page) => page.getByRole('dialog').getByRole('textbox', { name: 'Link', exact: true })

t.test('M2, M4: an operator adds a manager after proving presence, and the link is shown once', async (t) => {
  await scenario(t, AS_OPERATOR, async (page, { fixture, newToken }) => {
    await page.goto('/console/managers')
    await page.getByRole('heading', { name: 'Bruno' }).waitFor()
    await looksRight(t, page, 'managers')
    fixture.clock.advance(5 * 60_000)
    await page.getByRole('button', { name: 'Add a manager' }).click()
    const form = page.getByRole('dialog', { name: 'Add a manager' })
    await form.getByRole('textbox', { name: 'Email' }).fill('marie@example.org')
    await form.getByRole('textbox', { name: 'Name' }).fill('Marie')
    await form.getByText('Operator', { exact: true }).click()
    await looksRight(t, page, 'add a manager')
    await form.getByRole('button', { name: 'Add, and show the link' }).click()
    const presence = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await looksRight(t, page, 'proof of presence')
    await presence.getByRole('button', { name: 'Cancel' }).click()
    await form.getByRole('button', { name: 'Add, and show the link' }).click()
    await presence.getByRole('button', { name: 'I have signed in: go on' }).click()
    await presence.getByText('You are not signed in yet.').waitFor()
    await proveByLink(page, await newToken('Oda'))
    await presence.getByRole('button', { name: 'Sign in', exact: true }).click()
    const shown = page.getByRole('dialog', { name: 'Sign-in link for Marie' })
    await shown.waitFor()
    await looksRight(t, page, 'link')
    const link = await linkIn(page).inputValue()
    await shown.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('heading', { name: 'Marie' }).waitFor()
    t.notOk((await page.content()).includes(link.split('#')[1] ?? ''))
    await openSignedOut(page, link)
    await page.getByText('marie@example.org').waitFor()
    await looksRight(t, page, 'whom a link signs in')
    await page.getByRole('button', { name: 'Sign in as Marie' }).click()
    await page.getByRole('heading', { name: 'Bonjour, Marie' }).waitFor()
  })
})

for (const settings of [DESKTOP, { ...PHONE, language: 'fr' }] as const)
  t.test(
    `M2: the link of another person signs in by a press only, ${settings.viewport.width} px`,
    async (t) => {
      await scenario(t, settings, async (page, { newToken }) => {
        const words =
          'language' in settings
            ? {
                as: 'Se connecter en tant que Bruno',
                other: 'Ce navigateur est connecté au nom de Camille',
                hello: 'Bonjour, Bruno',
              }
            : {
                as: 'Sign in as Bruno',
                other: 'This browser is signed in as Camille',
                hello: 'Hello, Bruno',
              }
        await page.goto(`/console/enter#${await newToken('Bruno')}`)
        await page.getByText(words.other).waitFor()
        await looksRight(t, page, 'the link of another person')
        await page.goto('/console/account')
        await page.getByText('camille@example.org', { exact: true }).waitFor()
        await page.goto(`/console/enter#${await newToken('Bruno')}`)
        await page.getByRole('button', { name: words.as }).click()
        await page.getByRole('heading', { name: words.hello }).waitFor()
      })
    },
  )

t.test('M2: a pasted link of another person is shown first', async (t) => {
  await scenario(t, DESKTOP, async (page, { newToken }) => {
    await page.goto('/console/sign-in')
    await page.getByRole('textbox', { name: 'Your sign-in link' }).fill(await newToken('Bruno'))
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('This browser is signed in as Camille').waitFor()
    await page.getByRole('button', { name: 'Not you? Use another way to sign in' }).click()
    await page.getByRole('textbox', { name: 'Your sign-in link' }).waitFor()
  })
})

t.test('M3: an operator removes the passkey of a stolen phone', async (t) => {
  await scenario(t, AS_OPERATOR, async (page, { fixture }) => {
    const passkey = { id: 'phone', name: 'Old phone', publicKey: 'key', signCount: 0 }
    const [email, createdAt] = ['bruno@example.org', fixture.clock.now()]
    await done(fixture.ports.passkeys.add({ ...passkey, email, createdAt, lastUsedAt: O.none } as never))
    await page.goto('/console/managers')
    await page.getByRole('button', { name: 'Passkeys: Bruno' }).click()
    const dialog = page.getByRole('dialog', { name: 'Passkeys of Bruno' })
    await dialog.getByText('Old phone').waitFor()
    await looksRight(t, page, 'passkeys of a manager')
    await dialog.getByRole('button', { name: 'Remove: Old phone' }).click()
    await page.getByRole('button', { name: 'Remove the passkey' }).click()
    await dialog.getByText('This person has no passkey.').waitFor()
    t.same(await done(fixture.ports.passkeys.of(email as never)), [])
  })
})

t.test('M4: an operator changes duties, disables, and ends sessions', async (t) => {
  await scenario(t, AS_OPERATOR, async (page, { fixture, signIn }) => {
    const cookie = await signIn('Bruno')
    const isSignedIn = async () =>
      (
        await fixture.call('GET', '/console/api/session', {
          headers: { cookie: `${cookie.name}=${cookie.value}` },
        })
      ).status === 200
    await page.goto('/console/managers')
    await page.getByRole('button', { name: 'Sessions: Bruno' }).click()
    const sessions = page.getByRole('dialog', { name: 'Sessions of Bruno' })
    const open = sessions.getByRole('list', { name: 'Open sessions' }).getByRole('listitem')
    await open.first().waitFor()
    t.equal(await open.count(), 1)
    t.ok(await isSignedIn())
    await sessions.getByRole('button', { name: 'End all sessions' }).click()
    await sessions.getByText('not signed in anywhere').waitFor()
    t.notOk(await isSignedIn())
    await looksRight(t, page, 'sessions')
    await sessions.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Make operator: Bruno' }).click()
    await page.getByRole('button', { name: 'Change the duty' }).click()
    await page.getByRole('button', { name: 'Make editor: Bruno' }).waitFor()
    await page.getByRole('button', { name: 'Disable: Bruno' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('button', { name: 'Enable: Bruno' }).click()
    await page.getByRole('button', { name: 'New link: Bruno' }).click()
    t.match(await linkIn(page).inputValue(), /\/console\/enter#.{20,}$/)
    t.equal(await page.getByRole('button', { name: /: Oda$/ }).count(), 0, 'one’s own access stays')
  })
})

t.test('M4, M8: on a phone, in French, a person ends all other sessions', async (t) => {
  await scenario(t, { ...PHONE, language: 'fr' }, async (page, { signIn }) => {
    await signIn()
    await page.goto('/console/account')
    const sessions = page.getByRole('list', { name: 'Sessions ouvertes' }).getByRole('listitem')
    await page.getByText('Cette session').waitFor()
    t.equal(await sessions.count(), 2)
    await looksRight(t, page, 'account')
    await page.getByRole('button', { name: 'Terminer toutes les autres sessions' }).tap()
    await page.getByText('Toutes les autres sessions sont terminées.').waitFor()
    await page
      .getByRole('button', { name: 'Terminer toutes les autres sessions' })
      .waitFor({ state: 'detached' })
    t.equal(await sessions.count(), 1)
  })
})

t.test('M14: a manager makes an address for a feed reader, which is shown once, and ends it', async (t) => {
  await scenario(t, AS_OPERATOR, async (page) => {
    const statusOf = (url: string) => page.request.get(new URL(url).pathname).then((read) => read.status())
    await page.goto('/console/account')
    await page.getByRole('button', { name: 'Make an address' }).click()
    const address = page.getByRole('textbox', { name: 'Private address' })
    const url = await address.inputValue()
    t.equal(await statusOf(url), 200)
    await looksRight(t, page, 'an address for a feed reader')
    await page.reload()
    await page.getByText(/^Made on /).waitFor()
    t.equal(await address.count(), 0)
    await page.getByRole('button', { name: 'End the address' }).click()
    await page
      .getByRole('dialog', { name: 'End the address?' })
      .getByRole('button', { name: 'End the address' })
      .click()
    await page.getByText('There is no address yet.').waitFor()
    t.equal(await statusOf(url), 404)
  })
})
