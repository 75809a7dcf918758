import type { MemoryStore } from '../memory/store.ts'
import { accessTokensContract } from './access-tokens.ts'
import { clientsContract } from './clients.ts'
import { clockStepsContract } from './clock-steps.ts'
import { deadDevicesContract } from './dead-devices.ts'
import { deliveriesContract } from './deliveries.ts'
import { devicesContract } from './devices.ts'
import { feedAuthorsContract } from './feed-authors.ts'
import { findingContract } from './finding.ts'
import { historyContract } from './history.ts'
import { idempotencyKeysContract } from './idempotency-keys.ts'
import { identitiesContract } from './identities.ts'
import { feedItemsContract, libraryItemsContract } from './item-stores.ts'
import { knownImagesContract } from './known-images.ts'
import { labelsContract } from './labels.ts'
import { managersContract } from './managers.ts'
import { nodesContract } from './nodes.ts'
import { notificationsContract } from './notifications.ts'
import { oneTimeSecretsContract } from './one-time-secrets.ts'
import { operatorsContract } from './operators.ts'
import { passkeysContract } from './passkeys.ts'
import { passwordsContract } from './passwords.ts'
import { personalDataContract } from './personal-data.ts'
import { portfolioContract } from './portfolio.ts'
import { portfolioPagesContract } from './portfolio-pages.ts'
import { providersContract } from './providers.ts'
import { retentionContract } from './retention.ts'
import type { ContractRunner, UnderTest } from './runner.ts'
import { sessionsContract } from './sessions.ts'
import { signInContract } from './sign-in.ts'
import { statisticsContract } from './statistics.ts'
import { storageIdentityContract } from './storage-identity.ts'
import { translationsContract } from './translations.ts'
import { usersContract } from './users.ts'
import { workingCopiesContract } from './working-copies.ts'

/** The ports of a database for one test, with their own data. */
export type StoreUnderTest = UnderTest<keyof MemoryStore>

/** A contract suite of ports that a database has. */
export type StoreSuite = (runner: ContractRunner, make: () => Promise<StoreUnderTest>) => void

/** Each contract suite of the ports that a database has, by its name. */
export const STORE_SUITES: Readonly<Record<string, StoreSuite>> = {
  libraryItemsContract,
  feedItemsContract,
  feedAuthorsContract,
  historyContract,
  labelsContract,
  translationsContract,
  findingContract,
  clientsContract,
  accessTokensContract,
  clockStepsContract,
  managersContract,
  passkeysContract,
  identitiesContract,
  passwordsContract,
  sessionsContract,
  oneTimeSecretsContract,
  signInContract,
  operatorsContract,
  workingCopiesContract,
  idempotencyKeysContract,
  knownImagesContract,
  storageIdentityContract,
  portfolioContract,
  portfolioPagesContract,
  usersContract,
  devicesContract,
  notificationsContract,
  deliveriesContract,
  providersContract,
  deadDevicesContract,
  personalDataContract,
  retentionContract,
  nodesContract,
  statisticsContract,
}

/** Contract tests of all ports that a database has. `reviewContract` and `ranksContract` are separate: the latter needs two stores. */
export const storeContract = (runner: ContractRunner, make: () => Promise<StoreUnderTest>): void => {
  for (const suite of Object.values(STORE_SUITES)) suite(runner, make)
}
