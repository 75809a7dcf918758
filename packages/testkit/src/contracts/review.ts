import { onStage, type ReviewStoreUnderTest } from './review/fixture.ts'
import { pausing } from './review/pausing.ts'
import { refusals } from './review/refusing.ts'
import { retrying } from './review/retrying.ts'
import { scheduling } from './review/scheduling.ts'
import { sending } from './review/sending.ts'
import { stepping } from './review/stepping.ts'
import { together } from './review/together.ts'
import { trouble } from './review/trouble.ts'
import type { ContractRunner } from './runner.ts'

export type { ReviewStoreUnderTest } from './review/fixture.ts'

/** Contract tests of reviews on a store: the real use case with the clock and providers of the test (G3, G4, G5). */
export const reviewContract = (runner: ContractRunner, make: () => Promise<ReviewStoreUnderTest>): void => {
  const on = onStage(runner, make)
  for (const part of [scheduling, sending, retrying, pausing, together, stepping, trouble, refusals]) part(on)
}
