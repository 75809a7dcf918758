import type { Value } from './checks.ts'
import { CONTENT_TABLES } from './content-tables.ts'
import { HISTORY_TABLES } from './history-tables.ts'
import { SENDING_TABLES } from './sending-tables.ts'
import type { TransferTable } from './table.ts'

/**
 * The exported tables, each after the tables that its rows reference; images first. Access tokens, last uses of clients, idempotency keys, nodes
 * and the identity of the image storage are not exported.
 */
export const TRANSFER_TABLES: ReadonlyArray<TransferTable> = [
  ...CONTENT_TABLES,
  ...SENDING_TABLES,
  ...HISTORY_TABLES,
]

/** Compares keys as the engines order them: numbers by size, text by its bytes. */
export const compareKeys = (a: ReadonlyArray<Value>, b: ReadonlyArray<Value>): number => {
  for (const [i, one] of a.entries()) {
    const other = b[i]
    if (one === other) continue
    return typeof one === 'number' && typeof other === 'number'
      ? one - other
      : Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)))
  }
  return 0
}
