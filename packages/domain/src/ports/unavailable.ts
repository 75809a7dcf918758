/** Something outside could not do its part: nothing has changed, and trying again may help. `cause` is for the log only. */
export interface NothingDone {
  readonly _tag: 'Unavailable'
  readonly cause: unknown
}

/**
 * The connection was lost during a commit, and its outcome could not be determined (I5). Assume neither: delete nothing that the write may
 * reference, and do not say that nothing has changed. `cause` is for the log only.
 */
export interface OutcomeUnknown {
  readonly _tag: 'OutcomeUnknown'
  readonly cause: unknown
}

/** How a port fails whose system could not be used just now. A read fails as {@link NothingDone} only. */
export type Unavailable = NothingDone | OutcomeUnknown

/** The failure of a port whose system could not be used just now. `cause` is for the log, and never reaches an answer (I1). */
export const unavailable = (cause: unknown): NothingDone => ({ _tag: 'Unavailable', cause })

/** Returns the failure of a write with an unknown outcome (I5). */
export const outcomeUnknown = (cause: unknown): OutcomeUnknown => ({ _tag: 'OutcomeUnknown', cause })

/** Whether a failure comes from a port's system instead of a rule. */
export const isUnavailable = <E extends { readonly _tag: string }>(
  failure: E | Unavailable,
): failure is Unavailable => failure._tag === 'Unavailable' || failure._tag === 'OutcomeUnknown'
