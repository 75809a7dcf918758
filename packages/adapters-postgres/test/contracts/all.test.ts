import * as contracts from '@almoner/testkit/contracts'
import { contractFixture } from '../contract-fixture.ts'

// PostgreSQL keeps the promises that the ports make.
const { runner, store, ranks } = contractFixture()

contracts.storeContract(runner, store)
contracts.reviewContract(runner, store)
contracts.offsetIndexContract(runner, ranks)
