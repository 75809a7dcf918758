import { type Item, pathOf } from '../../content/items.ts'
import { useLabelNames } from '../../content/items-api.ts'
import type { Side } from '../../content/translation/pair-api.ts'
import { at } from '../../paths.ts'
import { useLocaleName, useMessages } from '../../session/session.tsx'
import { StatusMark } from '../../ui/marks.tsx'
import { fieldErrorText } from '../../ui/problem.tsx'
import { SwitchField } from '../../ui/switch-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { DevicePreviews } from './device-previews.tsx'
import type { SideDraft, Text } from './draft.ts'
import { devicesOf, type Preview } from './load-composer.ts'

/** The share of the limit from which on the meter warns. */
const HIGH = 0.9

/** How large the notification is, of what providers take (G6). */
const ByteMeter = ({ preview: { bytes, most, smallerLimits } }: { readonly preview: Preview }) => {
  const { composer: words } = useMessages()
  const format = new Intl.NumberFormat(useLocaleName())
  const text = words.bytes(format.format(bytes), format.format(most))
  const isOver = bytes > most
  return (
    <div className={`byte-meter${isOver ? ' over' : ''}`}>
      <meter
        aria-label={words.size}
        aria-valuetext={text}
        min={0}
        max={most}
        high={most * HIGH}
        value={Math.min(bytes, most)}
      />
      <span>{text}</span>
      {isOver && <p className="field-errors">{words.tooLarge}</p>}
      {smallerLimits.map((limit) => {
        const size = words.bytes(format.format(limit.bytes), format.format(limit.most))
        return <p key={limit.service}>{words.smallerLimits[limit.service](size, limit.bytes > limit.most)}</p>
      })}
    </div>
  )
}

/** How many devices would get it now, by kind. */
const Recipients = ({ preview }: { readonly preview: Preview }) => {
  const { composer: words, notifications } = useMessages()
  const kinds: Readonly<Record<string, string | undefined>> = words.kinds
  const all = devicesOf(preview)
  const nameOf = useLabelNames()
  return (
    <div className="recipients">
      <p>
        <strong>{all === 0 ? words.noDevices : notifications.devices(all)}</strong>
      </p>
      {preview.topic !== null && (
        <p>{words.followers(preview.topic.people, nameOf(preview.topic.labelId))}</p>
      )}
      <ul>
        {preview.recipients.map(({ kind, devices }) => (
          <li key={kind}>
            <span>{kinds[kind] ?? kind}</span>
            <span>{words.number(devices)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

const FIELDS = ['title', 'subtitle', 'description'] as const

/** A title and a subtitle may wrap, but have no line breaks. */
const LINE_BREAK = /\r?\n/g

/** What a tap on the notification opens. */
const Target = ({
  publication,
  preview,
}: {
  readonly publication: Item | undefined
  readonly preview: Preview | undefined
}) => {
  const { composer: words } = useMessages()
  if (publication === undefined) return null
  const isBare = preview !== undefined && preview.visualUrl === '' && preview.actionUrl === ''
  return (
    <div className="target">
      <p>
        {words.about}{' '}
        <a href={pathOf('library', publication.itemId)} lang={publication.lang}>
          {publication.itemTitle}
        </a>{' '}
        <StatusMark status={publication.status} />
      </p>
      {isBare && <p className="hint">{words.notLive}</p>}
    </div>
  )
}

const Fields = ({
  side,
  draft,
  errors,
  onChange,
}: {
  readonly side: Side
  readonly draft: SideDraft
  readonly errors: Preview['errors']
  readonly onChange: (change: Partial<Text>) => void
}) => {
  const messages = useMessages()
  const { fields } = messages.composer
  return FIELDS.map((name) => (
    <TextField
      key={name}
      id={`${side}-${name}`}
      label={fields[name]}
      value={draft[name]}
      onChange={(text) =>
        onChange({ [name]: name === 'description' ? text : text.replaceAll(LINE_BREAK, ' ') })
      }
      errors={errors
        .filter(({ field }) => field === name)
        .map(({ message }) => fieldErrorText(message, messages))}
      hint={name === 'subtitle' ? messages.composer.subtitleHint : undefined}
      lang={side}
      rows={name === 'description' ? 4 : 1}
    />
  ))
}

/** The notification of one language: its text, its size, its recipients, and how devices show it. */
export const ComposerSide = ({
  side,
  draft,
  publication,
  isOther,
  isFixed,
  preview,
  errors,
  onChange,
}: {
  readonly side: Side
  readonly draft: SideDraft
  readonly publication: Item | undefined
  /** Whether the publication is in the other language, because there is none in this one. */
  readonly isOther: boolean
  /** Whether the language belongs to an announcement in both, which are sent together. */
  readonly isFixed: boolean
  readonly preview: Preview | undefined
  readonly errors: Preview['errors']
  readonly onChange: (change: Partial<SideDraft>) => void
}) => {
  const { composer: words, languages } = useMessages()
  return (
    <section className="side" aria-labelledby={`${side}-head`}>
      <div className="side-head">
        <h2 id={`${side}-head`}>{languages[side]}</h2>
      </div>
      {draft.doneId !== '' && (
        <p className="notice">
          <a href={at(`/console/notifications/${draft.doneId}`)}>{words.scheduled}</a>
        </p>
      )}
      {draft.doneId === '' && !isFixed && (
        <SwitchField
          label={words.send[side]}
          hint={isOther ? words.otherLanguage[side] : words.readers[side]}
          isSelected={draft.isSent}
          onChange={(isSent) => onChange({ isSent })}
        />
      )}
      {draft.doneId === '' && draft.isSent && (
        <>
          <Target publication={publication} preview={preview} />
          <Fields side={side} draft={draft} errors={errors} onChange={onChange} />
          {preview !== undefined && (
            <>
              <ByteMeter preview={preview} />
              <Recipients preview={preview} />
              <DevicePreviews lang={side} text={draft} visualUrl={preview.visualUrl} />
            </>
          )}
        </>
      )}
    </section>
  )
}
