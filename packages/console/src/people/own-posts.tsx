import { useState } from 'react'
import { pathOf } from '../content/items.ts'
import { useAnswer } from '../session/answers.ts'
import { useMessages, useMoment } from '../session/session.tsx'
import { Button } from '../ui/controls.tsx'
import { StatusMark } from '../ui/marks.tsx'
import { Problem } from '../ui/problem.tsx'
import { listPosts } from './people-api.ts'

/** Posts that are shown at once. */
const STEP = 20

/** The posts that a person wrote, newest first. */
export const OwnPosts = ({ number, total }: { readonly number: number; readonly total: number }) => {
  const { person: words, languages } = useMessages()
  const moment = useMoment()
  const [most, setMost] = useState(STEP)
  const { answer, error, reload } = useAnswer(`posts of person ${number} ${most} ${total}`, (signal) =>
    listPosts(number, most, signal),
  )
  const items = answer?.data.items ?? []
  return (
    <section className="person-part">
      <h2>{words.posts}</h2>
      {error !== undefined && <Problem error={error} onRetry={reload} />}
      {total === 0 && <p className="hint">{words.noPosts}</p>}
      {items.length > 0 && (
        <ul className="rows" aria-label={words.posts}>
          {items.map(({ item }) => (
            <li key={item.itemId} className="row person-row">
              <div>
                <a className="title" href={pathOf('feed', item.itemId)} lang={item.lang}>
                  {item.itemTitle}
                </a>
                <p className="meta">
                  <StatusMark status={item.status} />
                  <span>{languages[item.lang]}</span>
                  <time dateTime={item.createdAt}>{moment(item.createdAt)}</time>
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
      {total > most && <Button onPress={() => setMost(most + STEP)}>{words.morePosts}</Button>}
    </section>
  )
}
