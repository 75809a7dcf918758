import type { ReactNode } from 'react'
import { useActs, useAnswer } from '../../session/answers.ts'
import { useMessages } from '../../session/session.tsx'
import { Button } from '../../ui/controls.tsx'
import { showToast } from '../../ui/overlays.tsx'
import { Problem } from '../../ui/problem.tsx'
import { FieldChanges } from '../history/field-changes.tsx'
import { listOlder } from '../items-api.ts'
import { confirmTranslation } from './pair-api.ts'

type Older = Awaited<ReturnType<typeof listOlder>>[number]

/**
 * Returns those of some publications that are older than their counterparts, with the words that changed there (J8).
 * @param version changes when one of them is saved
 */
export const useOlder = (itemIds: ReadonlyArray<string>, version: string): ReadonlyArray<Older> => {
  const { answer } = useAnswer(`older ${itemIds.join()} ${version}`, async (signal) => ({
    data: await listOlder(itemIds, signal),
    headers: new Headers(),
    etag: undefined,
  }))
  return answer?.data ?? []
}

/** Shows the words that changed on the counterpart of a publication since both said the same, and confirms that nothing has to follow. */
export const OlderNotice = ({ older, link }: { readonly older: Older; readonly link?: ReactNode }) => {
  const { translation: words } = useMessages()
  const { refused, isBusy, run } = useActs()
  const { lang } = older.counterpart
  const confirm = () =>
    run(
      () => confirmTranslation(older.itemId),
      () => showToast({ text: words.confirmed }),
    )
  return (
    <details className="notice" open>
      <summary>{words.changedSince[lang]}</summary>
      <FieldChanges changes={older.changes} lang={lang} />
      {refused !== undefined && <Problem error={refused} />}
      <div className="notice-acts">
        {link}
        <Button isPending={isBusy} onPress={() => void confirm()}>
          {words.upToDate}
        </Button>
      </div>
    </details>
  )
}
