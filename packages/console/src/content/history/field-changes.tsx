import { useState } from 'react'
import type { Messages } from '../../messages/en.ts'
import { useLocaleName, useMessages, useMoment } from '../../session/session.tsx'
import type { FieldChange } from './history-api.ts'
import { type DiffPart, diffWords } from './word-diff.ts'

/** Fields whose values are identifiers, which say nothing to people. */
const NAMELESS: ReadonlySet<string> = new Set(['proposal'])

const IMAGES: ReadonlySet<string> = new Set(['coverImgUrl', 'notificationImgUrl', 'itemRelatedLink'])

/** Returns the name of a field. */
export const nameOf = (field: string, { fields, history, images, list, audit }: Messages): string => {
  const names: Readonly<Record<string, string>> = {
    ...audit.fields,
    ...fields,
    status: history.status,
    isDonorRestricted: list.audience,
    coverImgUrl: images.names.cover,
    notificationImgUrl: images.names.notification,
    itemRelatedLink: images.names.media,
  }
  return names[field] ?? field
}

/** Returns a function that lists the names of fields inside a sentence. */
export const useFieldNames = (): ((fields: ReadonlyArray<string>) => string) => {
  const messages = useMessages()
  const locale = useLocaleName()
  const list = new Intl.ListFormat(locale)
  return (fields) => list.format(fields.map((field) => nameOf(field, messages).toLocaleLowerCase(locale)))
}

interface Language {
  readonly messages: Messages
  readonly locale: string
  readonly momentOf: (moment: string) => string
}

const MOMENTS: ReadonlySet<string> = new Set(['publishAt', 'archiveAt'])

/** Returns a value with few possibilities in words, and a day as people write it; undefined for text. */
const wordFor = (
  field: string,
  value: string,
  { messages, locale, momentOf }: Language,
): string | undefined => {
  if (MOMENTS.has(field) && value !== '') return momentOf(value)
  if (field === 'missing')
    return value
      .split(',')
      .map((one) => nameOf(one, messages))
      .join(', ')
  if (field === 'itemPublicationDate' && value !== '')
    return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(value))
  if (field === 'topics') return value === '' ? messages.person.everything : JSON.parse(value).join(', ')
  const yesOrNo = { true: messages.person.subscribed, false: messages.person.unsubscribed }
  const words: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    status: messages.status,
    lang: messages.languages,
    language: messages.languages,
    duty: messages.managers.duties,
    disabled: yesOrNo,
    subscribed: yesOrNo,
    itemType: messages.kinds,
    isDonorRestricted: { '0': messages.list.public, '1': messages.list.donors },
  }
  return words[field]?.[value]
}

/** The path of a stored image, with its name (D2). */
const STORED = /(\/static\/media\/)([^/]+)\.\w+$/

/** A stored image as it was at a revision, or the words that it is no longer stored (K2). An image elsewhere is its address. */
const Thumbnail = ({ url, alt }: { readonly url: string; readonly alt: string }) => {
  const { history } = useMessages()
  const [isGone, setGone] = useState(false)
  if (!STORED.test(url)) return <span>{url}</span>
  if (isGone) return <span className="hint">{history.imageGone}</span>
  return (
    <img
      className="history-image"
      src={url.replace(STORED, '$1r/160/$2.webp')}
      alt={alt}
      width={80}
      height={80}
      loading="lazy"
      onError={() => setGone(true)}
    />
  )
}

/** A changed image: the one before and the one after (K2). */
const ImageChange = ({ change }: { readonly change: FieldChange }) => {
  const { history } = useMessages()
  const [before, after] = [change.before ?? '', change.after ?? '']
  const added = before === '' ? history.imageAdded : history.imageReplaced
  return (
    <figure className="image-change">
      <figcaption>{after === '' ? history.imageRemoved : added}</figcaption>
      {before !== '' && <Thumbnail url={before} alt={history.imageBefore} />}
      {after !== '' && <Thumbnail url={after} alt={history.imageAfter} />}
    </figure>
  )
}

/** Returns the parts of a changed field: by words for text, old and new for values with few possibilities. */
const partsOf = (
  { field, before, after }: FieldChange,
  lang: string,
  language: Language,
): ReadonlyArray<DiffPart> => {
  const [old, next] = [before ?? '', after ?? '']
  const [oldWord, nextWord] = [wordFor(field, old, language), wordFor(field, next, language)]
  if (before === null) return [{ kind: 'same', text: nextWord ?? next }]
  if (oldWord === undefined && nextWord === undefined) return diffWords(old, next, lang)
  return [
    { kind: 'removed', text: oldWord ?? old },
    { kind: 'same', text: ' ' },
    { kind: 'added', text: nextWord ?? next },
  ]
}

/** The parts of two texts, with the removed and the added ones marked. */
export const Parts = ({ parts }: { readonly parts: ReadonlyArray<DiffPart> }) => {
  const { history } = useMessages()
  return parts.map(({ kind, text }, at) => {
    if (kind === 'same' || text === '') return text
    const Mark = kind === 'added' ? 'ins' : 'del'
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity
      <Mark key={at}>
        <span className="visually-hidden">{history[kind]} </span>
        {text}
      </Mark>
    )
  })
}

const TextChange = ({ change, lang }: { readonly change: FieldChange; readonly lang: string }) => {
  const messages = useMessages()
  const locale = useLocaleName()
  const momentOf = useMoment({ dateStyle: 'long', timeStyle: 'short' })
  return <Parts parts={partsOf(change, lang, { messages, locale, momentOf })} />
}

/** Returns the changes that say something to people. */
export const shownChanges = (changes: ReadonlyArray<FieldChange>): ReadonlyArray<FieldChange> =>
  changes.filter(({ field, before, after }) => (before ?? '') !== (after ?? '') && !NAMELESS.has(field))

/** The changed fields of a revision, with a word diff each. Fields that were empty when the item was created are left out. */
export const FieldChanges = ({
  changes,
  lang,
}: {
  readonly changes: ReadonlyArray<FieldChange>
  readonly lang: string
}) => {
  const messages = useMessages()
  const shown = shownChanges(changes)
  return (
    <dl className="changes">
      {shown.map((change) => (
        <div key={change.field}>
          <dt>{nameOf(change.field, messages)}</dt>
          <dd lang={lang}>
            {IMAGES.has(change.field) ? (
              <ImageChange change={change} />
            ) : (
              <TextChange change={change} lang={lang} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
