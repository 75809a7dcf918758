import { Group } from 'react-aria-components/Group'
import { useMessages } from '../../app/session.tsx'
import { Button } from '../../ui/button.tsx'
import type { Status } from '../items.ts'

/** The acts of an editor. "Publish" is always there and always enabled: the server says what is missing (M7). */
export const EditorActions = ({
  status,
  busy,
  isDirty,
  onSave,
}: {
  /** The status of the item; undefined for a new one. */
  readonly status: Status | undefined
  readonly busy: Status | undefined
  readonly isDirty: boolean
  readonly onSave: (status: Status) => void
}) => {
  const { editor } = useMessages()
  const isBusy = busy !== undefined
  const act = (next: Status) => () => {
    if (!isBusy) onSave(next)
  }
  return (
    <Group className="editor-actions" aria-label={editor.acts}>
      <p className="save-state" role="status">
        {isBusy ? editor.saving : isDirty && editor.unsaved}
      </p>
      {status !== undefined && status !== 'Archived' && (
        <Button kind="quiet" onPress={act('Archived')}>
          {editor.archive}
        </Button>
      )}
      {status !== undefined && status !== 'Draft' && <Button onPress={act('Draft')}>{editor.toDraft}</Button>}
      {status !== 'Live' && <Button onPress={act(status ?? 'Draft')}>{editor.save}</Button>}
      <Button kind="primary" onPress={act('Live')}>
        {status === 'Live' ? editor.update : editor.publish}
      </Button>
    </Group>
  )
}
