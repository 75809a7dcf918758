import type { Label } from '@almoner/domain'
import * as t from 'io-ts'
import { under } from './codecs.ts'

/** A label as callers see it (E1). */
export const LabelJson = under('label', { labelId: t.string, en: t.string, fr: t.string })

export const LabelsJson = t.array(LabelJson)

export const encodeLabel = ({ labelId, en, fr }: Label): t.TypeOf<typeof LabelJson> => ({
  label: { labelId, en, fr },
})
