import { done, sampleDevice, sampleEmail, sampleNotification } from '@almoner/testkit/contracts'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import {
  addPublication,
  browser,
  DESKTOP,
  looksRight,
  PHONE,
  proveByLink,
  scenario,
} from '../support/scenario.ts'

t.teardown(() => browser.close())

t.test(
  'G5, K1, M10: an operator sees the findings, pauses a provider with keys alone, and resumes it with a proof of presence',
  async (t) => {
    const expected = [/^console: .*\b403\b.*\/console\/api\/providers\/apns\/pause/]
    await scenario(t, { ...DESKTOP, as: 'Oda', expected }, async (page, { fixture, newToken }) => {
      await done(fixture.ports.devices.attach(sampleDevice(1, { kind: 'unroutable' })))
      await page.goto('/console/operations')
      const findings = page.getByRole('region', { name: 'Findings' })
      await findings.getByText('1 device is of no known kind. Nothing can be sent there.').waitFor()
      await findings.getByText('ALMONER_PUSH_DEFAULT').waitFor()
      await page.getByRole('button', { name: 'Pause Apple (iPhone)' }).focus()
      await page.keyboard.press('Enter')
      const asked = page.getByRole('dialog', { name: 'Pause Apple (iPhone)?' })
      await asked.waitFor()
      await page.keyboard.press('Escape')
      await asked.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Pause Apple (iPhone)' }).focus()
      await page.keyboard.press('Enter')
      await asked.getByRole('button', { name: 'Pause the provider' }).focus()
      await asked.locator('.act:not([aria-disabled])').waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('status').getByText('Apple (iPhone) is paused.').waitFor()
      await findings.getByText('Nothing is sent by apns: an operator has paused it.').waitFor()
      const [, apns] = await done(fixture.ports.providers.states(fixture.clock.now()))
      t.ok(apns && O.isSome(apns.pause), 'every process asks this before it sends')
      const providers = page.getByRole('region', { name: 'Push providers' })
      await providers.getByText('An operator has paused it.').waitFor()
      await looksRight(t, page, 'paused')
      fixture.clock.advance(5 * 60_000)
      const resume = async () => {
        await page.getByRole('button', { name: 'Resume Apple (iPhone)' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Resume the provider' }).click()
      }
      const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
      await resume()
      await proof.getByRole('button', { name: 'Cancel' }).click()
      await page.getByText('Sign in again first to do this.').waitFor()
      const [, still] = await done(fixture.ports.providers.states(fixture.clock.now()))
      t.ok(still && O.isSome(still.pause), 'without a proof it stays paused')
      await resume()
      await proof.getByText('almoner manager link oda@example.org').waitFor()
      await looksRight(t, page, 'proof of presence')
      await proveByLink(page, await newToken('Oda'))
      await page.keyboard.press('Enter')
      await page.getByRole('status').getByText('Apple (iPhone) is resumed.').waitFor()
      await findings.getByText('an operator has paused it').waitFor({ state: 'detached' })
      await page.goto('/console/audit?action=pause-provider')
      const changes = page.getByRole('list', { name: 'Changes' })
      await changes.getByRole('link', { name: 'Provider apns', exact: true }).waitFor()
      await changes.getByText('Oda').waitFor()
      t.equal(await changes.getByRole('listitem').count(), 1)
    })
  },
)

t.test('the hexagon follows the service while the page is open; a table is behind each chart', async (t) => {
  await scenario(t, { ...DESKTOP, as: 'Oda' }, async (page, { fixture }) => {
    for (const n of [1, 2]) await done(fixture.ports.devices.attach(sampleDevice(n)))
    await page.goto('/console/operations')
    const hexagon = page.getByRole('figure', { name: 'The service and its adapters' })
    const drawing = hexagon.getByRole('img', { name: /Sending: Review, 0 waiting/ })
    await drawing.waitFor()
    await hexagon.getByText('2 devices').first().waitFor()
    const date = O.some(fixture.clock.now())
    await done(fixture.ports.notifications.add(sampleNotification(1, { date })))
    await done(fixture.ports.deliveries.start(fixture.clock.now(), 86_400_000))
    await done(fixture.ports.providers.pause('fcm', fixture.clock.now()))
    fixture.clock.advance(2000)
    await hexagon.getByRole('img', { name: /Sending: Review, 2 waiting.*Providers: .*1 paused/ }).waitFor()
    await hexagon.getByText('Show as a table').click()
    await hexagon.getByRole('row', { name: 'Sending Review 2 waiting' }).waitFor()
    const charts = page.getByRole('region', { name: 'In numbers' }).getByRole('figure')
    for (const chart of await charts.all()) {
      await chart.getByText('Show as a table').click()
      await chart.getByRole('table').waitFor()
    }
    t.equal(await charts.count(), 3)
    await charts.first().getByRole('columnheader', { name: 'Delivered' }).waitFor()
  })
})

t.test(
  'K4: the audit is filtered by who, what, entry and day, in pages; no URL names a person',
  async (t) => {
    await scenario(t, { ...DESKTOP, as: 'Oda' }, async (page, { fixture, signIn }) => {
      const id = await addPublication(fixture)
      const { name, value, url } = await signIn('Camille')
      for (let n = 1; n <= 31; n += 1) {
        const body = new URLSearchParams({ ...{ itemTitle: `Title ${n}`, itemDescription: 'A new well.' } })
        body.set('link', 'https://example.org/')
        body.set('status', 'Draft')
        const headers = { cookie: `${name}=${value}`, 'sec-fetch-site': 'same-origin' }
        await fetch(`${url}/console/api/library/${id}`, { method: 'POST', headers, body })
      }
      const urls: Array<string> = []
      page.on('request', (request) => void urls.push(request.url()))
      await page.goto('/console/audit')
      const changes = page.getByRole('list', { name: 'Changes' })
      const entries = changes.getByRole('listitem')
      await page.getByRole('combobox', { name: 'Person' }).selectOption({ label: 'Camille' })
      await page.getByRole('combobox', { name: 'What was done' }).selectOption({ label: 'Changed' })
      await page.waitForURL(/actor=\d+&action=update/)
      await changes.getByRole('link', { name: 'Publication “Title 31”', exact: true }).first().waitFor()
      t.equal(await entries.count(), 30)
      await page.getByRole('link', { name: 'Older changes' }).click()
      await page.getByRole('link', { name: 'Latest changes' }).waitFor()
      await entries.nth(1).waitFor({ state: 'detached' })
      await entries.getByText('Changed fields').click()
      await changes.getByText('Title', { exact: true }).waitFor()
      await page.getByRole('textbox', { name: 'Number of an entry' }).fill('another')
      await page.getByText('No change matches these filters.').waitFor()
      await page.getByRole('link', { name: 'Remove all filters' }).click()
      await page.getByRole('textbox', { name: 'App or command' }).fill('manager')
      await page.waitForURL(/actor=manager/)
      await changes.getByText('App “manager”').first().waitFor()
      await page.getByLabel('To', { exact: true }).fill('2026-04-30')
      await page.waitForURL(/to=2026-04-30/)
      await page.getByText('No change matches these filters.').waitFor()
      await looksRight(t, page, 'audit')
      const french = await addPublication(fixture, { lang: 'fr', itemTitle: 'Puits' })
      const json = { counterpartId: french }
      await fixture.call('PUT', `/library/${id}/translation`, { as: 'manager', json })
      await page.getByRole('link', { name: 'Remove all filters' }).click()
      await changes.getByText('Publication “Puits”').first().waitFor()
      await changes.getByRole('link', { name: 'All changes Publication “Title 31”' }).first().click()
      await page.waitForURL(new RegExp(`subject=${id}`))
      await entries.getByText('Changed fields').first().click()
      await changes.getByText('Puits', { exact: true }).waitFor()
      t.equal(await changes.getByText(french).count(), 0, 'a counterpart is named by its title')
      t.strictSame(
        urls.filter((one) => /example\.org|%40|Camille/.test(one)),
        [],
      )
    })
  },
)

t.test('M8: the pages of operators work in French on a dark phone', async (t) => {
  await scenario(t, { ...PHONE, language: 'fr', as: 'Oda' }, async (page, { fixture }) => {
    await done(fixture.ports.providers.pause('fcm', fixture.clock.now()))
    await page.goto('/console/operations')
    await page.getByRole('heading', { name: 'Exploitation', level: 1 }).waitFor()
    await page.getByText('Rien n’est envoyé par fcm : un opérateur l’a mis en pause.').waitFor()
    await page.getByRole('img', { name: /Envois: Revue, 0 en attente/ }).waitFor()
    await looksRight(t, page, 'phone')
    await page.getByRole('button', { name: 'Reprendre Firebase (Android)' }).tap()
    await page.getByRole('dialog').getByRole('button', { name: 'Reprendre' }).tap()
    await page.getByRole('status').getByText('Les envois par Firebase (Android) reprennent.').waitFor()
    const act = { actor: { kind: 'command', id: 'user set' }, action: 'set-preference' } as const
    const preference = { lang: 'fr', subscribed: false } as const
    await done(fixture.ports.users.prefer(sampleEmail(1), preference, { ...act, at: fixture.clock.now() }))
    await page.goto('/console/audit')
    await page.getByRole('heading', { name: 'Journal d’audit', level: 1 }).waitFor()
    await page.getByText('Champs modifiés').first().tap()
    const changes = page.getByRole('definition')
    t.strictSame(await changes.allTextContents(), ['Français', 'Non'])
    await page.getByText('Reçoit les notifications').waitFor()
    await looksRight(t, page, 'audit on a phone')
  })
})
