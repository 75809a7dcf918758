import { ourFault, type PushResult, REFUSED } from '@almoner/domain'
import type { Outcome } from './outcomes.ts'

/** So many tokens of another sender's, before any push was taken, are no accident. */
export const STRANGERS = 20

/**
 * `SENDER_ID_MISMATCH` may be said of one device, whose owner attached a token of another app, or of all, when the credentials are
 * another project's (G5). Once FCM has taken a push the credentials are right, and such a device is refused; nobody can stop the others
 * by attaching strange tokens. While none was taken, {@link STRANGERS} in all are our fault.
 */
export const makeStrangers = (): ((outcome: Outcome) => PushResult) => {
  let isKnown = false
  let strangers = 0
  return (outcome) => {
    if (outcome._tag !== 'Stranger') {
      isKnown ||= outcome._tag === 'Delivered'
      return outcome
    }
    strangers += 1
    return isKnown || strangers < STRANGERS ? REFUSED : ourFault('SENDER_ID_MISMATCH')
  }
}
