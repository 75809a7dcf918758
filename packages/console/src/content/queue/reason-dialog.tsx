import { Group } from 'react-aria-components/Group'
import { useMessages } from '../../session/session.tsx'
import { Button } from '../../ui/controls.tsx'
import { ConfirmDialog } from '../../ui/overlays.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { Item } from '../items.ts'

/** The most characters of a reason (L3). */
const MOST = 500

/** Frequent reasons, in the language of the post: a donor reads them. */
const REASONS = {
  unclear: {
    en: 'Thank you! We could not recognise enough in the picture. Would you send a clearer one?',
    fr: 'Merci ! On ne distingue pas assez de choses sur l’image. Pourriez-vous en envoyer une plus nette ?',
  },
  people: {
    en: 'Thank you! The picture shows people who may not have agreed to appear here. Would you send one without them?',
    fr: 'Merci ! On reconnaît sur l’image des personnes qui n’ont peut-être pas donné leur accord. Pourriez-vous en envoyer une sans elles ?',
  },
  subject: {
    en: 'Thank you! This is not about the work of the foundation, so we do not publish it here.',
    fr: 'Merci ! Ce post ne porte pas sur l’action de la fondation : nous ne le publions donc pas ici.',
  },
  known: {
    en: 'Thank you! We have published this already.',
    fr: 'Merci ! Nous avons déjà publié ceci.',
  },
} as const

const NAMES = ['unclear', 'people', 'subject', 'known'] as const

/** Asks for the reason that the author of a post reads when it is not taken. An empty text archives the post without a reason. */
export const ReasonDialog = ({
  item,
  text,
  onChange,
  onArchive,
  onCancel,
}: {
  readonly item: Item
  readonly text: string
  readonly onChange: (text: string) => void
  readonly onArchive: () => void
  readonly onCancel: () => void
}) => {
  const { reason: words } = useMessages()
  return (
    <ConfirmDialog
      title={words.title(item.itemTitle)}
      confirm={text.trim() === '' ? words.archiveWithout : words.archive}
      keep={words.keep}
      onConfirm={onArchive}
      onCancel={onCancel}
    >
      <p>{words.text}</p>
      <Group className="reasons" aria-label={words.frequent}>
        {NAMES.map((name) => (
          <Button key={name} onPress={() => onChange(REASONS[name][item.lang])}>
            {words.names[name]}
          </Button>
        ))}
      </Group>
      <TextField
        id="reason"
        label={words.label}
        value={text}
        onChange={onChange}
        errors={[]}
        most={MOST}
        lang={item.lang}
        rows={4}
      />
    </ConfirmDialog>
  )
}
