import type { Counterpart } from '../../content/items.ts'

type Side = Counterpart['lang']

/** What a notification says in one language. */
export interface Text {
  readonly title: string
  readonly subtitle: string
  readonly description: string
}

/** The notification of one language, as it is being written. */
export interface SideDraft extends Text {
  /** Whether it is to be sent. */
  readonly isSent: boolean
  /** The publication that it is about, or empty. */
  readonly resourceId: string
  /** The label that it is about, or empty: the same in both languages. */
  readonly labelId: string
  /** Its id once it is scheduled, while the other language is not. */
  readonly doneId: string
}

/** When the notifications go out: at once, or at a time on the clocks of a zone. */
export interface TimeDraft {
  readonly when: 'at' | 'now'
  /** YYYY-MM-DD. */
  readonly day: string
  /** HH:MM. */
  readonly time: string
  /** An IANA name. */
  readonly zone: string
  /** Of an hour that the clocks show twice, whether it is the second one. */
  readonly isSecond: boolean
}

/** Notifications in two languages that are written together. */
export interface Draft {
  readonly sides: Readonly<Record<Side, SideDraft>>
  readonly time: TimeDraft
}

/** The notification of a language in which nothing is sent. */
export const NO_SIDE: SideDraft = {
  isSent: false,
  title: '',
  subtitle: '',
  description: '',
  resourceId: '',
  labelId: '',
  doneId: '',
}

/** Characters of a publication's text that a notification begins with: about what a locked phone shows. */
const MOST = 180

/** Returns the beginning of a text: whole, or cut between two words, with an ellipsis. */
export const beginning = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  const characters = [...line]
  if (characters.length <= MOST) return line
  const cut = characters.slice(0, MOST).join('')
  const end = cut.lastIndexOf(' ')
  return `${(end > 0 ? cut.slice(0, end) : cut).replace(/[\s.,;:!?–-]+$/u, '')}…`
}

/** Returns the languages that are to be sent and are not scheduled yet. */
export const toSchedule = ({ sides }: Draft): ReadonlyArray<Side> =>
  (['en', 'fr'] as const).filter((side) => sides[side].isSent && sides[side].doneId === '')

/** Returns the fields of a draft's working copy. The first is its title in lists. */
export const copyFields = (draft: Draft): string => {
  const { en, fr } = draft.sides
  const itemTitle = (en.isSent && en.title) || fr.title || en.title
  return JSON.stringify({ itemTitle, draft: JSON.stringify(draft) })
}

/** Returns the draft of a working copy, with members that it lacks from `start`. */
export const draftOfCopy = (fields: string, start: Draft): Draft => {
  const stored: { readonly draft?: string } = JSON.parse(fields)
  const draft: Partial<Draft> = JSON.parse(stored.draft ?? '{}')
  const { en, fr } = draft.sides ?? start.sides
  return { ...start, ...draft, sides: { en: { ...NO_SIDE, ...en }, fr: { ...NO_SIDE, ...fr } } }
}

/** Returns the body of a preview and of a test. An empty publication or topic is left out. */
export const bodyOf = (lang: Side, { title, subtitle, description, resourceId, labelId }: SideDraft) => ({
  lang,
  title,
  subtitle,
  description,
  ...(resourceId !== '' && { resource_id: resourceId }),
  ...(labelId !== '' && { labelId }),
})
