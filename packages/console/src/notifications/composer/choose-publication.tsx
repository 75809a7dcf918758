import { useState } from 'react'
import { pathOfComposer } from '../../content/items.ts'
import { listItems } from '../../content/items-api.ts'
import { useAnswer } from '../../session/answers.ts'
import { useMessages } from '../../session/session.tsx'
import { useSettled } from './use-settled.ts'

/** Publications that are offered at once. */
const MOST = 8

/** Chooses what to write about: a publication that is Live, or nothing in particular. */
export const ChoosePublication = () => {
  const { composer: words, list, languages } = useMessages()
  const [typed, setTyped] = useState('')
  const q = useSettled(typed)
  const query = { status: 'Live', lim: MOST, offset: 0, ...(q !== '' && { q }) } as const
  const { answer } = useAnswer(`to notify ${q}`, (signal) => listItems('library', query, signal))
  const items = answer?.data.items ?? []
  return (
    <div className="choose-publication">
      <label className="text-field">
        <span className="label">{words.choose}</span>
        <input
          type="search"
          value={typed}
          maxLength={200}
          placeholder={list.search}
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
      <ul className="rows">
        {items.map(({ itemId, itemTitle, lang }) => (
          <li key={itemId} className="row chosen-row">
            <a className="title" href={pathOfComposer(itemId)} lang={lang}>
              {itemTitle}
            </a>
            <span className="meta">{languages[lang]}</span>
          </li>
        ))}
      </ul>
      {answer !== undefined && items.length === 0 && <p>{words.nothingFound}</p>}
      <p>
        <a href={pathOfComposer('none')}>{words.without}</a>
      </p>
    </div>
  )
}
