/** The fields of something as text, by the names of the interface; absent text is `""` (C2). */
export type Fields = Readonly<Record<string, string>>

/** A field that an act changed. `before` is null on creation, `after` where something was removed (K1, K2). */
export interface FieldChange {
  readonly field: string
  readonly before: string | null
  readonly after: string | null
}

/** Returns the fields that differ, in the order of `after`; all of them if there was nothing before (K1). */
export const changesBetween = (before: Fields | undefined, after: Fields): ReadonlyArray<FieldChange> =>
  Object.entries(after)
    .map(([field, value]) => ({ field, before: before?.[field] ?? null, after: value }))
    .filter((change) => change.before !== change.after)
