import type { Client } from '@almoner/domain/access'
import type { Label } from '@almoner/domain/content'
import type { FieldChange } from '@almoner/domain/history'
import { newSession } from '@almoner/domain/managers'
import { newUser } from '@almoner/domain/people'
import { isNothing } from '@almoner/domain/personal-data'
import type { ClientId, Email, LabelId, LabelName, TimeZone } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { dead, makeDeliveryFixture } from '../delivery/fixture.ts'
import { MANAGER_NOW, openByLink, sampleDigest, sampleManager, sampleSession } from '../managers/managers.ts'
import { samplePortfolio } from '../portfolio/pages.ts'
import type { Check, ContractRunner } from '../runner.ts'
import {
  done,
  failure,
  SAMPLE_MOMENT,
  sampleDevice,
  sampleEmail,
  sampleId,
  sampleLibraryItem,
  sampleNotification,
} from '../samples.ts'
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

const ERASED = { actor: actOf('erase-user').actor, action: 'erase-user' } as const

/** Two publications in English and two in French. */
const [EN, FR, OTHER_EN, OTHER_FR] = [1, 2, 3, 4].map((n) =>
  sampleLibraryItem(n, { lang: n % 2 === 0 ? 'fr' : 'en' }),
) as unknown as readonly [Item, Item, Item, Item]
type Item = ReturnType<typeof sampleLibraryItem>

const link = (before: Item | null, after: Item | null): FieldChange => ({
  field: 'translation',
  before: before?.id ?? null,
  after: after?.id ?? null,
})

const changesIn = async (check: Check, store: HistoryUnderTest) =>
  (await recordsOfActs(check, store)).map(({ action, subject, changes }) => [action, subject.id, changes])

