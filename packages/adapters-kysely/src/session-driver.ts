import type { DatabaseConnection, Driver } from 'kysely'

const noTransactions = async (): Promise<never> => {
  throw new Error('transactions are begun by the engine')
}

/** A driver of Kysely on one connection, which the engine opens and closes, and on which it alone begins and ends transactions. */
export const sessionDriver = (connection: DatabaseConnection): Driver => ({
  init: async () => {},
  acquireConnection: async () => connection,
  releaseConnection: async () => {},
  beginTransaction: noTransactions,
  commitTransaction: noTransactions,
  rollbackTransaction: noTransactions,
  destroy: async () => {},
})
