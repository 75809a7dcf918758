import type { TimeZone } from '@almoner/domain/values'
import t from 'tap'
import type { Fixture, Who } from '../support/fixture.ts'
import { create, createLive, IMAGES, itemIn, itemsIn, onEachStore, update } from '../support/items.ts'

const DAY = 86_400_000
const CALLERS = ['user', 'donor', 'userManager', 'manager', 'admin'] as const
const MANAGING: ReadonlyArray<Who> = ['manager', 'admin']

/** Tokens that stay valid during the days of these tests. */
const tokenTtl = 100 * 86_400

/** The ways to read an item: listed, paged, filtered, by path, by parameter. */
const waysTo = (itemId: string) => [
  '/library/',
  '/library/?lim=10',
  '/library/?lang=en',
  `/library/${itemId}`,
  `/library/?itemId=${itemId}`,
]

const seenBy = async (fixture: Fixture, as: Who, itemId: string): Promise<ReadonlyArray<boolean>> => {
  const answers = waysTo(itemId).map(async (path) => itemsIn(await fixture.call('GET', path, { as })))
  return (await Promise.all(answers)).map((items) => items.some((item) => item.itemId === itemId))
}

const ALL = waysTo('').map(() => true)
const NONE = waysTo('').map(() => false)

onEachStore(
  t,
  'C9: a future date does not hide a Live item: the status decides',
  async (t, fixture) => {
    const { itemId } = await createLive(fixture, 'library', { itemPublicationDate: '2030-01-01' })
    for (const as of CALLERS) t.strictSame(await seenBy(fixture, as, itemId), ALL, as)
  },
  { policy: { tokenTtl } },
)

onEachStore(
  t,
  'C9: under ALMONER_EMBARGO users and donors do not see a Live item before its day',
  async (t, fixture) => {
    const { itemId } = await createLive(fixture, 'library', { itemPublicationDate: '2026-05-03' })
    await fixture.call('POST', `/library/${itemId}/label`, { as: 'manager', json: { labelId: 'water' } })
    for (const day of [0, 1, 2, 3]) {
      const isDue = day >= 2
      for (const as of CALLERS) {
        const sees = isDue || MANAGING.includes(as)
        t.strictSame(await seenBy(fixture, as, itemId), sees ? ALL : NONE, `${as}, day ${day}`)
        const labels = await (await fixture.call('GET', `/library/${itemId}/label`, { as })).json()
        t.equal((labels as ReadonlyArray<unknown>).length, sees ? 1 : 0, `E2: its labels, ${as}, day ${day}`)
      }
      fixture.clock.advance(DAY)
    }
  },
  { policy: { embargo: true, tokenTtl } },
)

onEachStore(
  t,
  'C9: an embargo reveals nothing: Drafts, Archived and restricted items stay hidden',
  async (t, fixture) => {
    const past = { itemPublicationDate: '2026-01-01' }
    const draft = await create(fixture, 'library', past)
    const restricted = await createLive(fixture, 'library', { ...past, isDonorRestricted: '1' })
    const archived = await createLive(fixture, 'library', past)
    await itemIn(await update(fixture, 'library', archived.itemId, { ...past, status: 'Archived' }))
    for (const { itemId } of [draft, restricted, archived])
      t.strictSame(await seenBy(fixture, 'user', itemId), NONE)
    t.strictSame(await seenBy(fixture, 'donor', restricted.itemId), ALL)
    t.strictSame(await seenBy(fixture, 'donor', draft.itemId), NONE)
  },
  { policy: { embargo: true, tokenTtl } },
)

onEachStore(
  t,
  'C9, B8: the day of an embargo begins at midnight in the time zone of the service',
  async (t, fixture) => {
    // In Auckland it is midnight of 2026-05-02.
    const due = await createLive(fixture, 'library', { itemPublicationDate: '2026-05-02' })
    const waiting = await createLive(fixture, 'library', { itemPublicationDate: '2026-05-03' })
    t.strictSame(await seenBy(fixture, 'user', due.itemId), ALL)
    t.strictSame(await seenBy(fixture, 'user', waiting.itemId), NONE)
    fixture.clock.advance(-1)
    t.strictSame(await seenBy(fixture, 'user', due.itemId), NONE, 'a millisecond before midnight')
  },
  { policy: { embargo: true, tokenTtl, timeZone: 'Pacific/Auckland' as TimeZone } },
)

onEachStore(
  t,
  'C9: an embargo applies to the library only, as feed items have no date',
  async (t, fixture) => {
    const { itemId } = await createLive(fixture, 'feed', IMAGES)
    const items = await itemsIn(await fixture.call('GET', '/feed/', { as: 'user' }))
    t.strictSame(
      items.map((item) => item.itemId),
      [itemId],
    )
  },
  { policy: { embargo: true, tokenTtl } },
)
