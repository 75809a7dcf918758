import * as O from 'fp-ts/lib/Option.js'
import { type Caller, hasScope, SCOPES } from '../access/caller.ts'
import { namesOf } from '../content/include.ts'
import { todayFor, type Visibility, type VisibilityPolicy, visibilityOf } from '../content/rules.ts'
import type { HistoryPolicy } from '../history/ports.ts'
import type { MediaName } from '../media/model.ts'
import { parameters } from '../values/parameters.ts'
import { integer } from '../values/refined.ts'
import { Language } from '../values/text.ts'
import type { LocalDate } from '../values/time.ts'
import { CHANGE_MEMBERS, ChangeCursor, type ChangesView, checksum } from './cursor.ts'
import { type Aspect, CHANGE_KINDS, largestLead } from './model.ts'
import type { ChangesPorts } from './ports.ts'

/** Changes of an answer unless the caller asks for another number. */
const PAGE = 200

/** Parameters of GET /changes (N1). */
export const ListChanges = parameters({
  name: 'ListChanges',
  required: {},
  optional: {
    since: ChangeCursor,
    lang: Language,
    kinds: namesOf('ChangeKinds', CHANGE_KINDS, 'Kinds of things whose changes are listed'),
    include: namesOf('ChangeInclude', CHANGE_MEMBERS, 'Members to add to each item'),
    lim: integer('ChangesLim', 1, 1000, `Maximum number of changes to return. Default: ${PAGE}.`),
  },
})
export type ListChanges = typeof ListChanges._A

/** What listing changes asks of the world. */
export type ListPorts = Pick<
  ChangesPorts,
  'changes' | 'libraryItems' | 'labels' | 'knownImages' | 'mediaAddresses' | 'clock'
>
/** What a deployment decides for it. */
export type ListPolicy = VisibilityPolicy & HistoryPolicy

/** What one request looks at. */
export interface Looking {
  readonly view: ChangesView
  readonly today: LocalDate
  readonly visibility: Visibility
  /** Whether items appear by the passing of a day (C9). */
  readonly isEmbargoed: boolean
  readonly largestLead: number
  readonly aspects: ReadonlyArray<Aspect>
  readonly most: number
}

/** The name that stands for the addresses of all images. */
const ANY_IMAGE = 'image.png' as MediaName

/** Makes the function that returns what a request of this caller looks at. */
export const makeLooking = (ports: Pick<ListPorts, 'clock' | 'mediaAddresses'>, policy: ListPolicy) => {
  let settings = { text: '', sum: '' }
  const settingsNow = (): string => {
    const text = `${ports.mediaAddresses.urlOf(ANY_IMAGE)} ${policy.embargo} ${policy.timeZone}`
    if (text !== settings.text) settings = { text, sum: checksum(text) }
    return settings.sum
  }
  let leads = { day: '' as LocalDate, largest: 0 }
  const largestOn = (day: LocalDate): number => {
    if (day !== leads.day) leads = { day, largest: largestLead(policy.timeZone, day) }
    return leads.largest
  }
  return (caller: Caller, asked: ListChanges): Looking => {
    const audience = SCOPES.findLast((scope) => hasScope(caller, scope)) ?? 'user'
    const kinds = asked.kinds ?? CHANGE_KINDS
    const include = asked.include ?? []
    const today = todayFor(policy, ports.clock)
    return {
      view: { audience, lang: O.fromNullable(asked.lang), kinds, include, settings: settingsNow() },
      today,
      visibility: visibilityOf(caller, policy.embargo ? O.some(today) : O.none),
      isEmbargoed: policy.embargo && audience !== 'content-manager' && kinds.includes('library'),
      largestLead: policy.embargo ? largestOn(today) : Infinity,
      aspects: ['own', ...include],
      most: asked.lim ?? PAGE,
    }
  }
}

const DAY = 86_400_000

/** Returns whether a cursor is older than history (K3). */
export const isTooOld = ({ day }: ChangeCursor, today: LocalDate, { historyDays }: HistoryPolicy): boolean =>
  Date.parse(today) - Date.parse(day) > historyDays * DAY
