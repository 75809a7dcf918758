import {
  type ComponentType,
  lazy,
  Suspense,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { at, withoutBase } from '../paths.ts'
import { useAnswer } from '../session/answers.ts'
import { consoleApi } from '../session/api.ts'
import type { PageProps } from '../session/match.ts'
import { pageTitle, useUrl } from '../session/router.ts'
import { useMessages, useSession } from '../session/session.tsx'
import { useShortcuts } from '../session/use-shortcuts.ts'
import { Icon, type IconName } from '../ui/controls.tsx'
import { Keys } from '../ui/marks.tsx'
import { ToastRegion } from '../ui/overlays.tsx'
import { NAVIGATION, OPERATOR_NAVIGATION, pageOf, titleOf } from './pages.ts'

const loadPalette = () => import('./palette.tsx')
const Palette = lazy(loadPalette)
const HelpDialog = lazy(async () => ({ default: (await import('../manual/manual.tsx')).HelpDialog }))

/** Milliseconds after which the palette is loaded in any case, so that it takes the first key that is typed into it. */
const SOON = 1000

/** Opens the palette, by a button or by its keys. Its script is loaded after that of the page. */
const PaletteButton = () => {
  const { palette } = useMessages()
  const [isOpen, setOpen] = useState(false)
  const open = () => setOpen(true)
  useEffect(() => {
    const timer = setTimeout(() => void loadPalette().catch(() => {}), SOON)
    return () => clearTimeout(timer)
  }, [])
  useShortcuts('everywhere', { palette: open })
  return (
    <>
      <button type="button" className="palette-button" onClick={open}>
        <Icon name="search" />
        <span>{palette.button}</span>
        <Keys area="everywhere" name="palette" />
      </button>
      {isOpen && (
        <Suspense>
          <Palette onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Opens the paragraph of the manual about the page, by a button or by its key. */
const HelpButton = ({ path }: { readonly path: string }) => {
  const { help } = useMessages()
  const [isOpen, setOpen] = useState(false)
  const open = () => setOpen(true)
  useShortcuts('everywhere', { help: open })
  return (
    <>
      <button type="button" className="help-button" onClick={open}>
        <span aria-hidden="true">?</span>
        <span className="visually-hidden">{help.button}</span>
      </button>
      {isOpen && (
        <Suspense>
          <HelpDialog section={pageOf(path)?.page.section ?? 'search'} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** A page that a navigation links to. */
interface LinkedPage {
  readonly name: keyof ReturnType<typeof useMessages>['navigation']
  readonly href: string
  readonly icon: IconName
  readonly isForWide?: true
}

const isCurrent = (href: string, path: string): boolean =>
  path === href || (href !== '/console' && path.startsWith(`${href}/`))

/** How many things wait on a page, by its name. */
type Badges = Readonly<Partial<Record<LinkedPage['name'], number>>>

/** Returns the numbers beside the pages: posts that wait, proposals, publications whose translation is missing or older, and notifications that failed. */
const useBadges = (): Badges => {
  const { answer } = useAnswer('waiting', (signal) => consoleApi.get('/desk', { signal }))
  if (answer === undefined) return {}
  const { waiting, lacking, older, failed, proposals } = answer.data.desk
  return {
    queue: waiting,
    proposals: proposals.count,
    library: lacking.en + lacking.fr + older,
    notifications: failed.length,
  }
}

/** The links of a navigation. The one of the page, or of the page above it, is marked. */
const NavigationLinks = ({
  pages,
  path,
  badges = {},
}: {
  readonly pages: ReadonlyArray<LinkedPage>
  readonly path: string
  readonly badges?: Badges
}) => {
  const { navigation, shell } = useMessages()
  return (
    <ul>
      {pages.map(({ name, href, icon, isForWide }) => (
        <li key={name} className={isForWide && 'for-wide'}>
          <a
            href={at(href)}
            aria-current={isCurrent(href, path) ? 'page' : undefined}
            aria-describedby={(badges[name] ?? 0) > 0 ? `badge-${name}` : undefined}
          >
            <Icon name={icon} />
            <span>{navigation[name]}</span>
          </a>
          {(badges[name] ?? 0) > 0 && (
            <span className="badge" id={`badge-${name}`}>
              <span aria-hidden="true">{badges[name]}</span>
              <span className="visually-hidden">{shell.waiting(badges[name] ?? 0)}</span>
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Whether the navigation is a column at the side, as the style sheet of the frame has it. */
const wide = matchMedia('(min-width: 56rem)')

const subscribe = (onChange: () => void): (() => void) => {
  wide.addEventListener('change', onChange)
  return () => wide.removeEventListener('change', onChange)
}

/** The navigation of operators: a second list at the side; on narrow screens a menu in the header, which closes when a page opens. */
const Administration = ({ path }: { readonly path: string }) => {
  const { shell } = useMessages()
  const isWide = useSyncExternalStore(subscribe, () => wide.matches)
  const links = <NavigationLinks pages={OPERATOR_NAVIGATION} path={path} />
  if (isWide)
    return (
      <nav className="administration" aria-labelledby="administration">
        <h2 id="administration">{shell.administration}</h2>
        {links}
      </nav>
    )
  return (
    <nav className="administration" aria-label={shell.administration}>
      <details key={path}>
        <summary>{shell.administration}</summary>
        {links}
      </details>
    </nav>
  )
}

/** Shown to editors at the address of a page of operators. */
const OperatorsOnly = () => {
  const { forOperators, notFound } = useMessages()
  return (
    <div className="page narrow">
      <h1>{forOperators.title}</h1>
      <p>{forOperators.text}</p>
      <p>
        <a href={at('/console')}>{notFound.link}</a>
      </p>
    </div>
  )
}

/** Shown for a path that no page has. */
const NotFoundPage = () => {
  const { notFound } = useMessages()
  return (
    <div className="page narrow">
      <h1>{notFound.title}</h1>
      <p>{notFound.text}</p>
      <p>
        <a href={at('/console')}>{notFound.link}</a>
      </p>
    </div>
  )
}

const components = new Map<string, ComponentType<PageProps>>()

/** Returns the component of a page, whose script is loaded when it is first shown. */
const componentOf = (name: string, load: () => Promise<ComponentType<PageProps>>) => {
  const known = components.get(name)
  if (known !== undefined) return known
  const component = lazy(async () => ({ default: await load() }))
  components.set(name, component)
  return component
}

/** Shows the page of a path. Moves the focus to it when another page opens, as a new document would. */
const PageOutlet = ({ path }: { readonly path: string }) => {
  const messages = useMessages()
  const main = useRef<HTMLElement>(null)
  const isFirst = useRef(true)
  const match = useMemo(() => pageOf(path), [path])
  const { duty } = useSession().session.manager
  const known = match === undefined ? NotFoundPage : componentOf(match.page.name, match.page.load)
  const Page = match?.page.isForOperators && duty !== 'operator' ? OperatorsOnly : known
  const key = match?.page.keepsState ? match.page.name : path
  const shown = useSyncExternalStore(pageTitle.subscribe, pageTitle.current)
  useEffect(() => {
    document.title = shown === undefined ? titleOf(match?.page.name, messages) : `${shown} · Almoner`
  }, [match, messages, shown])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves when another page opens, and only then
  useEffect(() => {
    if (isFirst.current) isFirst.current = false
    else main.current?.focus()
  }, [key])
  return (
    <main id="main" ref={main} tabIndex={-1}>
      <Suspense fallback={<p className="loading">{messages.loading}</p>}>
        <Page key={key} params={match?.params ?? {}} />
      </Suspense>
    </main>
  )
}

/** The frame of all pages: skip link, navigation, the signed-in person, and the page. */
export const Shell = () => {
  const messages = useMessages()
  const { session } = useSession()
  const url = useUrl()
  const pathname = withoutBase(url.pathname) ?? url.pathname
  const badges = useBadges()
  return (
    <div className="shell">
      <a className="skip" href="#main">
        {messages.shell.skip}
      </a>
      <header className="shell-header">
        <a className="brand" href={at('/console')}>
          Almoner
        </a>
        <PaletteButton />
        <nav className="main-nav" aria-label={messages.shell.navigation}>
          <NavigationLinks pages={NAVIGATION} path={pathname} badges={badges} />
        </nav>
        {session.manager.duty === 'operator' && <Administration path={pathname} />}
        <div className="shell-end">
          <a
            className="person"
            href={at('/console/account')}
            aria-current={pathname === '/console/account' ? 'page' : undefined}
          >
            <Icon name="person" />
            <span>{session.manager.name}</span>
          </a>
          <HelpButton path={pathname} />
        </div>
      </header>
      <PageOutlet path={pathname} />
      <ToastRegion />
    </div>
  )
}
