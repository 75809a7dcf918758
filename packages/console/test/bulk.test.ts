import type { Page } from '@almoner/browser'
import t from 'tap'
import {
  addPublication,
  browser,
  DESKTOP,
  looksRight,
  PUBLICATION,
  REFUSED,
  scenario,
} from './support/scenario.ts'
import type { OpenedConsole } from './support/console-server.ts'

t.teardown(() => browser.close())

type Rig = OpenedConsole['rig']

const statuses = async (rig: Rig): Promise<Readonly<Record<string, string>>> => {
  const answer = await rig.call('GET', '/library/', { as: 'manager' })
  const { items } = (await answer.json()) as {
    items: ReadonlyArray<{ item: { itemTitle: string; status: string } }>
  }
  return Object.fromEntries(items.map(({ item }) => [item.itemTitle, item.status]))
}

const toDraft = (rig: Rig, id: string, itemTitle: string) =>
  rig.call('POST', `/library/${id}`, { as: 'manager', json: { ...PUBLICATION, itemTitle, status: 'Draft' } })

const report = (page: Page, name: string | RegExp) => page.getByRole('region', { name })

const confirm = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name }).click()

t.test(
  'C10: filter, select all, change one elsewhere, publish: that one is refused by name, undo restores the others',
  async (t) => {
    await scenario(t, { ...DESKTOP, expected: [REFUSED] }, async (page, { rig }) => {
      const ids: Record<string, string> = {}
      for (const itemTitle of ['A well', 'A school', 'A road']) {
        ids[itemTitle] = await addPublication(rig, { itemTitle }, 'Live')
        await toDraft(rig, ids[itemTitle], itemTitle)
      }
      await addPublication(rig, { itemTitle: 'A bridge' })
      await addPublication(rig, { itemTitle: 'Other' }, 'Live')
      await page.goto('/console/library?status=Draft')
      await page.getByRole('checkbox', { name: 'Select all 4 listed' }).check()
      await page.getByRole('status').getByText('4 selected').waitFor()
      rig.clock.advance(60_000)
      await toDraft(rig, String(ids['A road']), 'A road, changed')
      await page.getByRole('listitem').filter({ hasText: 'Changed since you selected it' }).waitFor()
      await looksRight(t, page, 'selection')
      await page.getByRole('button', { name: 'Publish' }).click()
      const dialog = page.getByRole('dialog', { name: 'Publish 4 publications?' })
      t.strictSame(await dialog.getByRole('listitem').allTextContents(), [
        'A bridge',
        'A road',
        'A school',
        'A well',
      ])
      await looksRight(t, page, 'question')
      await dialog.getByRole('button', { name: 'Publish' }).click()
      const done = report(page, '2 published, 2 not')
      await done.getByRole('listitem').filter({ hasText: 'A road' }).getByText('Changed by someone else').waitFor()
      const bridge = done.getByRole('listitem').filter({ hasText: 'A bridge' })
      t.equal(await bridge.getByText(/^Add /).count(), 2, 'every reason of the server')
      await looksRight(t, page, 'report')
      t.match(await statuses(rig), {
        ...{ 'A well': 'Live', 'A school': 'Live', 'A bridge': 'Draft', Other: 'Live' },
        'A road, changed': 'Draft',
      })
      rig.clock.advance(60_000)
      await done.getByRole('button', { name: 'Undo (2)' }).click()
      await report(page, '2 restored').waitFor()
      t.match(await statuses(rig), { 'A well': 'Draft', 'A school': 'Draft', Other: 'Live' })
      const history = await rig.call('GET', `/library/${ids['A well']}/history`, { as: 'manager' })
      t.match(await history.json(), {
        history: [
          { revision: { actor: { kind: 'person' }, changes: [{ field: 'status', after: 'Draft' }] } },
          { revision: { actor: { kind: 'person' }, changes: [{ field: 'status', after: 'Live' }] } },
        ],
      })
    })
  },
)
