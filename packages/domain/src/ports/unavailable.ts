/** Something outside could not do its part: nothing has changed, and trying again may help. `cause` is for the log only. */
export interface Unavailable {
  readonly _tag: 'Unavailable'
  readonly cause: unknown
}

export const unavailable = (cause: unknown): Unavailable => ({ _tag: 'Unavailable', cause })
