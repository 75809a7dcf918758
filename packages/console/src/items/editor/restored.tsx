import { useMessages, useMoment } from '../../session/session.tsx'
import { Button } from '../../ui/controls.tsx'
import { showToast } from '../../ui/overlays.tsx'

/** Says that the text comes from the person's working copy, and offers to discard it. */
export const Restored = ({
  at,
  onDiscard,
  text,
}: {
  readonly at: string
  /** Goes back to the saved version. Returns a function that undoes this. */
  readonly onDiscard: () => () => void
  /** Says what the text is; by default, that of an item. */
  readonly text?: (moment: string) => string
}) => {
  const { copies, queue } = useMessages()
  const momentOf = useMoment({ dateStyle: 'long', timeStyle: 'short' })
  const discard = () => {
    const run = onDiscard()
    showToast({ text: copies.discarded, action: { label: queue.undo, run } })
  }
  return (
    <div className="notice" role="status">
      <p>{(text ?? copies.restored)(momentOf(at))}</p>
      <Button onPress={discard}>{copies.discard}</Button>
    </div>
  )
}
