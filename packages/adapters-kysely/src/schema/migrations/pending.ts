import * as E from 'fp-ts/lib/Either.js'
import type { MigrationMark } from './migration.ts'
import type { SchemaFault } from './schema-fault.ts'

const faultOf =
  (known: ReadonlyArray<MigrationMark>) =>
  (applied: MigrationMark): ReadonlyArray<SchemaFault> => {
    const ours = known.find(({ name }) => name === applied.name)
    if (ours === undefined) return [{ _tag: 'MigrationUnknown', name: applied.name }]
    return ours.checksum === applied.checksum ? [] : [{ _tag: 'MigrationChanged', name: applied.name }]
  }

/** Those of the known migrations that are still to be applied, in order; or why this history is not ours. */
export const pendingMigrations = <M extends MigrationMark>(
  known: ReadonlyArray<M>,
  applied: ReadonlyArray<MigrationMark>,
): E.Either<SchemaFault, ReadonlyArray<M>> => {
  const [fault] = applied.flatMap(faultOf(known))
  if (fault !== undefined) return E.left(fault)
  const names = new Set(applied.map(({ name }) => name))
  const skipped = known.slice(0, applied.length).find(({ name }) => !names.has(name))
  return skipped === undefined
    ? E.right(known.slice(applied.length))
    : E.left({ _tag: 'MigrationSkipped', name: skipped.name })
}
