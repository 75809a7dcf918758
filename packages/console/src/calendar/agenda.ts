import { parseDate } from '@internationalized/date'
import { fieldsOf } from '../content/editor/fields.ts'
import type { ContentType, Item } from '../content/items.ts'
import { readItem, undoChange, updateItem } from '../content/items-api.ts'
import { changeProposal, type ListedProposal, listProposals } from '../content/proposals/proposals-api.ts'
import { readNotification, readSchedule } from '../notifications/notifications-api.tsx'
import { api } from '../session/api.ts'
import { dayIn, onDay } from '../ui/send-time.ts'

/** What stands on a day: a publication by its date, a moment of a schedule (C15), the moment of a proposal (C16), or a notification. */
export interface AgendaEntry {
  readonly kind: 'publication' | 'publishAt' | 'archiveAt' | 'proposal' | 'notification'
  readonly contentType: ContentType
  readonly id: string
  readonly title: string
  readonly lang: 'en' | 'fr'
  /** The day in the person's time zone; that of a publication is the same everywhere. */
  readonly day: string
  /** The moment; absent for a publication. */
  readonly at?: string
  readonly state: string
  /** The devices of a notification that has started; 0 for any other entry. */
  readonly devices: number
  /** The version of a proposal. */
  readonly proposalId?: string
  readonly isMovable: boolean
}

/** The most entries of one kind that are read. */
const MOST = 500

const PARTS = ['publishAt', 'archiveAt'] as const

/** Returns the moments of an item's schedule. */
const momentsOf = (contentType: ContentType, item: Item, timeZone: string): ReadonlyArray<AgendaEntry> =>
  PARTS.flatMap((kind): ReadonlyArray<AgendaEntry> => {
    const at = item.schedule?.[kind] ?? ''
    if (at === '') return []
    const { itemId: id, itemTitle: title, lang, status: state } = item
    return [
      {
        kind,
        contentType,
        id,
        title,
        lang,
        state,
        at,
        day: dayIn(at, timeZone),
        devices: 0,
        isMovable: true,
      },
    ]
  })

/** Returns the moment of a proposal. It moves while the live version is the one that the proposal began from. */
const momentOf = (
  { contentType, itemId: id, proposalId, title, lang, publishAt: at, isCurrent }: ListedProposal,
  timeZone: string,
): ReadonlyArray<AgendaEntry> => {
  if (at === '') return []
  const entry = { kind: 'proposal', contentType, id, proposalId, title, lang, at } as const
  return [{ ...entry, state: '', day: dayIn(at, timeZone), devices: 0, isMovable: isCurrent }]
}

/** Moves the moment of a version of a proposal. Returns how to take that back: the version after it moves to the moment before. */
const moveProposal = async (
  { contentType, id: itemId, proposalId = '', at = '' }: AgendaEntry,
  to: string,
): Promise<() => Promise<unknown>> => {
  const change = (version: string, moment: string) =>
    changeProposal({ contentType, itemId, proposalId: version }, { publishAt: seconds(moment) })
  const moved = await change(proposalId, to)
  return () => change(moved.proposalId, at)
}

/** Reads what stands on some days, in the order of time. */
export const readAgenda = async (from: string, to: string, timeZone: string, signal: AbortSignal) => {
  const planned = { query: { scheduled: 'true', include: 'schedule', lim: MOST } as const, signal }
  const [published, library, feed, proposals, { data: schedule, ...rest }] = await Promise.all([
    api.get('/library/', { query: { from, to, lim: MOST }, signal }),
    api.get('/library/', planned),
    api.get('/feed/', planned),
    listProposals(signal),
    readSchedule(
      parseDate(from).subtract({ days: 1 }).toString(),
      parseDate(to).add({ days: 1 }).toString(),
      signal,
    ),
  ])
  const entries: ReadonlyArray<AgendaEntry> = [
    ...published.data.items.map(({ item }): AgendaEntry => {
      const { itemId: id, itemTitle: title, lang, status: state, itemPublicationDate: day } = item
      return {
        kind: 'publication',
        contentType: 'library',
        id,
        title,
        lang,
        state,
        day,
        devices: 0,
        isMovable: true,
      }
    }),
    ...library.data.items.flatMap(({ item }) => momentsOf('library', item, timeZone)),
    ...feed.data.items.flatMap(({ item }) => momentsOf('feed', item, timeZone)),
    ...proposals.data.flatMap((proposal) => momentOf(proposal, timeZone)),
    ...schedule.notifications.map(
      ({ notificationId: id, title, lang, state, sendAt: at, recipients: devices }): AgendaEntry => ({
        ...{ kind: 'notification', contentType: 'library', id, title, lang, state, at, devices },
        day: dayIn(at, timeZone),
        isMovable: state === 'scheduled',
      }),
    ),
  ]
  const data = entries
    .filter(({ day }) => day >= from && day <= to)
    .toSorted((one, other) => (one.at ?? '').localeCompare(other.at ?? ''))
  return { ...rest, data }
}

/** What an entry stands for has changed since the page was read. */
export class EntryChanged extends Error {}

const seconds = (moment: string): string => String(Math.floor(Date.parse(moment) / 1000))

/** Moves a notification, and its other language with it, to a moment (G13, G14). Returns how to take that back. */
const moveNotification = async (id: string, from: string, to: string): Promise<() => Promise<unknown>> => {
  const { etag } = await readNotification(id)
  const change = (moment: string, ifMatch: string | undefined) =>
    api.post('/notification/{id}', { path: { id }, body: { date: seconds(moment), both: 'true' }, ifMatch })
  const moved = await change(to, etag)
  return () => change(from, moved.etag)
}

/**
 * Moves what an entry stands for to another day: the publication date, or the day of a moment, whose time stays. Only as the person has seen it.
 * Returns how to take that back (M12).
 */
export const moveEntry = async (
  entry: AgendaEntry,
  day: string,
  timeZone: string,
): Promise<() => Promise<unknown>> => {
  const { kind, contentType, id, at, day: present } = entry
  const moved = at === undefined ? day : onDay(at, day, timeZone)
  if (kind === 'notification') return moveNotification(id, at ?? '', moved)
  if (kind === 'proposal') return moveProposal(entry, moved)
  const { data, etag } = await readItem(contentType, id)
  if (data === undefined) throw new EntryChanged()
  const isAsSeen =
    kind !== 'publication' || !('itemPublicationDate' in data) || data.itemPublicationDate === present
  if (!isAsSeen) throw new EntryChanged()
  const change = kind === 'publication' ? { itemPublicationDate: day } : { [kind]: seconds(moved) }
  const written = await updateItem(
    contentType,
    id,
    { ...fieldsOf(data), status: data.status, ...change },
    etag,
  )
  return () => undoChange(contentType, id, written.etag)
}
