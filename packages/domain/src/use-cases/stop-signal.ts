/** A stop request, such as an `AbortSignal`. Once it is aborted, work begins nothing more and finishes what it has begun. */
export interface StopSignal {
  readonly aborted: boolean
}

/** The signal of work that nothing stops. */
export const NEVER_STOPPED: StopSignal = { aborted: false }
