import * as contracts from '@almoner/domain/contracts'
import { contractFixture } from './contract-fixture.ts'

// SQLite keeps the promises that the ports make.
const { runner, store, ranks } = contractFixture()

contracts.libraryItemsContract(runner, store)
contracts.feedItemsContract(runner, store)
contracts.feedAuthorsContract(runner, store)
contracts.historyContract(runner, store)
contracts.labelsContract(runner, store)
contracts.translationsContract(runner, store)
contracts.findingContract(runner, store)
contracts.clientsContract(runner, store)
contracts.accessTokensContract(runner, store)
contracts.managersContract(runner, store)
contracts.passkeysContract(runner, store)
contracts.identitiesContract(runner, store)
contracts.passwordsContract(runner, store)
contracts.sessionsContract(runner, store)
contracts.oneTimeSecretsContract(runner, store)
contracts.workingCopiesContract(runner, store)
contracts.idempotencyKeysContract(runner, store)
contracts.knownImagesContract(runner, store)
contracts.storageIdentityContract(runner, store)
contracts.portfolioContract(runner, store)
contracts.portfolioPagesContract(runner, store)
for (const isIndexed of [false, true]) contracts.ranksContract(runner, ranks(isIndexed))
