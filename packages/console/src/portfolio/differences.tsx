import { Parts } from '../content/history/field-changes.tsx'
import { type DiffPart, diffWords } from '../content/history/word-diff.ts'
import { useMessages } from '../session/session.tsx'
import type { Plan } from './load.ts'

type Row = Plan['rows'][number]
type Cell = Row['cells'][number]

/** The digest in the name of a stored image, which a person has not written. */
const DIGEST = /\.[0-9a-f]{16}(?=\.\w+$)/

/** Returns the parts of a cell: by words where both portfolios have it. An image with the same name is named before and after. */
const partsOf = ({ column, before, after }: Cell, lang: string): ReadonlyArray<DiffPart> => {
  const isImage = column === 'logo' || column === 'visual'
  const shown = (text: string | null) => (isImage ? text?.replace(DIGEST, '') : text) ?? ''
  const [old, next] = [shown(before), shown(after)]
  if (old !== '' && next !== '' && !isImage) return diffWords(old, next, lang)
  return [
    { kind: 'removed', text: old },
    { kind: 'same', text: old !== '' && next !== '' ? ' ' : '' },
    { kind: 'added', text: next },
  ]
}

const DifferentRow = ({ row: { table, kind, lang, number, cells } }: { readonly row: Row }) => {
  const { portfolioLoad: words, languages } = useMessages()
  const names: Readonly<Record<string, string>> = words.columns
  const title = [
    words.tables[table],
    ...(lang === null ? [] : [languages[lang]]),
    ...(number === null ? [] : [number]),
  ]
  return (
    <li>
      <p>
        {title.join(' · ')} <span className={`mark ${kind}`}>{words.kinds[kind]}</span>
      </p>
      <dl className="changes">
        {cells.map((cell) => (
          <div key={cell.column}>
            <dt>{names[cell.column] ?? cell.column}</dt>
            <dd {...(lang !== null && { lang })}>
              <Parts parts={partsOf(cell, lang ?? 'en')} />
            </dd>
          </div>
        ))}
      </dl>
    </li>
  )
}

/** The rows that a load adds, changes or removes, with the values before and after. */
export const Differences = ({
  rows,
  title,
}: {
  readonly rows: ReadonlyArray<Row>
  readonly title: string
}) =>
  rows.length === 0 ? null : (
    <details>
      <summary>{title}</summary>
      <ul className="differences">
        {rows.map((row) => (
          <DifferentRow key={`${row.table} ${row.id} ${row.lang} ${row.number}`} row={row} />
        ))}
      </ul>
    </details>
  )
