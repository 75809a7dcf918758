import { setTimeout as pause } from 'node:timers/promises'
import { CommitOutcomeUnknown } from '@almoner/adapters-kysely'
import { type Connection, SERVER_LIFE } from './connect.ts'
import { ConnectionLost, isFinal } from './fault.ts'

/** Milliseconds for determining the outcome of a transaction, and between two queries. */
const SEARCH = 5000
const PAUSE = 50

/** A transaction, as servers know it. */
export interface TransactionId {
  /** Its 64-bit number, as text. */
  readonly xid: string
  /** The life of the server that numbered it, as {@link SERVER_LIFE}; empty when that is unknown. */
  readonly life: string
}

type Status = 'committed' | 'aborted' | 'unknown'

const statusQuery = `select pg_xact_status($1::xid8) as status, ${SERVER_LIFE} as life`

/** A status that another life of the server gives may be that of another transaction, but only if that one was committed. */
const statusIn = (
  { life }: TransactionId,
  row: Readonly<Record<string, unknown>>,
): Status | 'in progress' => {
  const { status } = row
  if (status === 'committed') return life !== '' && row['life'] === life ? status : 'unknown'
  return status === 'aborted' || status === 'in progress' ? status : 'unknown'
}

const askOnce = async (
  connect: () => Promise<Connection>,
  transaction: TransactionId,
): Promise<Status | 'in progress'> => {
  const connection = await connect()
  try {
    const { rows } = await connection.ask(statusQuery, [transaction.xid])
    return statusIn(transaction, rows[0] ?? {})
  } finally {
    connection.end()
  }
}

/** Asks until the server knows, for {@link SEARCH} milliseconds at most. Does not throw. */
const findStatus = async (
  connect: () => Promise<Connection>,
  transaction: TransactionId,
): Promise<Status> => {
  const until = performance.now() + SEARCH
  do {
    // A server that does not answer, or knows no such number, may be another one a moment later.
    const status = await askOnce(connect, transaction).catch(() => 'in progress' as const)
    if (status !== 'in progress') return status
    await pause(PAUSE)
  } while (performance.now() < until)
  return 'unknown'
}

/**
 * Commits a transaction. If the connection is lost meanwhile, determines the outcome on another one (I5).
 * @param connect opens that connection
 * @throws ConnectionLost if the transaction was not committed, {@link CommitOutcomeUnknown} if the outcome cannot be determined
 */
export const commit = async (
  connection: Connection,
  statement: string,
  transaction: TransactionId,
  connect: () => Promise<Connection>,
): Promise<void> => {
  try {
    await connection.ask(statement)
  } catch (cause) {
    if (!isFinal(cause)) throw cause
    const status = await findStatus(connect, transaction)
    if (status === 'aborted')
      throw new ConnectionLost('the connection to the database was lost before a commit')
    if (status === 'unknown')
      throw new CommitOutcomeUnknown('the connection to the database was lost during a commit')
  }
}
