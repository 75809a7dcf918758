import { useMessages } from '../../app/session.tsx'
import { at } from '../../paths.ts'

/** Shown for a path that no page has. */
export const NotFoundPage = () => {
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
