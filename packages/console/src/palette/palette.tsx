import { useEffect, useRef, useState } from 'react'
import { Autocomplete } from 'react-aria-components/Autocomplete'
import { Header } from 'react-aria-components/Header'
import { Input } from 'react-aria-components/Input'
import { Menu, MenuItem, MenuSection } from 'react-aria-components/Menu'
import { SearchField } from 'react-aria-components/SearchField'
import { useMessages } from '../app/session.tsx'
import { Button } from '../ui/button.tsx'
import { errorTexts } from '../ui/error-text.ts'
import { Icon } from '../ui/icon.tsx'
import { type CommandGroup, matching, useCommands } from './commands.ts'
import { useFound } from './use-found.ts'

const Group = ({ group, onAct }: { readonly group: CommandGroup; readonly onAct: () => void }) => (
  <MenuSection id={group.id} aria-label={group.title}>
    <Header>{group.title}</Header>
    {group.commands.map(({ id, name, hint, lang, href, run }) => (
      <MenuItem
        key={id}
        id={id}
        textValue={name}
        className="palette-line"
        {...(href !== undefined && { href })}
        onAction={() => {
          onAct()
          run?.()
        }}
      >
        <span lang={lang}>{name}</span>
        {hint !== undefined && <span className="hint">{hint}</span>}
      </MenuItem>
    ))}
  </MenuSection>
)

/** Everything by its name: pages, acts, publications and posts. Opens when it is rendered; Escape closes it. */
const Palette = ({ onClose }: { readonly onClose: () => void }) => {
  const messages = useMessages()
  const { palette, close } = messages
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const found = useFound(text)
  const groups = [...matching(useCommands(), text), ...found.groups]
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className="dialog palette" aria-label={palette.title} onClose={onClose}>
      <Autocomplete inputValue={text} onInputChange={setText}>
        <div className="palette-head">
          <SearchField aria-label={palette.title} className="search" autoFocus>
            <Icon name="search" />
            <Input placeholder={palette.hint} maxLength={200} />
          </SearchField>
          <Button kind="quiet" aria-label={close} onPress={() => dialog.current?.close()}>
            <Icon name="close" />
          </Button>
        </div>
        {found.error !== undefined && (
          <p role="alert" className="field-errors">
            {errorTexts(found.error, messages).join(' ')}
          </p>
        )}
        <Menu
          aria-label={palette.title}
          className="palette-lines"
          renderEmptyState={() => <p>{found.isSearching ? palette.searching : palette.nothing}</p>}
        >
          {groups.map((group) => (
            <Group key={group.id} group={group} onAct={() => dialog.current?.close()} />
          ))}
        </Menu>
      </Autocomplete>
    </dialog>
  )
}

export default Palette
