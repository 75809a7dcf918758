import { Group } from 'react-aria-components/Group'
import { useMessages } from '../../app/session.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import type { Queue } from './use-queue.ts'

const Key = ({ name, isShown }: { readonly name: string; readonly isShown: boolean }) =>
  isShown ? <kbd>{name}</kbd> : null

/** The acts of the queue. On a phone they are within reach of a thumb. */
export const Decisions = ({ queue, hasKeys }: { readonly queue: Queue; readonly hasKeys: boolean }) => {
  const { queue: words } = useMessages()
  const step = (icon: IconName, label: string, key: string, steps: number) => (
    <Button kind="quiet" aria-label={label} onPress={() => queue.move(steps)}>
      <Icon name={icon} />
      <Key name={key} isShown={hasKeys} />
    </Button>
  )
  return (
    <Group className="decisions" aria-label={words.acts}>
      {step('previous', words.previous, 'K', -1)}
      <Button onPress={() => void queue.decide('Archived')}>
        <Icon name="archive" />
        {words.archive}
        <Key name="R" isShown={hasKeys} />
      </Button>
      <Button kind="primary" onPress={() => void queue.decide('Live')}>
        <Icon name="check" />
        {words.approve}
        <Key name="A" isShown={hasKeys} />
      </Button>
      {step('next', words.next, 'J', 1)}
    </Group>
  )
}
