import { createHash } from 'node:crypto'
import type { SqlDialect } from '../../database/database.ts'

/** One step of the schema's history. A step that was ever released is never edited: a new one follows it. */
export interface Migration {
  /** Begins with a number: steps are applied in the order of their names. */
  readonly name: string
  /** Its text for an engine. It never changes once it has been released. */
  readonly statements: (dialect: SqlDialect) => ReadonlyArray<string>
}

/** A migration as a database remembers it. */
export interface MigrationMark {
  readonly name: string
  readonly checksum: string
}

/** A migration with the text it has for one engine. */
export interface PreparedMigration extends MigrationMark {
  readonly statements: ReadonlyArray<string>
}

/** The migration's text for an engine, and that text's SHA-256. */
export const prepared =
  (dialect: SqlDialect) =>
  ({ name, statements }: Migration): PreparedMigration => {
    const texts = statements(dialect)
    const checksum = createHash('sha256').update(texts.join(';\n')).digest('hex')
    return { name, checksum, statements: texts }
  }
