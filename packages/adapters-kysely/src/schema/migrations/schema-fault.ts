/** Why a database is not this program's to work on. Nothing has changed. */
export type SchemaFault =
  /** The database has a migration that this program does not know. */
  | { readonly _tag: 'MigrationUnknown'; readonly name: string }
  /** A migration is missing that precedes an applied one. */
  | { readonly _tag: 'MigrationSkipped'; readonly name: string }
  /** The tables are in another schema of the same database: a second set would hide them from some programs (D6). */
  | { readonly _tag: 'TablesElsewhere'; readonly schema: string }
  /** The database holds tables, none of which are Almoner's. */
  | { readonly _tag: 'ForeignDatabase' }

/** The schema is older than the program. */
export interface SchemaOutdated {
  readonly _tag: 'SchemaOutdated'
  readonly pending: ReadonlyArray<string>
}

/** How data leave a history of migrations that this program cannot continue. */
const WAY_OUT =
  'use the program that applied the migrations; to leave it, export with that program (almoner export all.tar), and import with this one into an empty database (almoner import all.tar)'

/** Returns one line for an operator with the problem and its fix. */
export const schemaFaultText = (fault: SchemaFault | SchemaOutdated): string => {
  switch (fault._tag) {
    case 'MigrationUnknown':
      return `the database has the migration ${fault.name}, which this program does not know: ${WAY_OUT}`
    case 'MigrationSkipped':
      return `the migration ${fault.name} is missing, although later ones are applied: ${WAY_OUT}`
    case 'TablesElsewhere':
      return `the tables of the service are in the schema "${fault.schema}" of this database, and none are made beside them: start again to use those`
    case 'ForeignDatabase':
      return 'the database holds tables of something else: choose an empty one'
    case 'SchemaOutdated':
      return `the database is older than this program (${fault.pending.length} pending): run almoner migrate`
  }
}