/** Whether links of translations, managers and the erasure of people leave their records (J7, K1, L1). */
export const historyPeopleContract = (
  runner: ContractRunner,
  make: () => Promise<HistoryUnderTest>,
): void => {
  const given = givenHistory(runner, make)

  given('J7, K1: links of translations leave records and no revisions', async (check, store) => {
    const { translations, libraryItems } = store
    for (const item of [EN, FR, OTHER_EN, OTHER_FR]) await done(libraryItems.add({ item, linksToImages: [] }))
    const linking = (from: Item, to: Item) => translations.link(from.id, to.id, actOf('link-translation'))
    await done(linking(EN, FR))
    await done(linking(FR, EN))
    await done(linking(EN, OTHER_FR))
    check.same(await failure(linking(EN, OTHER_EN)), 'ValidationFailed')
    check.same(await failure(translations.unlink(FR.id, actOf('unlink-translation'))), 'CounterpartNotFound')
    await done(translations.unlink(OTHER_FR.id, actOf('unlink-translation')))
    check.same(await changesIn(check, store), [
      ['link-translation', EN.id, [link(null, FR)]],
      ['link-translation', EN.id, [link(FR, OTHER_FR)]],
      ['unlink-translation', OTHER_FR.id, [link(EN, null)]],
    ])
    check.ok((await records(store)).every(({ number }) => O.isNone(number)))
  })

  given('K1, M2: managers appear as numbers, without address and name', async (check, store) => {
    const { managers } = store
    const [ada, eve] = [sampleManager('ada'), sampleManager('eve')]
    for (const manager of [ada, eve]) await done(managers.add(manager, actOf('add-manager')))
    check.same(await failure(managers.add(ada, actOf('add-manager'))), 'ManagerExists')
    const changing = actOf('change-manager')
    await done(managers.change(eve.email, { duty: 'operator' }, { act: changing }))
    await done(managers.change(eve.email, { duty: 'operator' }, { act: changing }))
    await done(managers.change(ada.email, { disabled: true }, { act: changing }))
    await done(managers.change(ada.email, { timeZone: 'Europe/Paris' as TimeZone }, { act: changing }))
    await done(managers.change(ada.email, { timeZone: null }, { act: changing }))
    check.same(
      await failure(managers.change('x@example.org' as Email, {}, { act: changing })),
      'ManagerNotFound',
    )
    const added = [
      { field: 'lang', before: null, after: 'fr' },
      { field: 'duty', before: null, after: 'editor' },
      { field: 'disabled', before: null, after: 'false' },
    ]
    check.same(await changesIn(check, store), [
      ['add-manager', '1', added],
      ['add-manager', '2', added],
      ['change-manager', '2', [{ field: 'duty', before: 'editor', after: 'operator' }]],
      ['change-manager', '1', [{ field: 'disabled', before: 'false', after: 'true' }]],
      ['change-manager', '1', [{ field: 'timeZone', before: '', after: 'Europe/Paris' }]],
      ['change-manager', '1', [{ field: 'timeZone', before: 'Europe/Paris', after: '' }]],
    ])
    const text = JSON.stringify(await records(store))
    for (const personal of [ada.email, ada.name, eve.email]) check.ok(!text.includes(personal))
  })

  given('K1, M4: links and ended sessions of managers leave records', async (check, store) => {
    const { managers, sessions, oneTimeSecrets } = store
    const ada = sampleManager('ada')
    await done(managers.add(ada))
    const secret = {
      digest: sampleDigest(1),
      purpose: 'sign-in',
      email: ada.email,
      expiresAt: MANAGER_NOW,
    } as const
    await done(oneTimeSecrets.put(secret, actOf('invite-manager')))
    const ending = { act: actOf('end-sessions') }
    await done(sessions.endAll(ada.email, ending))
    check.same(await changesIn(check, store), [['invite-manager', '1', []]], 'there was no session')
    await openByLink(store, sampleSession(1, ada))
    await done(sessions.endAll(ada.email, { ...ending, except: sampleDigest(1) }))
    await done(sessions.endAll(ada.email, ending))
    check.same(await changesIn(check, store), [
      ['invite-manager', '1', []],
      ['end-sessions', '1', []],
    ])
  })

  given('K1, M4: a session has the number of its manager', async (check, store) => {
    const { managers, sessions, users } = store
    const ada = sampleManager('ada')
    await done(users.prefer('first@example.org' as Email, { lang: 'fr' }, actOf('set-preference')))
    await done(managers.add(ada))
    const life = { sessionIdle: 10, sessionLife: 100 }
    const opened = (n: number) =>
      newSession({ digest: sampleDigest(n), email: ada.email, browser: '' }, MANAGER_NOW, life)
    check.same(await openByLink(store, opened(1)), 2)
    check.same(await openByLink(store, opened(2)), 2)
    const found = await done(sessions.find(sampleDigest(1), MANAGER_NOW))
    check.same(O.map(({ number }: { readonly number: number }) => number)(found), O.some(2))
    await done(managers.change(ada.email, { lang: 'en' }, { act: actOf('change-manager') }))
    check.same((await records(store))[0]?.subject, { kind: 'manager', id: '2' })
  })

  given('L1, K1: erasing a person unlinks the number and never gives it again', async (check, store) => {
    const { users, personalData } = store
    const [ada, eve] = ['ada@example.org' as Email, 'eve@example.org' as Email]
    const prefer = (email: Email, lang: 'en' | 'fr') =>
      done(users.prefer(email, { lang }, actOf('set-preference')))
    await prefer(ada, 'en')
    check.same(O.toNullable((await done(personalData.find(ada))).number), 1)
    await done(personalData.erase(ada, SAMPLE_MOMENT, ERASED))
    check.ok(isNothing(await done(personalData.find(ada))))
    check.same(await failure(personalData.erase(ada, SAMPLE_MOMENT, ERASED)), 'UserNotFound')
    await prefer(ada, 'fr')
    await prefer(eve, 'fr')
    const found = [...(await records(store))].reverse()
    check.same(
      found.map(({ action, subject }) => `${action} ${subject.kind} ${subject.id}`),
      ['set-preference user 1', 'erase-user user 1', 'set-preference user 2', 'set-preference user 3'],
    )
  })

  given('G5, K1: restoring no dead device leaves no record', async (check, store) => {
    const all = { provider: O.none, since: O.none }
    check.same(await done(store.deadDevices.restore(all, actOf('restore-devices'))), 0)
    check.same(await records(store), [])
  })

  given('G5, K1: restoring dead devices leaves a record', async (check, store) => {
    const setup = makeDeliveryFixture(store)
    await setup.readers(0, 1)
    await setup.notification(1)
    await setup.start()
    await setup.recordAll(await setup.claimed(), dead(SAMPLE_MOMENT))
    const all = { provider: O.none, since: O.none }
    check.same(await done(store.deadDevices.restore(all, actOf('restore-devices'))), 1)
    check.same(await changesIn(check, store), [['restore-devices', '', []]])
  })

  given('H1, K1: loading the same portfolio again leaves no record', async (check, store) => {
    const { portfolio } = store
    const content = await done(portfolio.content())
    await done(portfolio.replace(content, actOf('load-portfolio')))
    check.same(await records(store), [])
    const named = { ...content, name: 'Other' }
    for (let n = 0; n < 2; n += 1) await done(portfolio.replace(named, actOf('load-portfolio')))
    check.same((await changesIn(check, store)).length, 1)
  })
}
