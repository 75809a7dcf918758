import type { Client } from '@almoner/domain/access'
import type { Label } from '@almoner/domain/content'
import type { FieldChange } from '@almoner/domain/history'
import { newUser } from '@almoner/domain/people'
import type { ClientId, Email, LabelId, LabelName } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { samplePortfolio } from '../portfolio-samples.ts'
import type { Check, ContractRunner } from '../runner.ts'
import { done, failure, sampleId, sampleLibraryItem } from '../samples.ts'
import { sampleDevice, sampleEmail, sampleNotification } from '../samples-people.ts'
import { actOf, givenHistory, type HistoryUnderTest, records, recordsOfActs } from './fixture.ts'

const label = (labelId: string): Label => ({
  labelId: labelId as LabelId,
  en: `${labelId} in English` as LabelName,
  fr: `${labelId} en français` as LabelName,
})
const [water, health] = [label('water'), label('health')]

const client: Client = {
  id: 'app' as ClientId,
  name: 'App',
  scopes: ['user'],
  roles: [],
  email: O.some('amina@example.org' as Email),
  disabled: false,
}

/** Returns the actions, subjects and changes of all records, oldest first. */
const seen = async (check: Check, store: HistoryUnderTest) =>
  (await recordsOfActs(check, store)).map(
    ({ action, subject, changes }): readonly [string, string, ReadonlyArray<FieldChange>] => [
      action,
      `${subject.kind} ${subject.id}`,
      changes,
    ],
  )

/** Whether every change that is no item's leaves one record, and what changes nothing none (K1). */
export const historyActsContract = (runner: ContractRunner, make: () => Promise<HistoryUnderTest>): void => {
  const given = givenHistory(runner, make)

  given('K1: labels leave records of their items and of loads', async (check, store) => {
    const { labels } = store
    await done(store.libraryItems.add({ item: sampleLibraryItem(1), linksToImages: [] }))
    await done(labels.replaceAll([water, health], actOf('load-labels')))
    await done(labels.replaceAll([water, health], actOf('load-labels')))
    const item = ['library', sampleId(1), water.labelId] as const
    await done(labels.attach(...item, undefined, actOf('attach-label')))
    await done(labels.attach(...item, undefined, actOf('attach-label')))
    check.same(await failure(labels.replaceAll([health], actOf('load-labels'))), 'LabelsInUse')
    await done(labels.detach(...item, actOf('detach-label')))
    check.same(await failure(labels.detach(...item, actOf('detach-label'))), 'LabelNotFound')
    await done(labels.replaceAll([health, water], actOf('load-labels')))
    check.same(await seen(check, store), [
      ['load-labels', 'labels ', []],
      ['attach-label', `library ${sampleId(1)}`, [{ field: 'label', before: null, after: 'water' }]],
      ['detach-label', `library ${sampleId(1)}`, [{ field: 'label', before: 'water', after: null }]],
      ['load-labels', 'labels ', []],
    ])
  })

  given('K1: users appear as numbers, without addresses and tokens', async (check, store) => {
    const { devices, users } = store
    const [first, second] = [sampleDevice(1), sampleDevice(2)]
    await done(devices.attach(first, undefined, actOf('attach-device')))
    await done(devices.attach(first, undefined, actOf('attach-device')))
    await done(users.prefer(second.email, { lang: 'fr' }, actOf('set-preference')))
    await done(users.prefer(second.email, { lang: 'fr' }, actOf('set-preference')))
    await done(users.prefer(first.email, { subscribed: false }, actOf('set-preference')))
    const moved = { ...first, email: second.email }
    await done(devices.attach(moved, undefined, actOf('attach-device')))
    check.same(await failure(devices.detach(first.email, first, actOf('detach-device'))), 'DeviceNotFound')
    await done(devices.detach(second.email, first, actOf('detach-device')))
    check.same(await seen(check, store), [
      ['attach-device', 'user 1', []],
      [
        'set-preference',
        'user 2',
        [
          { field: 'lang', before: null, after: 'fr' },
          { field: 'subscribed', before: null, after: 'true' },
        ],
      ],
      ['set-preference', 'user 1', [{ field: 'subscribed', before: 'true', after: 'false' }]],
      ['attach-device', 'user 2', []],
      ['detach-device', 'user 2', []],
    ])
    const text = JSON.stringify(await records(store))
    for (const secret of [first.email, second.email, first.token]) check.ok(!text.includes(secret))
  })

  given('K1: an import of users leaves a record if it changes one', async (check, store) => {
    const all = [1, 2, 3].map((n) => newUser(sampleEmail(n)))
    const [one] = all.map((user) => ({ ...user, subscribed: false }))
    await done(store.users.putAll(all, actOf('import-users')))
    await done(store.users.putAll(all, actOf('import-users')))
    await done(store.users.putAll(one === undefined ? [] : [one], actOf('import-users')))
    check.same(await seen(check, store), [
      ['import-users', 'users ', []],
      ['import-users', 'users ', []],
    ])
  })

  given('K1: notifications, clients and the portfolio leave records', async (check, store) => {
    const { notifications, clients, portfolio } = store
    const { id } = sampleNotification(1)
    await done(notifications.add(sampleNotification(1), undefined, actOf('create-notification')))
    await done(notifications.remove(id, actOf('delete-notification')))
    check.same(await failure(notifications.remove(id, actOf('delete-notification'))), 'NotificationNotFound')
    const unstarted = sampleNotification(2, { date: O.none })
    await done(notifications.add(unstarted))
    await done(notifications.withdraw(unstarted.id, actOf('delete-notification')))
    await done(clients.add(client, 'hash 1', actOf('add-client')))
    check.same(await failure(clients.add(client, 'hash 2', actOf('add-client'))), 'ClientExists')
    await done(clients.rotate(client.id, 'hash 3', O.none, actOf('rotate-client')))
    await done(clients.setDisabled(client.id, true, actOf('disable-client')))
    await done(clients.setDisabled(client.id, true, actOf('disable-client')))
    await done(clients.setDisabled(client.id, false, actOf('enable-client')))
    check.same(
      await failure(clients.setDisabled('x' as ClientId, true, actOf('disable-client'))),
      'ClientNotFound',
    )
    await done(clients.add({ ...client, id: 'other' as ClientId }, 'hash 4', actOf('add-client')))
    await done(clients.withdraw('other' as ClientId, 'hash 4', actOf('withdraw-client')))
    check.same(
      await failure(clients.withdraw(client.id, 'hash 4', actOf('withdraw-client'))),
      'ClientNotFound',
    )
    await done(portfolio.replace(samplePortfolio(), actOf('load-portfolio')))
    check.same(await seen(check, store), [
      ['create-notification', `notification ${id}`, []],
      ['delete-notification', `notification ${id}`, []],
      ['delete-notification', `notification ${unstarted.id}`, []],
      ['add-client', 'client app', []],
      ['rotate-client', 'client app', []],
      ['disable-client', 'client app', []],
      ['enable-client', 'client app', []],
      ['add-client', 'client other', []],
      ['withdraw-client', 'client other', []],
      ['load-portfolio', 'portfolio ', []],
    ])
    check.ok(!JSON.stringify(await records(store)).includes('amina'))
  })
}
