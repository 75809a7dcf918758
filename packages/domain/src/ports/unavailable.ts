/** Something outside could not do its part: nothing has changed, and trying again may help. `cause` is for the log only. */
export interface Unavailable {
  readonly _tag: 'Unavailable'
  readonly cause: unknown
}

/** The failure of a port whose system could not be used just now. `cause` is for the log, and never reaches an answer (I1). */
export const unavailable = (cause: unknown): Unavailable => ({ _tag: 'Unavailable', cause })
