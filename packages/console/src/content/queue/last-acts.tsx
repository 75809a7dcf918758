import { useMessages } from '../../session/session.tsx'
import { Button, Icon } from '../../ui/controls.tsx'
import { KeyHint } from '../../ui/marks.tsx'
import { ChangedBy } from '../editor/refusal.tsx'
import { pathOf } from '../items.ts'
import { type QueueAct, useQueueActs } from './acts.ts'

/** What was done with a post, in words. */
const ActText = ({ act }: { readonly act: QueueAct }) => {
  const { queue: words } = useMessages()
  const text = act.state === 'undone' ? words.undone : words.acted[act.status]
  return (
    <span>
      {text} <span lang={act.lang}>{words.quoted(act.title)}</span>
      {act.state === 'kept' && ` · ${words.undoFailed}`}
    </span>
  )
}

/** The latest act, beside the buttons that decide on the next post. Screen readers read it when it comes. */
export const LatestAct = ({ onUndo }: { readonly onUndo: (act: QueueAct) => void }) => {
  const { queue: words } = useMessages()
  const [latest] = useQueueActs()
  return (
    <div className="latest-act">
      <p role="status">{latest !== undefined && <ActText act={latest} />}</p>
      {latest?.state === 'done' && (
        <Button kind="quiet" aria-label={words.undoLabel(latest.title)} onPress={() => onUndo(latest)}>
          <Icon name="undo" />
          {words.undo}
          <KeyHint area="queue" name="undo" />
        </Button>
      )}
    </div>
  )
}

/** The acts before the latest one, each with its undo. */
export const LastActs = ({ onUndo }: { readonly onUndo: (act: QueueAct) => void }) => {
  const { queue: words } = useMessages()
  const acts = useQueueActs()
  if (acts.length === 0) return null
  return (
    <section className="last-acts" aria-labelledby="last-acts">
      <h2 id="last-acts">{words.last}</h2>
      <ol>
        {acts.map((act) => (
          <li key={act.number}>
            <ActText act={act} />
            {act.state === 'kept' && <ChangedBy contentType="feed" itemId={act.itemId} />}
            <a href={pathOf('feed', act.itemId)} aria-label={words.openLabel(act.title)}>
              {words.open}
            </a>
            {act.state === 'done' && (
              <Button kind="quiet" aria-label={words.undoLabel(act.title)} onPress={() => onUndo(act)}>
                <Icon name="undo" />
                {words.undo}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
