import { useMessages } from '../../session/session.tsx'
import { Button } from '../../ui/controls.tsx'
import type { Fields } from './fields.ts'
import type { Clash } from './merge.ts'

/** Asks about the fields that another person has changed at the same time: old, theirs and mine beside each other. */
export const Clashes = ({
  id,
  clashes,
  fields: typed,
  onSettle,
}: {
  readonly id: string
  readonly clashes: ReadonlyArray<Clash>
  /** The fields as typed. */
  readonly fields: Fields
  readonly onSettle: (clash: Clash, choice: 'mine' | 'theirs') => void
}) => {
  const { clash: words, fields } = useMessages()
  if (clashes.length === 0) return null
  return (
    <section id={id} tabIndex={-1} className="notice clash" aria-labelledby={`${id}-title`} role="alert">
      <h2 id={`${id}-title`}>{words.title}</h2>
      <p>{words.text}</p>
      {clashes.map((clash) => (
        <div key={clash.field} className="clash-field">
          <h3>{fields[clash.field]}</h3>
          <dl>
            <dt>{words.before}</dt>
            <dd>{clash.before}</dd>
            <dt>{words.theirs}</dt>
            <dd>{clash.theirs}</dd>
            <dt>{words.mine}</dt>
            <dd>{typed[clash.field]}</dd>
          </dl>
          <div className="actions">
            <Button onPress={() => onSettle(clash, 'theirs')}>{words.useTheirs}</Button>
            <Button onPress={() => onSettle(clash, 'mine')}>{words.keepMine}</Button>
          </div>
        </div>
      ))}
    </section>
  )
}
