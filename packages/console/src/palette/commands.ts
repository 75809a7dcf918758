import { useMessages, useSession } from '../app/session.tsx'
import { NAVIGATION, OPERATOR_NAVIGATION } from '../pages/index.ts'
import { at } from '../paths.ts'

/** A line of the palette: it opens a page, or does something. */
export interface Command {
  readonly id: string
  readonly name: string
  /** What the line says besides its name. */
  readonly hint?: string
  readonly lang?: string
  readonly href?: string
  readonly run?: () => void
}

/** Lines under one heading. */
export interface CommandGroup {
  readonly id: string
  readonly title: string
  readonly commands: ReadonlyArray<Command>
}

const folded = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** Returns the groups with those commands whose names contain every word of a text, in any case and without accents. */
export const matching = (groups: ReadonlyArray<CommandGroup>, text: string): ReadonlyArray<CommandGroup> => {
  const words = folded(text).split(/\s+/)
  return groups
    .map((group) => ({
      ...group,
      commands: group.commands.filter(({ name }) => words.every((word) => folded(name).includes(word))),
    }))
    .filter(({ commands }) => commands.length > 0)
}

/** Returns the pages that the person may open, and the acts that are possible on every page. */
export const useCommands = (): ReadonlyArray<CommandGroup> => {
  const { navigation, account, shortcuts, palette, library, feed } = useMessages()
  const { session, setLanguage, signOut } = useSession()
  const isOperator = session.manager.duty === 'operator'
  const other = session.manager.language === 'en' ? 'fr' : 'en'
  const linked = (href: string, name: string): Command => ({ id: href, name, href: at(href) })
  return [
    {
      id: 'pages',
      title: palette.pages,
      commands: [
        ...NAVIGATION.map(({ name, href }) => linked(href, navigation[name])),
        ...(isOperator ? OPERATOR_NAVIGATION : []).map(({ name, href }) => linked(href, navigation[name])),
        linked('/console/account', account.title),
        linked('/console/shortcuts', shortcuts.title),
      ],
    },
    {
      id: 'acts',
      title: palette.acts,
      commands: [
        linked('/console/library/new', library.create),
        linked('/console/feed/new', feed.create),
        { id: 'language', name: palette.languages[other], lang: other, run: () => setLanguage(other) },
        { id: 'sign-out', name: account.signOut, run: signOut },
      ],
    },
  ]
}
