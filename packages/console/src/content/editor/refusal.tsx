import { useEffect, useRef } from 'react'
import type { Messages } from '../../messages/en.ts'
import { useAnswer } from '../../session/answers.ts'
import { useMessages, useMoment } from '../../session/session.tsx'
import { Button } from '../../ui/controls.tsx'
import { errorTexts, fieldErrorText, isConflict } from '../../ui/problem.tsx'
import { listRevisions, usePeople } from '../history/history-api.ts'
import type { ImageSlot } from '../images/use-images.ts'
import { type ContentType, type Item, isPost } from '../items.ts'
import type { Clash, EditorState, Fields } from './fields.ts'

/** The item that an act is about. */
export interface Subject {
  readonly contentType: ContentType
  readonly itemId: string
}

const subjectOf = (item: Item): Subject => ({
  contentType: isPost(item) ? 'feed' : 'library',
  itemId: item.itemId,
})

/** Says who has changed an item last, and when. */
export const ChangedBy = ({ contentType, itemId }: Subject) => {
  const { clash: words, history } = useMessages()
  const momentOf = useMoment({ dateStyle: 'long', timeStyle: 'short' })
  const people = usePeople()
  const { answer } = useAnswer(`${contentType}/${itemId}/latest`, (signal) =>
    listRevisions(contentType, itemId, 1, signal),
  )
  const [latest] = answer?.data.revisions ?? []
  if (latest === undefined) return null
  const { at, actor } = latest
  const name = people.get(actor.kind === 'person' ? actor.id : '') ?? history.actors[actor.kind](actor.id)
  return <p>{words.by(name, momentOf(at))}</p>
}

/** Says who has changed the item meanwhile, and when, if an act was refused for it. */
export const Conflict = ({
  error,
  subject,
}: {
  readonly error: unknown
  readonly subject: Subject | undefined
}) => (isConflict(error) && subject !== undefined ? <ChangedBy {...subject} /> : null)

/** Lists everything that the server refused, each entry with a link to its field. Takes the focus when it appears. */
export const Refusal = ({
  state,
  slots,
  prefix = '',
}: {
  readonly state: EditorState
  readonly slots: ReadonlyArray<ImageSlot>
  /** Begins the ids of the form's fields, but not those of images. */
  readonly prefix?: string
}) => {
  const messages = useMessages()
  const box = useRef<HTMLDivElement>(null)
  const { refused, errors, failure, saved } = state
  const isShown = refused !== undefined && (errors.length > 0 || failure !== undefined)
  useEffect(() => {
    if (isShown) box.current?.focus()
  }, [isShown])
  if (!isShown && failure === undefined) return null
  const idOf = (field: string) => {
    const slot = slots.find(({ fields }) => fields.includes(field))
    return slot === undefined ? `${prefix}field-${field}` : `field-${slot.name}`
  }
  const nameOf = (field: string): string => {
    const slot = slots.find(({ fields }) => fields.includes(field))
    const names: Readonly<Record<string, unknown>> = messages.fields
    return slot === undefined ? String(names[field] ?? field) : messages.images.names[slot.name]
  }
  return (
    <div className="notice problem" ref={box} tabIndex={-1} role="alert">
      <h2>{refused === 'Live' ? messages.editor.missing : messages.editor.refused}</h2>
      {failure !== undefined && errorTexts(failure, messages).map((text) => <p key={text}>{text}</p>)}
      <Conflict error={failure} subject={saved && subjectOf(saved.item)} />
      <ul>
        {errors.map(({ field, message }) => (
          <li key={`${field} ${message}`}>
            <a
              href={`#${idOf(field)}`}
              onClick={(event) => {
                event.preventDefault()
                document.getElementById(idOf(field))?.focus()
              }}
            >
              {nameOf(field)}
              {messages.colon}
              {fieldErrorText(message, messages)}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Asks about the fields that another person has changed at the same time: old, theirs and mine beside each other. */
export const Clashes = ({
  id,
  item,
  clashes,
  fields: typed,
  onSettle,
  words: others,
}: {
  readonly id: string
  /** The item as the other person has saved it. */
  readonly item: Item | undefined
  readonly clashes: ReadonlyArray<Clash>
  /** The fields as typed. */
  readonly fields: Fields
  readonly onSettle: (clash: Clash, choice: 'mine' | 'theirs') => void
  /** Names the two sides, where they are not the texts of two people. */
  readonly words?: Omit<Messages['clash'], 'by'>
}) => {
  const { clash, fields } = useMessages()
  const words = others ?? clash
  if (clashes.length === 0) return null
  return (
    <section id={id} tabIndex={-1} className="notice clash" aria-labelledby={`${id}-title`} role="alert">
      <h2 id={`${id}-title`}>{words.title}</h2>
      {item !== undefined && <ChangedBy {...subjectOf(item)} />}
      <p>{words.text}</p>
      {clashes.map((one) => (
        <div key={one.field} className="clash-field">
          <h3>{fields[one.field]}</h3>
          <dl>
            <dt>{words.before}</dt>
            <dd>{one.before}</dd>
            <dt>{words.theirs}</dt>
            <dd>{one.theirs}</dd>
            <dt>{words.mine}</dt>
            <dd>{typed[one.field]}</dd>
          </dl>
          <div className="actions">
            <Button onPress={() => onSettle(one, 'theirs')}>{words.useTheirs}</Button>
            <Button onPress={() => onSettle(one, 'mine')}>{words.keepMine}</Button>
          </div>
        </div>
      ))}
    </section>
  )
}
