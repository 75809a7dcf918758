import { ApiError } from '@almoner/client'
import { parseAbsolute, toCalendarDate, today, toTime } from '@internationalized/date'
import { listCopies, openCopy } from '../../content/editor/copy-writer.ts'
import type { Item } from '../../content/items.ts'
import { readItem } from '../../content/items-api.ts'
import type { Side } from '../../content/translation/pair-api.ts'
import { api, consoleApi } from '../../session/api.ts'
import { type Announced, listAnnounced, readNotification } from '../notifications-api.tsx'
import { beginning, bodyOf, type Draft, draftOfCopy, NO_SIDE, type SideDraft } from './draft.ts'

/** How the composer begins. */
export interface ComposerStart {
  /** The key of the working copy. */
  readonly key: string
  /** The draft without the working copy. */
  readonly fresh: Draft
  readonly draft: Draft
  /** When the working copy was stored, if there is one. */
  readonly restoredAt: string | undefined
  /** What the notification is about, by language. */
  readonly publications: Publications
  /** The notifications that are changed, by language; none for a new one. */
  readonly changes: Changes
  /** What was and will be sent about the publication, in both languages. */
  readonly announced: ReadonlyArray<Announced>
  /** The notification in the other language that a new one belongs to (G14); empty if there is none. */
  readonly counterpartId: string
}

/** Notifications that are changed, with the tag that each had. */
type Changes = Readonly<Partial<Record<Side, { readonly id: string; readonly etag: string | undefined }>>>

/** A publication in its languages. */
type Publications = Readonly<Partial<Record<Side, Item>>>

type Begun = Omit<ComposerStart, 'draft' | 'restoredAt'>

/** Returns a publication and its counterpart, by language. */
const publicationsOf = async (itemId: string): Promise<Publications> => {
  const { data } = await api.get('/library/', { query: { itemId, include: 'translation' } })
  const item = data.items[0]?.item
  if (item === undefined) return {}
  const { translation } = item
  const counterpart = translation ? (await readItem('library', translation.itemId)).data : undefined
  return { [item.lang]: item, ...(counterpart && { [counterpart.lang]: counterpart }) }
}

/** The time that a new notification begins with: ten o'clock tomorrow, by the clocks of the service. */
const tomorrow = (zone: string): Draft['time'] => ({
  when: 'at',
  day: today(zone).add({ days: 1 }).toString(),
  time: '10:00',
  zone,
  isSecond: false,
})

/** Returns the notification of a publication in one language. Without a publication there, it leads to the other language. */
const sideOf = (item: Item | undefined, other: Item | undefined): SideDraft => ({
  ...NO_SIDE,
  resourceId: item?.itemId ?? other?.itemId ?? '',
  ...(item && { isSent: true, title: item.itemTitle, description: beginning(item.itemDescription) }),
})

/** A notification without a publication, in English until the person chooses otherwise. */
const ofNothing = (zone: string): Begun => ({
  announced: [],
  counterpartId: '',
  key: 'notification-none',
  fresh: {
    sides: { en: { ...NO_SIDE, isSent: true }, fr: NO_SIDE },
    time: tomorrow(zone),
  },
  publications: {},
  changes: {},
})

/** The states of a notification that readers have got, or will get. */
const isAnnounced = ({ state }: Announced): boolean => state !== 'unscheduled'

/** Returns the only notification about a publication, if it is in one language, with a time to come. */
const withoutCounterpart = (announced: ReadonlyArray<Announced>): Announced | undefined => {
  const [one, ...others] = announced.filter(isAnnounced)
  const isComing = one?.state === 'scheduled' && (one.moment?.getTime() ?? 0) > Date.now()
  return one !== undefined && others.length === 0 && isComing && one.counterpartId === '' ? one : undefined
}

