/**
 * Sending: batches, leases, providers, the review and its reports.
 * @module @almoner/domain/delivery
 */

export * from './batch.ts'
export * from './inbox.ts'
export { type Lanes, makeLanes, makePace, type OriginMemory, type Pace } from './lanes.ts'
export * from './meant-for.ts'
export { addResults, NOTHING, type ReviewSummary } from './open-batches.ts'
export * from './origins.ts'
export * from './providers.ts'
export { makeResultRecorder, type ResultRecorder, type SetAside } from './recording.ts'
export * from './reports.ts'
export { makeReview, type Reviewing } from './review.ts'
export * from './send-batch.ts'
export {
  type Attempt,
  type CountedGateway,
  countResponses,
  type DeliveryLife,
  endOfLife,
  type FittedMessage,
  fitted,
  heldUntil,
  LAST_TRY,
  lifeAt,
  MOST_ATTEMPTS,
  type NotSentReason,
  type ProviderResponse,
  type ResponseCount,
  resultOf,
  retryAt,
} from './sending.ts'
export * from './settle.ts'
