import { useMessages } from '../app/session.tsx'
import { useCharacterShortcuts } from '../app/shortcut-setting.ts'
import { SHORTCUTS, type ShortcutArea, type ShortcutName } from '../app/shortcuts.ts'

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
