import { type PushResult, senderError } from '@almoner/domain/notifications'
import { makeSenderMismatchDetector } from '../sender-mismatch.ts'
import type { FcmOutcome } from './outcomes.ts'

/**
 * What answers come to that may be about one device or about us: that a token is another sender's, or that the Firebase project has no
 * key for the phone's own service. They are about the device, unless none is taken.
 */
export const makeClassifier = (): ((outcome: FcmOutcome) => PushResult) => {
  const detector = makeSenderMismatchDetector()
  return (outcome) => {
    if (outcome._tag === 'Doubtful')
      return detector.refused() ? senderError(outcome.reason) : outcome.otherwise
    if (outcome._tag === 'Delivered') detector.accepted()
    return outcome
  }
}
