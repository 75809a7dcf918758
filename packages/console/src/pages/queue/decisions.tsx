import { Group } from 'react-aria-components/Group'
import { useMessages } from '../../session/session.tsx'
import type { ShortcutName } from '../../session/shortcuts.ts'
import { Button, Icon, type IconName } from '../../ui/controls.tsx'
import { KeyHint } from '../../ui/marks.tsx'
import type { Queue } from './use-queue.ts'

/** The acts of the queue. On a phone they are within reach of a thumb. */
export const Decisions = ({ queue }: { readonly queue: Queue }) => {
  const { queue: words } = useMessages()
  const step = (icon: IconName, label: string, key: ShortcutName<'queue'>, steps: number) => (
    <Button kind="quiet" aria-label={label} onPress={() => queue.move(steps)}>
      <Icon name={icon} />
      <KeyHint area="queue" name={key} />
    </Button>
  )
  return (
    <Group className="decisions" aria-label={words.acts}>
      {step('previous', words.previous, 'previousPost', -1)}
      <Button onPress={() => void queue.decide('Archived')}>
        <Icon name="archive" />
        {words.archive}
        <KeyHint area="queue" name="archive" />
      </Button>
      <Button kind="primary" onPress={() => void queue.decide('Live')}>
        <Icon name="check" />
        {words.approve}
        <KeyHint area="queue" name="approve" />
      </Button>
      {step('next', words.next, 'nextPost', 1)}
    </Group>
  )
}
