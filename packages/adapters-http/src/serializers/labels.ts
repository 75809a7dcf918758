import type { Label } from '@almoner/domain'
import * as t from 'io-ts'

/** A label as callers see it (E1). */
export const LabelAnswer = t.strict({ label: t.strict({ labelId: t.string, en: t.string, fr: t.string }) })

export const LabelsAnswer = t.array(LabelAnswer)

export const encodeLabel = ({ labelId, en, fr }: Label): t.TypeOf<typeof LabelAnswer> => ({
  label: { labelId, en, fr },
})
