import type { StoredCopy } from '../../content/editor/copy-writer.ts'
import type { KeptCopy } from '../../content/editor/working-copies.ts'
import { LANGUAGES } from '../../content/translation/pair-api.ts'
import { useMessages, useMoment } from '../../session/session.tsx'
import { Button } from '../../ui/controls.tsx'
import { showToast } from '../../ui/overlays.tsx'
import { type Draft, draftOfCopy } from './draft.ts'

const PARTS = ['title', 'subtitle', 'description'] as const

/** Shows the notification that the same person has typed in another tab, where it differs, and offers both (M12). */
export const OtherTab = ({
  copy: { newer, goOn },
  draft,
  onTake,
}: {
  readonly copy: KeptCopy
  readonly draft: Draft
  readonly onTake: (newer: StoredCopy) => () => void
}) => {
  const { colon, composer, copies: words, languages, queue } = useMessages()
  const momentOf = useMoment({ dateStyle: 'long', timeStyle: 'medium' })
  if (newer === undefined) return null
  const { sides } = draftOfCopy(newer.fields, draft)
  const differing = LANGUAGES.flatMap((side) =>
    PARTS.filter((part) => sides[side][part] !== draft.sides[side][part]).map((part) => ({ side, part })),
  )
  const take = () => {
    const run = onTake(newer)
    goOn()
    showToast({ text: words.taken, action: { label: queue.undo, run } })
  }
  return (
    <section className="notice clash" role="alert" aria-labelledby="other-tab">
      <h2 id="other-tab">{words.otherTab}</h2>
      <p>{words.otherTabText(momentOf(newer.updatedAt))}</p>
      {differing.map(({ side, part }) => (
        <div key={`${side} ${part}`} className="clash-field">
          <h3>
            {languages[side]}
            {colon}
            {composer.fields[part]}
          </h3>
          <dl lang={side}>
            <dt>{words.there}</dt>
            <dd>{sides[side][part]}</dd>
            <dt>{words.here}</dt>
            <dd>{draft.sides[side][part]}</dd>
          </dl>
        </div>
      ))}
      <div className="actions">
        <Button onPress={take}>{words.useThere}</Button>
        <Button onPress={goOn}>{words.keepHere}</Button>
      </div>
    </section>
  )
}
