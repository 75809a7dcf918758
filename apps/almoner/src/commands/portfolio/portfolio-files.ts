import { type PortfolioSource, type PortfolioTable, REQUIRED_TABLES } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { FileFault } from './file-fault.ts'
import type { TableFile } from './table-file.ts'

/** A portfolio as its files hold it, read but not yet checked. */
export interface PortfolioFiles {
  readonly source: PortfolioSource
  readonly tables: Readonly<Partial<Record<PortfolioTable, TableFile>>>
  /** Where the name stands. */
  readonly name: { readonly file: string; readonly line: number }
  /** The folder that holds `logo` and `visual`. */
  readonly images: string
  /** What a person should be told of a table that is missing. */
  readonly missing: (table: PortfolioTable) => FileFault
  /** What is wrong with the files that their rows do not show. */
  readonly faults: ReadonlyArray<FileFault>
}

/** The tables that were read; or all that is wrong with those that could not be. */
export type ReadTables = ReadonlyArray<
  readonly [PortfolioTable, E.Either<ReadonlyArray<FileFault>, TableFile>]
>

/** The files as one portfolio; or the faults that keep it from being looked at any further. */
export const gather = (
  read: ReadTables,
  rest: Pick<PortfolioFiles, 'name' | 'images' | 'missing' | 'faults'> & { readonly called: unknown },
): E.Either<ReadonlyArray<FileFault>, PortfolioFiles> => {
  const unreadable = read.flatMap(([, table]) => (E.isLeft(table) ? table.left : []))
  const names = read.map(([name]) => name)
  const absent = REQUIRED_TABLES.filter((table) => !names.includes(table)).map(rest.missing)
  // What refers to rows that could not be read is no fault of its own.
  if (unreadable.length + absent.length > 0) return E.left([...rest.faults, ...unreadable, ...absent])
  const tables = Object.fromEntries(
    read.flatMap(([name, table]) => (E.isRight(table) ? [[name, table.right]] : [])),
  ) as PortfolioFiles['tables']
  const rows = Object.entries(tables).map(([name, table]) => [name, table.rows])
  const { called, ...more } = rest
  return E.right({
    ...more,
    tables,
    source: { name: called, tables: Object.fromEntries(rows) },
    faults: [...rest.faults, ...Object.values(tables).flatMap(({ faults }) => faults)],
  })
}
