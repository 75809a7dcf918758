import { useAnswer } from '../../session/answers.ts'
import { useMessages } from '../../session/session.tsx'
import { FieldChanges } from '../history/field-changes.tsx'
import { listRevisions } from '../history/history-api.ts'
import type { Item } from '../items.ts'

/** Changes of the original that are looked at. */
const MOST = 20

const TEXTS: ReadonlySet<string> = new Set(['itemTitle', 'itemDescription', 'link'])

/** Shows the changes of the original since its translation was saved. */
export const OriginalChanges = ({ original, since }: { readonly original: Item; readonly since: string }) => {
  const { translation: words } = useMessages()
  const { answer } = useAnswer(`library/${original.itemId}/history ${MOST}`, (signal) =>
    listRevisions('library', original.itemId, MOST, signal),
  )
  const changes = (answer?.data.revisions ?? [])
    .filter(({ at }) => Date.parse(at) > Date.parse(since))
    .toReversed()
    .flatMap((revision) => revision.changes)
    .filter(({ field }) => TEXTS.has(field))
  if (changes.length === 0) return null
  return (
    <details className="notice" open>
      <summary>{words.changedSince}</summary>
      <FieldChanges changes={changes} lang={original.lang} />
    </details>
  )
}
