import t from 'tap'
import * as contracts from '../contracts/index.ts'
import {
  countingIds,
  memoryFailedAttempts,
  memoryMediaStore,
  memoryStore,
  plainSecrets,
  setClock,
} from '../memory/index.ts'

// The reference adapters keep the promises that the ports make.
const runner: contracts.ContractRunner = (name, body) => {
  t.test(name, async (t) =>
    body({ same: (a, b, m) => t.strictSame(a, b, m ?? ''), ok: (v, m) => t.ok(v, m ?? '') }),
  )
}
const store = async () => ({ ...memoryStore(), close: async () => {} })

contracts.libraryItemsContract(runner, store)
contracts.feedItemsContract(runner, store)
contracts.labelsContract(runner, store)
contracts.clientsContract(runner, store)
contracts.accessTokensContract(runner, store)
contracts.knownImagesContract(runner, store)
contracts.failedAttemptsContract(runner, () => memoryFailedAttempts())
contracts.clockContract(runner, setClock)
contracts.idsContract(runner, countingIds)
contracts.secretsContract(runner, plainSecrets)
contracts.mediaStoreContract(runner, async () => {
  const clock = setClock()
  const store = memoryMediaStore(clock)
  return { store, clock, bytesOf: async (name) => store.held().get(name)?.bytes, close: async () => {} }
})
