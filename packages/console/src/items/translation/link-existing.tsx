import { useState } from 'react'
import { useAnswer } from '../../session/answers.ts'
import { useMessages } from '../../session/session.tsx'
import { Button } from '../../ui/controls.tsx'
import { StatusMark } from '../../ui/marks.tsx'
import { listItems } from '../items-api.ts'
import type { Side } from './pair-api.ts'

/** Publications that are offered at once. */
const MOST = 5

/** Finds a publication that is there already, to link it as the missing language. */
export const LinkExisting = ({
  side,
  onLink,
}: {
  readonly side: Side
  readonly onLink: (itemId: string) => void
}) => {
  const { translation: words, list } = useMessages()
  const [q, setQ] = useState('')
  const query = { lang: side, lim: MOST, offset: 0, include: 'translation', ...(q !== '' && { q }) }
  const { answer } = useAnswer(`to link ${JSON.stringify(query)}`, (signal) =>
    listItems('library', query, signal),
  )
  const items = answer?.data.items.filter(({ translation }) => translation === null) ?? []
  return (
    <details className="link-existing">
      <summary>{words.linkExisting[side]}</summary>
      <label className="text-field">
        <span className="label">{list.search}</span>
        <input type="search" value={q} maxLength={200} onChange={(event) => setQ(event.target.value)} />
      </label>
      <ul>
        {items.map(({ itemId, itemTitle, status }) => (
          <li key={itemId}>
            <span lang={side}>{itemTitle}</span>
            <StatusMark status={status} />
            <Button aria-label={words.linkLabel(itemTitle)} onPress={() => onLink(itemId)}>
              {words.link}
            </Button>
          </li>
        ))}
      </ul>
      {answer !== undefined && items.length === 0 && <p className="hint">{words.noneToLink}</p>}
    </details>
  )
}