/** Returns the time for another language: that of the other one if it is to come, else none, never a past one. */
const timeBeside = (announced: ReadonlyArray<Announced>, zone: string): Draft['time'] => {
  const other = withoutCounterpart(announced)?.moment
  if (other !== undefined) return timeOf(other.toISOString(), zone)
  const languages = new Set(announced.filter(isAnnounced).map(({ lang }) => lang))
  return languages.size === 1 ? { ...tomorrow(zone), day: '' } : tomorrow(zone)
}

const ofPublication = async (itemId: string, zone: string): Promise<Begun | 'gone'> => {
  const publications = await publicationsOf(itemId)
  const { en, fr } = publications
  const ids = [en?.itemId, fr?.itemId].filter((id) => id !== undefined).sort()
  const [first] = ids
  if (first === undefined) return 'gone'
  const announced = await listAnnounced(ids)
  // A language that was announced is sent a second time only if the person chooses it.
  const isNew = (side: Side) => !announced.some((one) => one.lang === side && isAnnounced(one))
  const own = (side: Side, draft: SideDraft) => ({ ...draft, isSent: draft.isSent && isNew(side) })
  return {
    key: `notification-${first}`,
    fresh: {
      sides: { en: own('en', sideOf(en, fr)), fr: own('fr', sideOf(fr, en)) },
      time: timeBeside(announced, zone),
    },
    publications,
    changes: {},
    announced,
    counterpartId: withoutCounterpart(announced)?.id ?? '',
  }
}

const timeOf = (sendAt: string, zone: string): Draft['time'] => {
  if (sendAt === '') return tomorrow(zone)
  const zoned = parseAbsolute(sendAt, zone)
  const time = toTime(zoned).toString().slice(0, 'HH:MM'.length)
  return { when: 'at', day: toCalendarDate(zoned).toString(), time, zone, isSecond: false }
}

/** Reads a notification; undefined if it is deleted. */
const readShown = async (id: string) => {
  try {
    return (await consoleApi.get('/notifications/{id}', { path: { id } })).data.notification
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  }
}

/** The notification of a language that is changed, and the side of the draft that it begins with. */
const readSide = async (id: string) => {
  const [shown, { data, etag }] = await Promise.all([readShown(id), readNotification(id)])
  if (shown === undefined || data === undefined) return undefined
  const { lang, title, subtitle, description, sendAt, resourceId, labelId, state } = shown
  const draft: SideDraft = { ...NO_SIDE, isSent: true, title, subtitle, description, resourceId, labelId }
  const isOpen = state === 'scheduled' || state === 'unscheduled'
  return { id, etag, lang, sendAt, draft, isOpen, counterpart: data.notification.counterpart }
}

/**
 * Both languages of an announcement are changed together (G14). A notification that was deleted meanwhile begins empty: the person's working copy may
 * have its text.
 */
const ofNotification = async (id: string, zone: string): Promise<Begun | 'gone' | 'started'> => {
  const own = await readSide(id)
  if (own === undefined) {
    const key = `change-${id}`
    const hasCopy = (await listCopies()).some((copy) => copy.key === key)
    return hasCopy ? { ...ofNothing(zone), key } : 'gone'
  }
  if (!own.isOpen) return 'started'
  const { lang, draft, counterpart } = own
  const { resourceId, labelId } = draft
  const other = counterpart ? await readSide(counterpart.notificationId) : undefined
  const publications = resourceId === '' ? {} : await publicationsOf(resourceId)
  const ids = [publications.en?.itemId, publications.fr?.itemId].filter((one) => one !== undefined)
  const side = lang === 'en' ? 'fr' : 'en'
  const there = { ...sideOf(publications[side], publications[lang]), labelId, isSent: false }
  const beside = other?.isOpen === true ? other.draft : { ...there, doneId: other?.id ?? '' }
  const changed = [own, ...(other?.isOpen === true ? [other] : [])]
  return {
    key: `change-${changed.map((one) => one.id).sort()[0]}`,
    fresh: { sides: { [lang]: draft, [side]: beside } as Draft['sides'], time: timeOf(own.sendAt, zone) },
    publications,
    changes: Object.fromEntries(changed.map((one) => [one.lang, { id: one.id, etag: one.etag }])),
    announced: (await listAnnounced(ids)).filter((one) => one.id !== id && one.id !== other?.id),
    counterpartId: '',
  }
}

