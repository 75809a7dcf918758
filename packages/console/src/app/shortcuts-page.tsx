import { useMessages } from '../session/session.tsx'
import { isCharacter, SHORTCUTS, type ShortcutName } from '../session/shortcuts.ts'
import { shortcutSetting, useCharacterShortcuts } from '../session/use-shortcuts.ts'
import { KeyNames } from '../ui/marks.tsx'
import { SwitchField } from '../ui/switch-field.tsx'

const AREAS = [...new Set(SHORTCUTS.map(({ area }) => area))]

/** All shortcuts by where they work, and the switch for those of a single character (WCAG 2.1.4). */
export const ShortcutsPage = () => {
  const { shortcuts: words } = useMessages()
  const hasCharacters = useCharacterShortcuts()
  const acts: Readonly<Record<ShortcutName, string>> = words.acts
  return (
    <div className="page">
      <h1>{words.title}</h1>
      <SwitchField
        label={words.switch}
        hint={words.switchHint}
        isSelected={hasCharacters}
        onChange={shortcutSetting.set}
      />
      {AREAS.map((area) => (
        <section key={area} aria-labelledby={`shortcuts-${area}`}>
          <h2 id={`shortcuts-${area}`}>{words.areas[area]}</h2>
          <table className="shortcuts">
            <thead>
              <tr>
                <th scope="col">{words.act}</th>
                <th scope="col">{words.keys}</th>
              </tr>
            </thead>
            <tbody>
              {SHORTCUTS.filter((shortcut) => shortcut.area === area).map(({ name, keys }) => (
                <tr key={name}>
                  <th scope="row">{acts[name]}</th>
                  <td>
                    {keys
                      .filter((key) => hasCharacters || !isCharacter(key))
                      .map((key) => (
                        <KeyNames key={key} keys={key} />
                      ))}
                    {!hasCharacters && keys.every(isCharacter) && words.off}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ))}
    </div>
  )
}
