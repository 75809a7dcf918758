import { createHash } from 'node:crypto'
import type { SqlDialect } from '../../database/database.ts'

/** One step of the schema's history. It never changes once it has been released: another one follows it. */
export interface Migration {
  /** Begins with a number: migrations are applied in the order of their names. */
  readonly name: string
  /** Its text for an engine. It names no schema: that of the connection holds the tables. */
  readonly statements: (dialect: SqlDialect) => ReadonlyArray<string>
}

/** Returns the SHA-256 of a migration's text for an engine. A test pins the released ones. */
export const checksumOf = ({ statements }: Migration, dialect: SqlDialect): string =>
  createHash('sha256').update(statements(dialect).join(';\n')).digest('hex')
