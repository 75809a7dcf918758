import { pathOfCopy } from '../../content/editor/copy-notices.tsx'
import type { CopySummary } from '../../content/editor/working-copies.ts'
import { at } from '../../paths.ts'
import { useLocaleName, useMessages } from '../../session/session.tsx'
import { Icon, type IconName } from '../../ui/controls.tsx'
import type { Desk } from './desk-api.ts'

interface Line {
  readonly href: string
  readonly icon: IconName
  readonly text: string
  readonly hint?: string
}

const DAY = 86_400_000

/** Returns how long ago something was, in words: "3 days ago". */
const useAge = () => {
  const format = new Intl.RelativeTimeFormat(useLocaleName(), { numeric: 'auto' })
  return (moment: string): string => {
    const days = Math.floor((Date.now() - Date.parse(moment)) / DAY)
    return format.format(-Math.max(0, days), 'day')
  }
}

/** What waits for the person: each line leads to the act. */
export const ToDo = ({
  desk,
  copies,
}: {
  readonly desk: Desk
  readonly copies: ReadonlyArray<CopySummary>
}) => {
  const { desk: words, copies: copyWords } = useMessages()
  const ageOf = useAge()
  const { waiting, oldestWaiting, lacking, older } = desk
  const library = at('/console/library?translation=')
  const lines: ReadonlyArray<Line | false> = [
    waiting > 0 && {
      href: at('/console/queue'),
      icon: 'queue',
      text: words.waiting(waiting),
      ...(oldestWaiting !== null && { hint: words.oldest(ageOf(oldestWaiting)) }),
    },
    lacking.fr > 0 && {
      href: `${library}missing&lang=en`,
      icon: 'library',
      text: words.lacking.fr(lacking.fr),
    },
    lacking.en > 0 && {
      href: `${library}missing&lang=fr`,
      icon: 'library',
      text: words.lacking.en(lacking.en),
    },
    older > 0 && {
      href: `${library}older`,
      icon: 'languages',
      text: words.older(older),
      hint: words.olderHint,
    },
    ...copies.map((copy) => ({
      href: pathOfCopy(copy),
      icon: 'pen' as const,
      text: words.unfinished(copy.title === '' ? copyWords.untitled : copy.title),
      hint: words.unfinishedHint(ageOf(copy.updatedAt)),
    })),
  ]
  const shown = lines.filter((line) => line !== false)
  if (shown.length === 0)
    return (
      <div className="empty">
        <Icon name="check" />
        <p>{words.nothing}</p>
      </div>
    )
  return (
    <ul className="to-do">
      {shown.map(({ href, icon, text, hint }) => (
        <li key={href}>
          <a href={href}>
            <Icon name={icon} />
            <span>
              <strong>{text}</strong>
              {hint !== undefined && <span className="hint">{hint}</span>}
            </span>
            <Icon name="next" />
          </a>
        </li>
      ))}
    </ul>
  )
}
