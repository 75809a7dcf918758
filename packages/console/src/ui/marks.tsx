import { useMessages } from '../session/session.tsx'
import { SHORTCUTS, type ShortcutArea, type ShortcutName } from '../session/shortcuts.ts'
import { useCharacterShortcuts } from '../session/use-shortcuts.ts'

/** The status of an item: a dot whose form differs as well as its colour, and the word. */
export const StatusMark = ({ status }: { readonly status: 'Draft' | 'Live' | 'Archived' }) => {
  const messages = useMessages()
  return <span className={`status ${status.toLowerCase()}`}>{messages.status[status]}</span>
}

/** Keyboards of Apple have a key for commands where others have Ctrl. */
const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** The keys of a shortcut, each as the person's keyboard names it. Screen readers have them from the page of shortcuts. */
export const Keys = <Area extends ShortcutArea>({
  area,
  name,
}: {
  readonly area: Area
  readonly name: ShortcutName<Area>
}) => {
  const [first = ''] = SHORTCUTS.find((one) => one.area === area && one.name === name)?.keys ?? []
  return <KeyNames keys={first} />
}

/** The key of a shortcut inside its button, unless shortcuts of a single key are switched off. Narrow screens hide it. */
export const KeyHint = <Area extends ShortcutArea>(shortcut: {
  readonly area: Area
  readonly name: ShortcutName<Area>
}) => (useCharacterShortcuts() ? <Keys {...shortcut} /> : null)

/** Keys that are pressed together, such as `Mod+K`. */
export const KeyNames = ({ keys }: { readonly keys: string }) => {
  const { shortcuts } = useMessages()
  const names: Readonly<Record<string, string>> = {
    ...shortcuts.keyNames,
    Mod: IS_APPLE ? 'Cmd' : shortcuts.keyNames.Mod,
  }
  return (
    <span className="keys">
      {keys.split('+').map((key) => (
        <kbd key={key}>{names[key] ?? key}</kbd>
      ))}
    </span>
  )
}
