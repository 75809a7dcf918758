import { useRef } from 'react'
import type { Side } from '../../content/translation/pair-api.ts'
import { useAnswer } from '../../session/answers.ts'
import { askPreview, type Preview } from './composer-api.ts'
import { bodyOf, type SideDraft } from './draft.ts'
import { useSettled } from './use-settled.ts'

/** Returns size and recipients of a notification while it is written. The latest stay until the next are there. */
export const usePreview = (side: Side, draft: SideDraft): Preview | undefined => {
  const body = useSettled(JSON.stringify(bodyOf(side, draft)))
  const { answer } = useAnswer(`preview ${body}`, (signal) => askPreview(JSON.parse(body), signal))
  const latest = useRef<Preview>(undefined)
  latest.current = answer?.data.preview ?? latest.current
  return latest.current
}
