import { createHash } from 'node:crypto'
import type { Db, SqlDialect } from '../../database/database.ts'

/** One step of the schema's history. It never changes once it has been released: another one follows it. */
export interface Migration {
  /** Begins with a number: migrations are applied in the order of their names. */
  readonly name: string
  /** Its text for an engine. */
  readonly statements: (dialect: SqlDialect) => ReadonlyArray<string>
  /** Computes rows that SQL cannot, after the statements and in the same transaction. */
  readonly fill?: (db: Db, dialect: SqlDialect) => Promise<void>
}

/** Returns the SHA-256 of a migration's text for an engine. A test pins the released ones. */
export const checksumOf = ({ statements }: Migration, dialect: SqlDialect): string =>
  createHash('sha256').update(statements(dialect).join(';\n')).digest('hex')
