import { useLocaleName, useMessages } from '../../session/session.tsx'
import type { Preview } from './composer-api.ts'

/** The share of the limit from which on the meter warns. */
const HIGH = 0.9

/** How large the notification is, of what providers take (G6). */
export const ByteMeter = ({ preview: { bytes, most, smallerLimits } }: { readonly preview: Preview }) => {
  const { composer: words } = useMessages()
  const format = new Intl.NumberFormat(useLocaleName())
  const text = words.bytes(format.format(bytes), format.format(most))
  const isOver = bytes > most
  return (
    <div className={`byte-meter${isOver ? ' over' : ''}`}>
      <meter
        aria-label={words.size}
        aria-valuetext={text}
        min={0}
        max={most}
        high={most * HIGH}
        value={Math.min(bytes, most)}
      />
      <span>{text}</span>
      {isOver && <p className="field-errors">{words.tooLarge}</p>}
      {smallerLimits.map((limit) => {
        const size = words.bytes(format.format(limit.bytes), format.format(limit.most))
        return <p key={limit.service}>{words.smallerLimits[limit.service](size, limit.bytes > limit.most)}</p>
      })}
    </div>
  )
}
