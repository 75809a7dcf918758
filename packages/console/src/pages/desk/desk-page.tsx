import { useMessages, useSession } from '../../app/session.tsx'
import { Icon } from '../../ui/icon.tsx'

/** The first page: a greeting, and the ways to the work. */
const DeskPage = () => {
  const { desk } = useMessages()
  const { manager } = useSession().session
  const ways = [
    { href: '/console/queue', icon: 'queue', words: desk.queue },
    { href: '/console/library/new', icon: 'add', words: desk.publication },
    { href: '/console/feed/new', icon: 'feed', words: desk.post },
  ] as const
  return (
    <div className="page">
      <h1>{desk.title(manager.name)}</h1>
      <ul className="ways">
        {ways.map(({ href, icon, words }) => (
          <li key={href}>
            <a href={href}>
              <Icon name={icon} />
              <strong>{words.title}</strong>
              <span>{words.text}</span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}

export default DeskPage
