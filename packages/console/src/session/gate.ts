/** Milliseconds for which something must be on the screen before an act on it counts (M12). */
export const SEEN_AFTER = 500

/** Decides which presses count: one act a press, on things that have been on the screen for {@link SEEN_AFTER}. Moments are milliseconds. */
export interface Gate {
  /** Notes that something is on the screen. The key names it with its version. */
  readonly show: (key: string, at: number) => void
  /** Notes that it has left the screen. */
  readonly hide: () => void
  /** Notes the beginning of a press, as a finger that comes down. */
  readonly begin: (at: number) => void
  /** Ends the press. Returns the key that it acts on; undefined if it does not count. */
  readonly end: () => string | undefined
}

/** Makes a gate with nothing on the screen. */
export const makeGate = (): Gate => {
  let shown: { readonly key: string; readonly since: number } | undefined
  let pressed: string | undefined
  return {
    show: (key, at) => {
      if (shown?.key !== key) shown = { key, since: at }
    },
    hide: () => {
      shown = undefined
    },
    begin: (at) => {
      pressed = shown !== undefined && at - shown.since >= SEEN_AFTER ? shown.key : undefined
    },
    end: () => {
      const taken = pressed === shown?.key ? pressed : undefined
      pressed = undefined
      if (taken !== undefined) shown = undefined
      return taken
    },
  }
}
