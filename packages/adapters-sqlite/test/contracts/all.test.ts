import * as contracts from '@almoner/testkit/contracts'
import { contractFixture } from '../contract-fixture.ts'

// SQLite keeps the promises that the ports make.
const { runner, store, ranks } = contractFixture()

contracts.storeContract(runner, store)
contracts.reviewContract(runner, store)
for (const isIndexed of [false, true]) contracts.offsetIndexContract(runner, ranks(isIndexed))
