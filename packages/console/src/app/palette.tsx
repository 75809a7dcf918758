import { useEffect, useRef, useState } from 'react'
import { Autocomplete } from 'react-aria-components/Autocomplete'
import { Header } from 'react-aria-components/Header'
import { Input } from 'react-aria-components/Input'
import { Menu, MenuItem, MenuSection } from 'react-aria-components/Menu'
import { SearchField } from 'react-aria-components/SearchField'
import { type ContentType, pathOfRow, type Row } from '../content/items.ts'
import { listRows } from '../content/items-api.ts'
import { listProposals, pathOfProposal } from '../content/proposals/proposals-api.ts'
import { at } from '../paths.ts'
import { type FoundPeople, findPeople } from '../people/people-api.ts'
import { useAnswer } from '../session/answers.ts'
import { useMessages, useSession } from '../session/session.tsx'
import { Button, Icon } from '../ui/controls.tsx'
import { errorTexts } from '../ui/problem.tsx'
import { NAVIGATION, OPERATOR_NAVIGATION } from './pages.ts'

/** A line of the palette: it opens a page, or does something. */
interface Command {
  readonly id: string
  readonly name: string
  /** What the line says besides its name. */
  readonly hint?: string
  readonly lang?: string
  /** The name in the other language, of a publication in both. */
  readonly other?: { readonly name: string; readonly lang: string }
  readonly href?: string
  readonly run?: () => void
}

/** Lines under one heading. */
interface CommandGroup {
  readonly id: string
  readonly title: string
  readonly commands: ReadonlyArray<Command>
  /** How many are shown at a time; all, if absent. */
  readonly most?: number
}

const folded = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** Returns the groups with those commands whose names contain every word of a text, in any case and without accents. */
const matching = (groups: ReadonlyArray<CommandGroup>, text: string): ReadonlyArray<CommandGroup> => {
  const words = folded(text).split(/\s+/)
  return groups
    .map((group) => ({
      ...group,
      commands: group.commands
        .filter(({ name }) => words.every((word) => folded(name).includes(word)))
        .slice(0, group.most),
    }))
    .filter(({ commands }) => commands.length > 0)
}

/** Returns the pages that the person may open, the acts that are possible on every page, and the open proposals. */
const useCommands = (): ReadonlyArray<CommandGroup> => {
  const messages = useMessages()
  const { navigation, account, shortcuts, help, palette, library, feed, composer, portfolioLoad } = messages
  const { session, setLanguage, signOut } = useSession()
  const proposals = useAnswer('proposals', listProposals).answer?.data ?? []
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
        linked('/console/portfolio/load', portfolioLoad.title),
        linked('/console/account', account.title),
        linked('/console/shortcuts', shortcuts.title),
        linked('/console/manual', help.title),
      ],
    },
    {
      id: 'acts',
      title: palette.acts,
      commands: [
        linked('/console/library/new', library.create),
        linked('/console/feed/new', feed.create),
        linked('/console/notifications/new', composer.title),
        linked('/console/library?translation=missing', palette.missing),
        linked('/console/library?translation=older', palette.older),
        linked('/console/library?status=Draft', palette.drafts),
        { id: 'language', name: palette.languages[other], lang: other, run: () => setLanguage(other) },
        { id: 'sign-out', name: account.signOut, run: signOut },
      ],
    },
    {
      id: 'proposals',
      title: messages.proposals.title,
      most: MOST,
      commands: proposals.map(({ contentType, itemId, title, lang }) => ({
        id: `proposal-${itemId}`,
        name: title,
        lang,
        href: pathOfProposal(contentType, itemId),
      })),
    },
  ]
}

/** Milliseconds after the last key until the server is asked. */
const PAUSE = 200

/** Entries of each kind that are shown. */
const MOST = 5

/** Characters of an address from which on people are searched. */
const LEAST = 3

interface Found extends Readonly<Record<ContentType, ReadonlyArray<Row>>> {
  readonly people: FoundPeople['users']
}

const NOTHING: Found = { library: [], feed: [], people: [] }

const search = async (q: string, hasPeople: boolean, signal: AbortSignal): Promise<Found> => {
  const query = { q, lim: MOST, offset: 0 }
  const [library, feed, people] = await Promise.all([
    listRows('library', query, signal),
    listRows('feed', query, signal),
    hasPeople && q.length >= LEAST ? findPeople(q) : { users: [] },
  ])
  return { library: library.data.rows, feed: feed.data.rows, people: people.users.slice(0, MOST) }
}

/** What a search has found. */
interface FoundItems {
  readonly groups: ReadonlyArray<CommandGroup>
  readonly error: unknown
  readonly isSearching: boolean
}

/**
 * Searches publications and posts for a text, as their lists do (J2), and for operators people by their address. The answer to an earlier
 * text is dropped.
 */
const useFound = (text: string): FoundItems => {
  const messages = useMessages()
  const hasPeople = useSession().session.manager.duty === 'operator'
  const [state, setState] = useState<{ readonly q: string; readonly found: Found; readonly error?: unknown }>(
    {
      q: '',
      found: NOTHING,
    },
  )
  const q = text.trim()
  useEffect(() => {
    if (q === '') return setState({ q, found: NOTHING })
    const controller = new AbortController()
    const { signal } = controller
    const timer = setTimeout(() => {
      search(q, hasPeople, signal).then(
        (found) => setState({ q, found }),
        (error: unknown) => signal.aborted || setState({ q, found: NOTHING, error }),
      )
    }, PAUSE)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [q, hasPeople])
  const items = (['library', 'feed'] as const).map((contentType) => ({
    id: contentType,
    title: messages[contentType].title,
    commands: state.found[contentType].map((row): Command => {
      const [first, second] = row.sides
      const states = row.sides.map(({ lang, status }) =>
        second === undefined
          ? messages.status[status]
          : `${messages.languages[lang]}${messages.colon}${messages.status[status]}`,
      )
      return {
        id: row.id,
        name: first.itemTitle,
        hint: states.join(' · '),
        lang: first.lang,
        ...(second && { other: { name: second.itemTitle, lang: second.lang } }),
        href: pathOfRow(contentType, row),
      }
    }),
  }))
  const people = {
    id: 'people',
    title: messages.people.title,
    commands: state.found.people.map(({ user }) => ({
      id: `person-${user.number}`,
      name: user.email,
      href: at(`/console/people/${user.number}`),
    })),
  }
  const groups: ReadonlyArray<CommandGroup> = [...items, people]
  return {
    groups: groups.filter(({ commands }) => commands.length > 0),
    error: state.error,
    isSearching: state.q !== q,
  }
}

const Group = ({ group, onAct }: { readonly group: CommandGroup; readonly onAct: () => void }) => (
  <MenuSection id={group.id} aria-label={group.title}>
    <Header>{group.title}</Header>
    {group.commands.map(({ id, name, hint, lang, other, href, run }) => (
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
        <span className="palette-name">
          <span lang={lang}>{name}</span>
          {other !== undefined && (
            <span className="hint" lang={other.lang}>
              {other.name}
            </span>
          )}
        </span>
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
