import { NAVIGATION } from '../pages/index.ts'
import { PaletteButton } from '../palette/palette-button.tsx'
import { at, withoutBase } from '../paths.ts'
import { Icon } from '../ui/icon.tsx'
import { ToastRegion } from '../ui/toasts.tsx'
import { Administration } from './administration.tsx'
import { NavigationLinks } from './navigation-links.tsx'
import { PageOutlet } from './page-outlet.tsx'
import { useUrl } from './router.ts'
import { useMessages, useSession } from './session.tsx'

/** The frame of all pages: skip link, navigation, the signed-in person, and the page. */
export const Shell = () => {
  const messages = useMessages()
  const { session } = useSession()
  const url = useUrl()
  const pathname = withoutBase(url.pathname) ?? url.pathname
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
          <NavigationLinks pages={NAVIGATION} path={pathname} />
        </nav>
        {session.manager.duty === 'operator' && <Administration path={pathname} />}
        <a
          className="person"
          href={at('/console/account')}
          aria-current={pathname === '/console/account' ? 'page' : undefined}
        >
          <Icon name="person" />
          <span>{session.manager.name}</span>
        </a>
      </header>
      <PageOutlet path={pathname} />
      <ToastRegion />
    </div>
  )
}
