/** So many refusals of who sends, before any push was taken, are no accident. */
export const STRANGERS = 20

/** Tells a device that is another sender's from credentials of ours that are wrong. */
export interface Strangers {
  /** A push was taken: the credentials are right. */
  accepted(): void
  /** One more was refused because of who sends. Whether that is our fault. */
  refused(): boolean
}

/**
 * That the sender is another than the device is for may be said of one device, whose owner attached a token of another app, or of all,
 * when the credentials are another project's (G5). Once a push was taken the credentials are right, and nobody can stop the others by
 * attaching strange tokens. While none was taken, {@link STRANGERS} in all are our fault.
 */
export const makeStrangers = (): Strangers => {
  let isKnown = false
  let count = 0
  return {
    accepted: () => {
      isKnown = true
    },
    refused: () => {
      count += 1
      return !isKnown && count >= STRANGERS
    },
  }
}
