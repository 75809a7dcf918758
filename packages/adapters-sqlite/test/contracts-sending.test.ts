import * as contracts from '@almoner/domain/contracts'
import { contractFixture } from './contract-fixture.ts'

// SQLite passes the contract suites of people, notifications, deliveries and reviews.
const { runner, store } = contractFixture()

contracts.usersContract(runner, store)
contracts.devicesContract(runner, store)
contracts.notificationsContract(runner, store)
contracts.deliveriesContract(runner, store)
contracts.providersContract(runner, store)
contracts.deadDevicesContract(runner, store)
contracts.personalDataContract(runner, store)
contracts.retentionContract(runner, store)
contracts.nodesContract(runner, store)
contracts.statisticsContract(runner, store)
contracts.reviewContract(runner, store)
