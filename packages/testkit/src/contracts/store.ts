import type { MemoryStore } from '../memory/store.ts'
import { accessTokensContract, clientsContract } from './access/access.ts'
import { idempotencyKeysContract } from './access/keys.ts'
import { announcementsContract } from './announcements.ts'
import { changesContract } from './changes.ts'
import { clockStepsContract } from './clock-steps.ts'
import { findingContract } from './content/finding.ts'
import { feedAuthorsContract } from './content/item-queries.ts'
import { labelsContract, translationsContract } from './content/labels.ts'
import { linkFindingsContract } from './content/links.ts'
import { proposalsContract } from './content/proposals.ts'
import { publicationsContract } from './content/publications.ts'
import { feedItemsContract, libraryItemsContract } from './content/ranks.ts'
import { removalsContract } from './content/removals.ts'
import { schedulesContract } from './content/schedules.ts'
import { deliveriesContract, retentionContract } from './delivery/deliveries.ts'
import { inboxContract } from './delivery/inbox.ts'
import { providersContract } from './delivery/providers.ts'
import { historyContract } from './history/history.ts'
import { failureLogContract, jobLeasesContract, requestLogContract } from './leases.ts'
import { identitiesContract, oneTimeSecretsContract, passkeysContract } from './managers/credentials.ts'
import { managersContract, operatorsContract } from './managers/managers.ts'
import { passwordsContract, previewTokensContract, sessionsContract } from './managers/sessions.ts'
import { signInContract } from './managers/sign-in.ts'
import { waitingFeedsContract } from './managers/waiting-feeds.ts'
import { workingCopiesContract } from './managers/working-copies.ts'
import { knownImagesContract } from './media/known-images.ts'
import { storageIdentityContract } from './media/stores.ts'
import { notificationChangesContract } from './notification-changes.ts'
import { notificationsContract } from './notifications.ts'
import { nodesContract, statisticsContract } from './operations.ts'
import { deadDevicesContract } from './people/device-identities.ts'
import { devicesContract, usersContract } from './people/people.ts'
import { personalDataContract } from './personal-data/personal-data.ts'
import { portfolioPagesContract } from './portfolio/pages.ts'
import { portfolioContract } from './portfolio/portfolio.ts'
import type { ContractRunner, UnderTest } from './runner.ts'

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
  changesContract,
  labelsContract,
  translationsContract,
  publicationsContract,
  linkFindingsContract,
  findingContract,
  schedulesContract,
  removalsContract,
  proposalsContract,
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
  waitingFeedsContract,
  previewTokensContract,
  idempotencyKeysContract,
  knownImagesContract,
  storageIdentityContract,
  portfolioContract,
  portfolioPagesContract,
  usersContract,
  devicesContract,
  notificationsContract,
  notificationChangesContract,
  announcementsContract,
  deliveriesContract,
  inboxContract,
  providersContract,
  deadDevicesContract,
  personalDataContract,
  retentionContract,
  nodesContract,
  jobLeasesContract,
  failureLogContract,
  requestLogContract,
  statisticsContract,
}

/** Contract tests of all ports that a database has. `reviewContract` and `offsetIndexContract` are separate: the latter needs two stores. */
export const storeContract = (runner: ContractRunner, make: () => Promise<StoreUnderTest>): void => {
  for (const suite of Object.values(STORE_SUITES)) suite(runner, make)
}
