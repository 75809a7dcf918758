import { Group } from 'react-aria-components/Group'
import { useMessages } from '../../session/session.tsx'
import { Button } from '../../ui/controls.tsx'
import type { Status } from '../items.ts'
import type { CopyState } from './copy-writer.ts'

/** Says whether the text is saved. Only what needs attention is read aloud: a line that changes with every key would be in the way. */
export const SaveState = ({ isBusy, copy }: { readonly isBusy: boolean; readonly copy: CopyState }) => {
  const { editor, copies } = useMessages()
  const quiet = copy === 'none' || copy === 'failed' ? '' : copies.states[copy]
  return (
    <div className="save-state">
      <p role="status">{isBusy ? editor.saving : copy === 'failed' && copies.states.failed}</p>
      {!isBusy && quiet !== '' && <p>{quiet}</p>}
    </div>
  )
}

/** The acts of an editor. "Publish" is always there and always enabled: the server lists the missing parts (M7). */
export const EditorActions = ({
  status,
  busy,
  copy,
  onSave,
}: {
  /** The status of the item; undefined for a new one. */
  readonly status: Status | undefined
  readonly busy: Status | undefined
  readonly copy: CopyState
  readonly onSave: (status: Status) => void
}) => {
  const { editor } = useMessages()
  const isBusy = busy !== undefined
  const act = (next: Status) => () => {
    if (!isBusy) onSave(next)
  }
  return (
    <Group className="editor-actions" aria-label={editor.acts}>
      <SaveState isBusy={isBusy} copy={copy} />
      {status !== undefined && status !== 'Archived' && (
        <Button kind="quiet" onPress={act('Archived')}>
          {editor.archive}
        </Button>
      )}
      {status !== undefined && status !== 'Draft' && <Button onPress={act('Draft')}>{editor.toDraft}</Button>}
      {status !== 'Live' && <Button onPress={act(status ?? 'Draft')}>{editor.save}</Button>}
      <Button kind="primary" onPress={act('Live')}>
        {status === 'Live' ? editor.save : editor.publish}
      </Button>
    </Group>
  )
}
