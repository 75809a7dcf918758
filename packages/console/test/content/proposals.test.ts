import { DEFAULT_POLICY } from '@almoner/domain'
import { makeRunProposals } from '@almoner/domain/content'
import { done } from '@almoner/testkit/contracts'
import fc from 'fast-check'
import t from 'tap'
import { seconds } from '../../../adapters-http/test/support/notifications.ts'
import type { Item } from '../../src/content/items.ts'
import { mergeProposal } from '../../src/content/proposals/merge.ts'
import type { OpenedConsole } from '../support/console-server.ts'
import {
  addPublication,
  browser,
  DESKTOP,
  FILE,
  looksRight,
  PHONE,
  PUBLICATION,
  propose,
  REFUSED,
  scenario,
  typeTime,
} from '../support/scenario.ts'

t.teardown(() => browser.close())

/** A page may still ask for a proposal that is closed at the same time. */
const GONE = /^console: .*\b404\b.*\/console\/api\/proposals\//

const titleOf = async ({ fixture }: Pick<OpenedConsole, 'fixture'>, id: string) => {
  const answer = await fixture.call('GET', `/library/${id}`, { as: 'donor' })
  const { items } = (await answer.json()) as { items: [{ item: { itemTitle: string } }] }
  return items[0].item.itemTitle
}

t.test('C16: a merge keeps what either side alone has changed, and asks about the rest', async (t) => {
  const names = ['itemTitle', 'itemDescription', 'link'] as const
  const texts = fc.record({
    ...{ itemTitle: fc.constantFrom('a', 'b', 'c'), itemDescription: fc.constantFrom('a', 'b', 'c') },
    ...{ link: fc.constantFrom('a', 'b', 'c'), coverImgUrl: fc.constantFrom('1', '2', '3') },
  })
  fc.assert(
    fc.property(texts, texts, texts, (base, live, state) => {
      const item = { ...live, itemRelatedLink: live.coverImgUrl } as unknown as Item
      const { proposed, clashes } = mergeProposal({ base, state }, item)
      const merged = proposed as unknown as Readonly<Record<string, string>>
      const isAsked = (name: string) => clashes.some(({ field }) => field === name)
      const cover = state.coverImgUrl === base.coverImgUrl ? live.coverImgUrl : state.coverImgUrl
      const isRight = (name: (typeof names)[number]) => {
        const [before, mine, theirs] = [base[name], state[name], live[name]]
        if (mine === before) return merged[name] === theirs && !isAsked(name)
        return merged[name] === mine && isAsked(name) === (theirs !== before && theirs !== mine)
      }
      return names.every(isRight) && merged['coverImgUrl'] === cover && merged['itemRelatedLink'] === cover
    }),
  )
  t.pass('for all texts')
})

