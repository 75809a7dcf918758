import { useMessages } from '../../app/session.tsx'
import { Icon } from '../../ui/icon.tsx'

/** Links to the previous and the next page of a list. */
export const Pager = ({
  offset,
  size,
  total,
  hasNext,
  hrefOf,
}: {
  readonly offset: number
  readonly size: number
  /** The number of all that match, where it is known. */
  readonly total?: number
  readonly hasNext: boolean
  readonly hrefOf: (offset: number) => string
}) => {
  const { list } = useMessages()
  if (offset === 0 && !hasNext) return null
  return (
    <nav className="pager" aria-label={list.pages}>
      {offset > 0 ? (
        <a className="button" href={hrefOf(Math.max(0, offset - size))} rel="prev">
          <Icon name="previous" />
          {list.previous}
        </a>
      ) : (
        <span />
      )}
      <span>{total !== undefined && list.range(offset + 1, Math.min(offset + size, total), total)}</span>
      {hasNext ? (
        <a className="button" href={hrefOf(offset + size)} rel="next">
          {list.next}
          <Icon name="next" />
        </a>
      ) : (
        <span />
      )}
    </nav>
  )
}
