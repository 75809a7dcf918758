import type { FieldName, Fields } from './fields.ts'

/** A field that this person and another one have changed differently since the same version. */
export interface Clash {
  readonly field: FieldName
  readonly before: string
  readonly theirs: string
}

/** The three-way merge of the fields of an item. */
interface Merged {
  readonly fields: Fields
  readonly clashes: ReadonlyArray<Clash>
}

/**
 * Merges typed fields with those of a newer version: a field that only one side has changed takes that change. Where both have changed it
 * differently, the typed text stays and the clash is reported.
 */
export const mergeFields = (base: Fields, theirs: Fields, mine: Fields): Merged => {
  const fields: Record<string, string> = {}
  const clashes: Array<Clash> = []
  for (const field of Object.keys(mine) as ReadonlyArray<FieldName>) {
    const [before, their, my] = [base[field] ?? '', theirs[field] ?? '', mine[field] ?? '']
    fields[field] = my === before ? their : my
    if (my !== before && their !== before && my !== their) clashes.push({ field, before, theirs: their })
  }
  return { fields, clashes }
}

/**
 * Returns the fields that the typed ones began from. A field with an open clash began before the other person's change: merging from there
 * reports the clash again.
 */
export const baseOf = (saved: Fields, clashes: ReadonlyArray<Clash>): Fields => ({
  ...saved,
  ...Object.fromEntries(clashes.map(({ field, before }) => [field, before])),
})

/** Whether typed fields differ from those of the saved version. */
export const haveChanged = (base: Fields, mine: Fields): boolean =>
  (Object.keys(mine) as ReadonlyArray<FieldName>).some((field) => mine[field] !== base[field])
