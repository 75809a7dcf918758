/**
 * Fixtures for tests of rules, for any test runner: a service in memory, callers, and a sample of each type.
 * @module @almoner/testkit/samples
 */

export { callerWith } from '@almoner/domain/access'
export {
  done,
  failure,
  SAMPLE_MOMENT,
  sampleChallenge,
  sampleClient,
  sampleDataset,
  sampleDay,
  sampleDevice,
  sampleEmail,
  sampleFeedItem,
  sampleId,
  sampleImage,
  sampleLibraryItem,
  sampleMoment,
  sampleNotification,
  sampleNotificationId,
  sampleOrganization,
  samplePortfolio,
  samplePortfolioImage,
  sampleProgram,
  samplePush,
  sampleSector,
  sampleSummary,
  sampleToken,
} from '../contracts/index.ts'
export * from './samples.ts'
export * from './test-fixture.ts'