t.test('C16, M12: a rewrite is shared, compared, published by a colleague, and taken back', async (t) => {
  await scenario(t, { ...DESKTOP, expected: [GONE] }, async (page, opened) => {
    const { fixture, signIn } = opened
    const id = await addPublication(fixture, { itemTitle: 'Six wells' }, 'Live')
    await page.goto(`/console/library/${id}`)
    await page.getByRole('textbox', { name: 'Title' }).fill('Seven wells')
    await page.getByRole('button', { name: 'Share as a proposal' }).click()
    await page.getByRole('heading', { name: 'What readers would notice' }).waitFor()
    await page.getByText('Proposed by Camille').waitFor()
    t.equal(await page.locator('.changes ins').textContent(), 'added: Seven')
    await looksRight(t, page, 'a proposal')
    t.equal(await titleOf(opened, id), 'Six wells', 'readers see the version before')

    await page.context().addCookies([await signIn('Bruno')])
    await page.goto('/console')
    await page.getByRole('link', { name: /1 proposal waits/ }).click()
    await page.getByRole('link', { name: 'Seven wells' }).click()
    await page.getByRole('button', { name: 'Change the text or the images' }).click()
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('All of them work.')
    const [cover] = await Promise.all([
      page.waitForResponse((answer) => answer.url().endsWith('/media/cover')),
      page.getByRole('group', { name: 'Cover' }).locator('input[type=file]').setInputFiles(FILE),
    ])
    t.equal(cover.status(), 200)
    await looksRight(t, page, 'the form of a proposal')
    await page.getByRole('button', { name: 'Compare with the live version' }).click()
    await page.getByRole('button', { name: 'Publish the proposal' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Readers will see this at once: title, text and cover').waitFor()
    await dialog.locator('.act:not([aria-disabled])').waitFor()
    await dialog.getByRole('button', { name: 'Publish the proposal' }).click()
    await page.getByText('The proposal is published. Readers see it now.').waitFor()
    t.equal(await titleOf(opened, id), 'Seven wells')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('The proposal is back.').waitFor()
    await page.getByText('Proposed by Camille').waitFor()
    t.equal(await titleOf(opened, id), 'Six wells', 'M12: undo')
    await page.locator('.editor-aside .act:not([aria-disabled])').waitFor()
    await page.getByRole('button', { name: 'Discard the proposal' }).click()
    await page.getByText('The proposal is discarded.').waitFor()
    await page.getByRole('button', { name: 'Share as a proposal' }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('The proposal is back.').waitFor()
    await page.getByText('Proposed by Camille').waitFor()
    await page.getByRole('link', { name: 'Preview' }).click()
    const small = page.getByRole('region', { name: 'Small phone' })
    await small.getByRole('heading', { name: 'Seven wells' }).waitFor()
    await page.getByRole('radio', { name: 'As saved' }).check({ force: true })
    await small.getByRole('heading', { name: 'Six wells' }).waitFor()
    await page.evaluate('Promise.allSettled([...document.images].map((image) => image.decode()))')
  })
})

t.test(
  'C16: a proposal is planned and moved in the calendar; a live version that has changed is merged with it',
  async (t) => {
    await scenario(t, { ...DESKTOP, expected: [REFUSED, GONE] }, async (page, opened) => {
      const { fixture } = opened
      const id = await addPublication(fixture, { itemTitle: 'Six wells' }, 'Live')
      await propose(opened, id, { itemTitle: 'Seven wells' })
      await page.goto(`/console/library/${id}`)
      await page.getByRole('link', { name: 'Look at the proposal' }).click()
      await page.getByRole('group', { name: 'Publish on' }).getByRole('spinbutton').first().focus()
      await page.keyboard.type('15062099')
      await typeTime(page, 'Time of publishing', '1430')
      await page.getByRole('button', { name: 'Set the time' }).click()
      await page.getByText('It will be published on 15 June 2099 at 14:30.').waitFor()
      await looksRight(t, page, 'a planned proposal')
      await page.goto('/console/calendar?day=2099-06-10')
      const dayOf = (name: string) =>
        page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
      await dayOf('Mon 15 June').getByRole('link', { name: 'Seven wells' }).waitFor()
      await page.locator('.agenda-entry.proposal').dragTo(dayOf('Thu 18 June'))
      await dayOf('Thu 18 June').getByRole('link', { name: 'Seven wells' }).waitFor()
      await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
      await dayOf('Mon 15 June').getByRole('link', { name: 'Seven wells' }).click()
      await page.getByText('It will be published on 15 June 2099 at 14:30.').waitFor()

      const change = {
        ...PUBLICATION,
        itemTitle: 'Six deep wells',
        itemDescription: 'Another text.',
        status: 'Live',
      }
      await fixture.call('POST', `/library/${id}`, { as: 'manager', json: change })
      const clash = page.getByRole('alert').filter({ hasText: 'The live version has changed since' })
      await clash.getByText('Six deep wells').waitFor()
      await looksRight(t, page, 'a proposal with a conflict')
      await page.getByRole('button', { name: 'Publish the proposal' }).click()
      await page.locator('#clashes:focus').waitFor()
      await clash.getByRole('button', { name: 'Use the proposal' }).click()
      await page.getByText('Its changes are merged').waitFor()
      await page.getByRole('button', { name: 'Save the proposal' }).click()
      await page.getByText('The proposal is saved.').waitFor()
      await page.getByText('Its changes are merged').waitFor({ state: 'detached' })
      const shown = await page.locator('.changes dt').allTextContents()
      t.strictSame(shown, ['Title'], 'the live text is taken over')
      await page.locator('.changes ins', { hasText: 'Seven' }).waitFor()
    })
  },
)

t.test('C16: the desk, the list and the page say why a proposal was not published, in French', async (t) => {
  await scenario(t, { ...PHONE, language: 'fr' }, async (page, opened) => {
    const { fixture } = opened
    const id = await addPublication(fixture, { itemTitle: 'Six wells' }, 'Live')
    const publishAt = seconds(new Date(fixture.clock.now() + 60_000).toISOString())
    await propose(opened, id, { itemTitle: 'Seven wells' }, { publishAt })
    await fixture.call('POST', `/library/${id}`, { as: 'manager', json: { ...PUBLICATION, status: 'Live' } })
    fixture.clock.advance(120_000)
    await done(makeRunProposals(fixture.ports, DEFAULT_POLICY)())
    await page.goto('/console')
    await page.getByText('La version en ligne avait changé depuis la proposition.').waitFor()
    await looksRight(t, page, 'the desk')
    await page.goto('/console/proposals?show=failed')
    await page.getByText('Version en ligne modifiée depuis').waitFor()
    await looksRight(t, page, 'the list')
    await page.getByRole('link', { name: 'Les miennes' }).click()
    await page.getByText('Aucune proposition ici.').waitFor()
    await page.getByRole('link', { name: 'Toutes' }).click()
    await page.getByRole('link', { name: 'Seven wells' }).click()
    await page.getByRole('heading', { name: 'La version en ligne a changé depuis' }).waitFor()
    await looksRight(t, page, 'a failed proposal')
    await fixture.call('POST', `/library/${id}`, { as: 'manager', json: { ...PUBLICATION, status: 'Draft' } })
    await page.getByText('Ce contenu n’est plus en ligne.').waitFor()
    await page.getByRole('button', { name: 'Publier la proposition' }).waitFor({ state: 'detached' })
    await looksRight(t, page, 'a proposal for a draft')
  })
})

t.test('C16, M12: text typed into a proposal outlives the page, and the proposal', async (t) => {
  await scenario(t, { ...DESKTOP, expected: [GONE] }, async (page, opened) => {
    const { fixture, baseURL, signIn } = opened
    const id = await addPublication(fixture, { itemTitle: 'Six wells' }, 'Live')
    await propose(opened, id, { itemTitle: 'Seven wells' })
    await page.goto(`/console/library/${id}/proposal`)
    await page.getByRole('button', { name: 'Change the text or the images' }).click()
    await page.getByRole('textbox', { name: 'Link', exact: true }).fill('https://example.org/wells')
    await page.getByRole('link', { name: 'Desk' }).click()
    await page.getByRole('link', { name: 'Finish “Seven wells”' }).click()
    await page.getByText('have not saved it in the proposal').waitFor()
    const link = page.getByRole('textbox', { name: 'Link', exact: true })
    t.equal(await link.inputValue(), 'https://example.org/wells')

    const { name, value } = await signIn('Bruno')
    const headers = { Cookie: `${name}=${value}`, 'Sec-Fetch-Site': 'same-origin' }
    const path = `${baseURL}/console/api/proposals/library/${id}`
    const { proposal } = (await (await fetch(path, { headers })).json()) as {
      proposal: { proposalId: string }
    }
    await fetch(`${path}/${proposal.proposalId}`, { method: 'DELETE', headers })
    await page.getByRole('heading', { name: 'There is no proposal for this entry' }).waitFor()
    await looksRight(t, page, 'a proposal that is gone')
    await page.getByRole('button', { name: 'Go on with it in the entry' }).click()
    await page.getByText('Only you see it. Readers see the saved version.').waitFor()
    t.equal(await link.inputValue(), 'https://example.org/wells')
    t.equal(await page.getByRole('textbox', { name: 'Title' }).inputValue(), 'Six wells')
  })
})

t.test('C16, J7: both languages of a publication, and a post, are shared', async (t) => {
  await scenario(t, { ...DESKTOP, expected: [GONE] }, async (page, { fixture }) => {
    const [en, fr] = [
      await addPublication(fixture, { itemTitle: 'Six wells' }, 'Live'),
      await addPublication(fixture, { itemTitle: 'Six puits', lang: 'fr' }, 'Live'),
    ]
    const json = { counterpartId: fr }
    await fixture.call('PUT', `/library/${en}/translation`, { as: 'manager', json })
    await page.goto(`/console/library/${en}/translation`)
    for (const [side, title] of [
      ['English', 'Seven wells'],
      ['French', 'Sept puits'],
    ] as const)
      await page.getByRole('region', { name: side }).getByRole('textbox', { name: 'Title' }).fill(title)
    await page.getByRole('button', { name: 'Share as proposals' }).click()
    await page.getByText('Shared as proposals.').waitFor()
    await page.getByRole('link', { name: 'Sept puits' }).waitFor()
    await page.getByRole('link', { name: 'Seven wells' }).waitFor()
    await page.goto('/console/library')
    await page.locator('.rows .tag', { hasText: 'Proposal' }).waitFor()
    await page.goto(`/console/library/${en}/translation`)
    await page.getByRole('link', { name: 'Look at the proposal' }).nth(1).waitFor()
    await looksRight(t, page, 'a pair with proposals')

    const post = {
      itemType: 'link',
      itemTitle: 'A pump',
      itemDescription: 'It works.',
      link: 'https://example.org/',
    }
    const sent = await fixture.call('POST', '/feed/', { as: 'manager', json: post })
    const { item } = (await sent.json()) as { item: { itemId: string } }
    await fixture.call('POST', `/feed/${item.itemId}`, { as: 'manager', json: { ...post, status: 'Live' } })
    await page.goto(`/console/feed/${item.itemId}`)
    await page.getByRole('textbox', { name: 'Title' }).fill('Two pumps')
    await page.getByRole('button', { name: 'Share as a proposal' }).click()
    await page.getByText('Proposed by Camille').waitFor()
    await page.getByRole('button', { name: 'Publish the proposal' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('.act:not([aria-disabled])').waitFor()
    await dialog.getByRole('button', { name: 'Publish the proposal' }).click()
    await page.getByRole('heading', { name: 'Two pumps' }).waitFor()
  })
})

t.test(
  'C16, C10: what two managers change in one proposal is merged, and asked about where both changed it',
  async (t) => {
    await scenario(t, { ...DESKTOP, expected: [REFUSED, GONE] }, async (page, opened) => {
      const { fixture, baseURL, signIn } = opened
      const id = await addPublication(fixture, { itemTitle: 'Six wells' }, 'Live')
      await page.goto(`/console/library/${id}`)
      await page.getByRole('button', { name: 'Share as a proposal' }).waitFor()
      await propose(opened, id, { itemTitle: 'Seven wells' })
      await page.getByRole('button', { name: 'Share as a proposal' }).waitFor({ state: 'detached' })
      await page.getByRole('link', { name: 'Look at the proposal' }).click()
      await page.getByRole('button', { name: 'Change the text or the images' }).click()
      const { name, value } = await signIn('Bruno')
      const headers = { Cookie: `${name}=${value}`, 'Sec-Fetch-Site': 'same-origin' }
      const path = `${baseURL}/console/api/proposals/library/${id}`
      const read = async () => {
        const { proposal } = (await (await fetch(path, { headers })).json()) as {
          proposal: { proposalId: string; state: Readonly<Record<string, string>> }
        }
        return proposal
      }
      const change = async (fields: object) => {
        const { proposalId, state } = await read()
        const { coverImgUrl: _, notificationImgUrl: __, ...texts } = state
        const { status } = await fetch(`${path}/${proposalId}`, {
          method: 'PUT',
          headers: { ...headers, 'Content-Type': 'application/json' },
          body: JSON.stringify({ fields: JSON.stringify({ ...texts, ...fields }) }),
        })
        t.equal(status, 200)
      }
      const box = (label: string) => page.getByRole('textbox', { name: label, exact: true })
      await box('Link').fill('https://example.org/mine')
      await change({ itemTitle: 'Eight wells' })
      await page.getByRole('heading', { name: 'Eight wells', level: 1 }).waitFor()
      await page.keyboard.press('Control+s')
      await page.getByText('The proposal is saved.').waitFor()
      t.match((await read()).state, { itemTitle: 'Eight wells', link: 'https://example.org/mine' })

      await box('Title').fill('Nine wells')
      await change({ itemTitle: 'Ten wells' })
      const clash = page.getByRole('alert').filter({ hasText: 'Someone else changed this' })
      await clash.getByText('Ten wells').waitFor()
      await page.getByRole('button', { name: 'Publish the proposal' }).click()
      await page.locator('#colleague-clashes:focus').waitFor()
      t.match((await read()).state, { itemTitle: 'Ten wells' })
      await clash.getByRole('button', { name: 'Keep yours' }).click()
      await page.getByRole('button', { name: 'Save the proposal' }).click()
      await page.getByText('The proposal is saved.').waitFor()
      t.match((await read()).state, { itemTitle: 'Nine wells', link: 'https://example.org/mine' })
      t.equal(await titleOf(opened, id), 'Six wells')
    })
  },
)
