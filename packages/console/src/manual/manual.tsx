import { useEffect, useRef } from 'react'
import { unbroken } from '../messages/fr.ts'
import { at } from '../paths.ts'
import { useMessages, useSession } from '../session/session.tsx'
import { Button } from '../ui/controls.tsx'
import { en, type Manual, type Paragraph, type Section, type SectionName } from './en.ts'
import { fr } from './fr.ts'

const MANUALS: { readonly en: Manual; readonly fr: Manual } = { en, fr: unbroken(fr) }

/** Shows words of a page in bold, and keys as keys. */
const Marked = ({ text }: { readonly text: string }) =>
  text.split(/(\*\*.+?\*\*|`.+?`)/).map((part, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity
    if (part.startsWith('**')) return <strong key={index}>{part.slice(2, -2)}</strong>
    // biome-ignore lint/suspicious/noArrayIndexKey: as above
    if (part.startsWith('`')) return <kbd key={index}>{part.slice(1, -1)}</kbd>
    return part
  })

const Text = ({ text }: { readonly text: ReadonlyArray<Paragraph> }) =>
  text.map((paragraph) => {
    if (typeof paragraph === 'string')
      return (
        <p key={paragraph}>
          <Marked text={paragraph} />
        </p>
      )
    return (
      <ul key={paragraph[0]} className="manual-list">
        {paragraph.map((item) => (
          <li key={item}>
            <Marked text={item} />
          </li>
        ))}
      </ul>
    )
  })

/** A section of the manual, over the page that it is about. Escape closes it. */
export const HelpDialog = ({
  section,
  onClose,
}: {
  readonly section: SectionName
  readonly onClose: () => void
}) => {
  const { close, help, shortcuts } = useMessages()
  const manual = MANUALS[useSession().session.manager.language]
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const { title, text } = manual[section]
  return (
    <dialog ref={dialog} className="dialog manual" aria-labelledby="help-title" onClose={onClose}>
      <h2 id="help-title">{title}</h2>
      <Text text={text} />
      <p className="links">
        <a href={at('/console/manual')} onClick={onClose}>
          {help.whole}
        </a>
        <a href={at('/console/shortcuts')} onClick={onClose}>
          {shortcuts.title}
        </a>
      </p>
      <div className="actions">
        <Button onPress={onClose}>{close}</Button>
      </div>
    </dialog>
  )
}

/** The whole manual in the language of the person. */
export const ManualPage = () => {
  const { help } = useMessages()
  const sections: ReadonlyArray<readonly [string, Section]> = Object.entries(
    MANUALS[useSession().session.manager.language],
  )
  return (
    <div className="page manual">
      <h1>{help.title}</h1>
      <nav aria-label={help.contents}>
        <ul className="contents">
          {sections.map(([name, { title }]) => (
            <li key={name}>
              <a href={`#${name}`}>{title}</a>
            </li>
          ))}
        </ul>
      </nav>
      {sections.map(([name, { title, text }]) => (
        <section key={name} aria-labelledby={name}>
          <h2 id={name} tabIndex={-1}>
            {title}
          </h2>
          <Text text={text} />
        </section>
      ))}
    </div>
  )
}
