import { OUTCOMES, type Progress } from '@almoner/domain/notifications'
import type { PersonalRecord } from '@almoner/domain/personal-data'
import type { Ports } from '@almoner/domain/ports'
import * as O from 'fp-ts/lib/Option.js'
import { type DeliveriesFixture, type DeliveryStore, makeKit } from '../deliveries/fixture.ts'
import { type Check, type ContractRunner, onEach } from '../runner.ts'
import { done } from '../samples.ts'
import { sampleEmail, sampleMoment } from '../samples-people.ts'

type Needs =
  | 'managers'
  | 'oneTimeSecrets'
  | 'sessions'
  | 'passkeys'
  | 'identities'
  | 'passwords'
  | 'workingCopies'
  | 'personalData'
  | 'clients'
  | 'feedItems'
  | 'feedAuthors'
  | 'idempotencyKeys'

/** A store of one test, alone with its data. */
export interface PersonalDataUnderTest extends DeliveryStore, Pick<Ports, Needs> {
  /** Releases the adapter's resources. Called once at the end of each test, also after a failure. */
  readonly close: () => Promise<void>
}

/** The stores of a test, with the steps that the tests of deliveries are made of. */
export type PersonalDataFixture = DeliveriesFixture & Pick<Ports, Needs>

/** The record of an unknown person. */
export const NOTHING: PersonalRecord = {
  user: O.none,
  manager: O.none,
  number: O.none,
  passkeys: [],
  identity: O.none,
  password: O.none,
  workingCopies: [],
  devices: [],
  deadDevices: [],
  deliveries: [],
  posts: [],
  clients: [],
  responses: [],
}

/** When people are erased. */
export const LATER = sampleMoment(100)

/** Erases the n-th person. */
export const erase = ({ personalData }: PersonalDataFixture, n: number) =>
  done(personalData.erase(sampleEmail(n), LATER))

/** Finds the record of the n-th person. */
export const find = ({ personalData }: PersonalDataFixture, n: number) =>
  done(personalData.find(sampleEmail(n)))

/** Returns the number of recipients and of each outcome. */
export const outcomes = ({ recipients, tally }: Progress) => [
  recipients,
  ...OUTCOMES.map((name) => tally[name]),
]

/** Registers a test that has its own store. */
export type GivenPersonalData = (
  name: string,
  body: (check: Check, setup: PersonalDataFixture) => Promise<void>,
) => void

/** Makes the function that registers tests. */
export const givenPersonalData = (
  runner: ContractRunner,
  make: () => Promise<PersonalDataUnderTest>,
): GivenPersonalData => onEach(runner, make, (store) => ({ ...store, ...makeKit(store) }))
