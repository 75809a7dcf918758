import { useMessages } from '../../app/session.tsx'
import { Button } from '../../ui/button.tsx'
import type { Clash } from './merge.ts'

/** The id of the notice about clashes, which gets the focus when they keep the item from being saved. */
export const CLASHES = 'clashes'

/** Asks about the fields that another person has changed at the same time: old, theirs and mine beside each other. */
export const Clashes = ({
  clashes,
  onSettle,
}: {
  readonly clashes: ReadonlyArray<Clash>
  readonly onSettle: (clash: Clash, choice: 'mine' | 'theirs') => void
}) => {
  const { clash: words, fields } = useMessages()
  if (clashes.length === 0) return null
  return (
    <section id={CLASHES} tabIndex={-1} className="notice clash" aria-labelledby="clash-title" role="alert">
      <h2 id="clash-title">{words.title}</h2>
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
            <dd>{clash.mine}</dd>
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
