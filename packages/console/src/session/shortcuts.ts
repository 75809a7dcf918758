/** Where a shortcut works. */
export type ShortcutArea = 'everywhere' | 'list' | 'queue' | 'editor'

/** A shortcut: what it does, where, and its keys. `Mod` is Ctrl, or Command on a Mac. */
interface Shortcut {
  readonly area: ShortcutArea
  readonly name: string
  readonly keys: ReadonlyArray<string>
  /** Whether a held key repeats it. Others act once a press (M12). */
  readonly repeats?: true
}

/** All shortcuts. The code that handles keys and the page that explains them both read this list. */
export const SHORTCUTS = [
  { area: 'everywhere', name: 'palette', keys: ['Mod+K'] },
  { area: 'everywhere', name: 'help', keys: ['?'] },
  { area: 'list', name: 'search', keys: ['/'] },
  { area: 'list', name: 'next', keys: ['ArrowDown', 'J'], repeats: true },
  { area: 'list', name: 'previous', keys: ['ArrowUp', 'K'], repeats: true },
  { area: 'list', name: 'first', keys: ['Home'] },
  { area: 'list', name: 'last', keys: ['End'] },
  { area: 'list', name: 'select', keys: ['X'] },
  { area: 'list', name: 'selectNext', keys: ['Shift+ArrowDown', 'Shift+J'], repeats: true },
  { area: 'list', name: 'selectPrevious', keys: ['Shift+ArrowUp', 'Shift+K'], repeats: true },
  { area: 'list', name: 'selectAll', keys: ['Mod+A'] },
  { area: 'list', name: 'clear', keys: ['Escape'] },
  { area: 'list', name: 'undo', keys: ['Z'] },
  { area: 'queue', name: 'approve', keys: ['A'] },
  { area: 'queue', name: 'archive', keys: ['R'] },
  { area: 'queue', name: 'reason', keys: ['W'] },
  { area: 'queue', name: 'nextPost', keys: ['J'], repeats: true },
  { area: 'queue', name: 'previousPost', keys: ['K'], repeats: true },
  { area: 'queue', name: 'undo', keys: ['Z'] },
  { area: 'editor', name: 'save', keys: ['Mod+S'] },
] as const satisfies ReadonlyArray<Shortcut>

/** The names of the shortcuts of an area. */
export type ShortcutName<Area extends ShortcutArea = ShortcutArea> = Extract<
  (typeof SHORTCUTS)[number],
  { readonly area: Area }
>['name']

/** Whether keys are a single character. Such shortcuts can be switched off (WCAG 2.1.4). */
export const isCharacter = (keys: string): boolean => keys.replace('Shift+', '').length === 1

/** The part of a keyboard event that says which keys were pressed. */
interface KeyPress {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
  readonly repeat?: boolean
}

/** Returns the keys of an event as the list writes them. A sign such as `?` needs Shift on some keyboards and not on others. */
const keysOf = ({ key, ctrlKey, metaKey, shiftKey }: KeyPress): string => {
  const name = key.length === 1 ? key.toUpperCase() : key
  const isSign = key.length === 1 && name === key.toLowerCase()
  return `${ctrlKey || metaKey ? 'Mod+' : ''}${shiftKey && !isSign ? 'Shift+' : ''}${name}`
}

/** Returns the shortcut of an area that a key press is; undefined if none, or if single characters are switched off. */
export const shortcutOf = <Area extends ShortcutArea>(
  area: Area,
  press: KeyPress,
  hasCharacters: boolean,
): ShortcutName<Area> | undefined => {
  if (press.altKey) return undefined
  const keys = keysOf(press)
  if (isCharacter(keys) && !hasCharacters) return undefined
  const list: ReadonlyArray<Shortcut> = SHORTCUTS
  const found = list.find((shortcut) => shortcut.area === area && shortcut.keys.includes(keys))
  if (press.repeat === true && found?.repeats !== true) return undefined
  return found?.name as ShortcutName<Area> | undefined
}
