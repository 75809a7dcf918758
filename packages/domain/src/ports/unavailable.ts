/** Something outside could not do its part: nothing has changed, and trying again may help. `cause` is for the log only. */
export interface NothingDone {
  readonly _tag: 'Unavailable'
  readonly cause: unknown
}

/**
 * The connection was lost while a write was being committed, and nobody could say afterwards whether it was (I5). Assume neither: delete
 * nothing that the write may refer to, and do not say that nothing has changed. `cause` is for the log only.
 */
export interface OutcomeUnknown {
  readonly _tag: 'OutcomeUnknown'
  readonly cause: unknown
}

/** How a port fails whose system could not be used just now. A read fails as {@link NothingDone} only. */
export type Unavailable = NothingDone | OutcomeUnknown

/** The failure of a port whose system could not be used just now. `cause` is for the log, and never reaches an answer (I1). */
export const unavailable = (cause: unknown): NothingDone => ({ _tag: 'Unavailable', cause })

/** The failure of a write of which nobody knows whether it was committed (I5). */
export const outcomeUnknown = (cause: unknown): OutcomeUnknown => ({ _tag: 'OutcomeUnknown', cause })

/** Tells failures of a port's system from those that a rule gives. */
export const isUnavailable = <E extends { readonly _tag: string }>(
  failure: E | Unavailable,
): failure is Unavailable => failure._tag === 'Unavailable' || failure._tag === 'OutcomeUnknown'
