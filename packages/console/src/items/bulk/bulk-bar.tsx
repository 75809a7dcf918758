import { useState, useSyncExternalStore } from 'react'
import { Group } from 'react-aria-components/Group'
import { newId } from '../../session/api.ts'
import { useMessages, useSession } from '../../session/session.tsx'
import { Button, Icon } from '../../ui/controls.tsx'
import type { ContentType, Item, Label } from '../items.ts'
import { MOST_SELECTED, newRun } from './bulk.ts'
import { BulkQuestion, type Wish } from './bulk-question.tsx'
import { bulk as runner } from './bulk-runner.ts'
import { CheckBox } from './check-box.tsx'
import type { Selection } from './use-selection.ts'

const ICONS = { Live: 'check', Archived: 'archive', Draft: 'pen' } as const

/** Selects all listed items, and offers the acts on the selected ones. */
export const BulkBar = ({
  contentType,
  listed,
  labels,
  selection,
}: {
  readonly contentType: ContentType
  readonly listed: ReadonlyArray<Item>
  readonly labels: ReadonlyArray<Label>
  readonly selection: Selection
}) => {
  const { bulk } = useMessages()
  const { email } = useSession().session.manager
  const [wish, setWish] = useState<Wish>()
  const isRunning = useSyncExternalStore(runner.subscribe, runner.isRunning)
  const { items, isSelected } = selection
  const [count, here] = [items.size, listed.filter(isSelected).length]
  return (
    <div className={count > 0 ? 'bulk-bar active' : 'bulk-bar'}>
      <CheckBox
        label={bulk.selectAll(listed.length)}
        hasText={count === 0}
        isChecked={here > 0 && here === listed.length}
        isPartly={here > 0 && here < listed.length}
        onToggle={selection.toggleAll}
      />
      <p role="status">
        {count > 0 && <strong>{bulk.selected(count)}</strong>}
        {count > here && <span className="hint">{bulk.unlisted(count - here)}</span>}
        {count === MOST_SELECTED && <span className="hint">{bulk.most(MOST_SELECTED)}</span>}
      </p>
      {count > 0 && (
        <Group className="bulk-acts" aria-label={bulk.acts}>
          {(['Live', 'Archived', 'Draft'] as const).map((status) => (
            <Button key={status} isDisabled={isRunning} onPress={() => setWish(status)}>
              <Icon name={ICONS[status]} />
              {bulk.acting[status]}
            </Button>
          ))}
          {labels.length > 0 && (
            <Button isDisabled={isRunning} onPress={() => setWish('label')}>
              {bulk.labels}
            </Button>
          )}
          <Button kind="quiet" aria-label={bulk.clear} onPress={selection.clear}>
            <Icon name="close" />
          </Button>
        </Group>
      )}
      {wish !== undefined && (
        <BulkQuestion
          contentType={contentType}
          wish={wish}
          items={[...items.values()]}
          labels={labels}
          onCancel={() => setWish(undefined)}
          onConfirm={(act) => {
            setWish(undefined)
            runner.begin(newRun(contentType, act, items.values(), { id: newId(), email, at: Date.now() }))
            selection.clear()
          }}
        />
      )}
    </div>
  )
}
