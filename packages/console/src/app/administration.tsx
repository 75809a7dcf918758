import { useSyncExternalStore } from 'react'
import { OPERATOR_NAVIGATION } from '../pages/index.ts'
import { NavigationLinks } from './navigation-links.tsx'
import { useMessages } from './session.tsx'

/** Whether the navigation is a column at the side, as the style sheet of the frame has it. */
const wide = matchMedia('(min-width: 56rem)')

const subscribe = (onChange: () => void): (() => void) => {
  wide.addEventListener('change', onChange)
  return () => wide.removeEventListener('change', onChange)
}

/** The navigation of operators: a second list at the side; on narrow screens a menu in the header, which closes when a page opens. */
export const Administration = ({ path }: { readonly path: string }) => {
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
