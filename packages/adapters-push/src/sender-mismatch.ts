/** This number of sender mismatches before the first accepted push is our error. */
export const MISMATCH_LIMIT = 20

/** Distinguishes a device of another sender from wrong credentials of ours. */
export interface SenderMismatchDetector {
  /** A push was taken: the credentials are right. */
  accepted(): void
  /** One more was refused because of who sends. Whether that is our fault. */
  refused(): boolean
}

/**
 * A sender mismatch may concern one device (a token of another app) or, if our credentials belong to another project, all of them (G5). After
 * the first accepted push the credentials are known to be right, so foreign tokens cannot stop other devices. Before that,
 * {@link MISMATCH_LIMIT} mismatches are our error.
 */
export const makeSenderMismatchDetector = (): SenderMismatchDetector => {
  let isKnown = false
  let count = 0
  return {
    accepted: () => {
      isKnown = true
    },
    refused: () => {
      count += 1
      return !isKnown && count >= MISMATCH_LIMIT
    },
  }
}
