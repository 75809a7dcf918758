import { at } from '../paths.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { useMessages } from './session.tsx'

/** A page that a navigation links to. */
interface LinkedPage {
  readonly name: keyof ReturnType<typeof useMessages>['navigation']
  readonly href: string
  readonly icon: IconName
}

const isCurrent = (href: string, path: string): boolean =>
  path === href || (href !== '/console' && path.startsWith(`${href}/`))

/** The links of a navigation. The one of the page, or of the page above it, is marked. */
export const NavigationLinks = ({
  pages,
  path,
}: {
  readonly pages: ReadonlyArray<LinkedPage>
  readonly path: string
}) => {
  const { navigation } = useMessages()
  return (
    <ul>
      {pages.map(({ name, href, icon }) => (
        <li key={name}>
          <a href={at(href)} aria-current={isCurrent(href, path) ? 'page' : undefined}>
            <Icon name={icon} />
            <span>{navigation[name]}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}
