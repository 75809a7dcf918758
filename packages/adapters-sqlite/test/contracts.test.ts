import { join } from 'node:path'
import * as contracts from '@almoner/domain/contracts'
import t from 'tap'
import { storeOf } from './store-of.ts'

// SQLite keeps the promises that the ports make: each test on a file of its own.
const folder = t.testdir()
const runner: contracts.ContractRunner = (name, body) => {
  t.test(name, async (t) =>
    body({ same: (a, b, m = 'is the same') => t.strictSame(a, b, m), ok: (v, m = 'holds') => t.ok(v, m) }),
  )
}
let files = 0
const store = () => {
  files += 1
  return storeOf(join(folder, `${files}.db`))
}

contracts.libraryItemsContract(runner, store)
contracts.feedItemsContract(runner, store)
contracts.labelsContract(runner, store)
contracts.clientsContract(runner, store)
contracts.accessTokensContract(runner, store)
contracts.knownImagesContract(runner, store)
contracts.usersContract(runner, store)
contracts.devicesContract(runner, store)
contracts.notificationsContract(runner, store)
contracts.deliveriesContract(runner, store)
contracts.portfolioContract(runner, store)
contracts.portfolioPagesContract(runner, store)