const begin = (query: URLSearchParams, zone: string): Promise<Begun | 'gone' | 'started'> => {
  const [item, change] = [query.get('item'), query.get('change')]
  if (change !== null) return ofNotification(change, zone)
  if (item === null || item === 'none') return Promise.resolve(ofNothing(zone))
  return ofPublication(item, zone)
}

/**
 * Loads the composer of a publication (`item`), of a notification to change (`change`), or of neither, with the person's working copy.
 * Instead of it, says that there is no such publication or notification, or that the notification is started.
 */
export const loadComposer = async (
  query: URLSearchParams,
  zone: string,
): Promise<ComposerStart | 'gone' | 'started'> => {
  const [begun, copies] = await Promise.all([begin(query, zone), listCopies()])
  if (typeof begun === 'string') return begun
  const { key, fresh } = begun
  const copy = await openCopy(key, copies)
  if (copy === undefined) return { ...begun, draft: fresh, restoredAt: undefined }
  return { ...begun, draft: draftOfCopy(copy.fields, fresh), restoredAt: copy.updatedAt }
}

/** Asks what a notification would send, and to how many devices. Sends nothing. */
export const askPreview = (body: ReturnType<typeof bodyOf>, signal?: AbortSignal) =>
  consoleApi.post('/notifications/preview', { body, ...(signal && { signal }) })

/** What a notification would send: its size, its devices by kind, and what keeps it from being created. */
export type Preview = Awaited<ReturnType<typeof askPreview>>['data']['preview']

/** Returns the number of all devices. */
export const devicesOf = ({ recipients }: Pick<Preview, 'recipients'>): number =>
  recipients.reduce((sum, { devices }) => sum + devices, 0)

/** Lists the devices of the signed-in person. */
export const listOwnDevices = async () =>
  (await consoleApi.get('/notifications/devices')).data.devices.map(({ device }) => device)

export type OwnDevice = Awaited<ReturnType<typeof listOwnDevices>>[number]

/** Sends a draft to one of the person's devices. Returns the outcome. */
export const sendTest = async (side: Side, draft: SideDraft, device: number) =>
  (await consoleApi.post('/notifications/test', { body: { ...bodyOf(side, draft), device } })).data.test

/** When a notification goes out, the key of its request, the one that it changes, and its other language. */
interface Scheduling {
  readonly moment: Date
  readonly key: string
  readonly changes: { readonly id: string; readonly etag: string | undefined } | undefined
  /** Empty while the other language is not scheduled. */
  readonly counterpartId: string
  /** Whether a change moves both languages, only this one, or leaves the time to the other's change (G14). */
  readonly moves: 'both' | 'own' | 'none'
}

/**
 * Schedules or changes a notification (G13), tied to its other language (G14), and returns its id. The same key does so once. A large one asks for
 * a proof of presence (M4).
 */
export const scheduleSide = async (
  side: Side,
  draft: SideDraft,
  { moment, key: idempotencyKey, changes, counterpartId, moves }: Scheduling,
): Promise<string> => {
  const date = String(Math.floor(moment.getTime() / 1000))
  const tie = counterpartId === '' ? {} : { counterpartId }
  const text = { ...bodyOf(side, draft), ...tie, resource_type: 'Library' } as const
  if (changes === undefined)
    return (await api.post('/notification', { body: { ...text, date }, idempotencyKey })).data.notification.id
  const { id, etag } = changes
  const body = {
    ...text,
    resource_id: draft.resourceId,
    ...(moves !== 'none' && { date }),
    ...(moves === 'both' && { both: 'true' as const }),
  }
  await api.post('/notification/{id}', { path: { id }, body, idempotencyKey, ifMatch: etag })
  return id
}
