import Database from 'better-sqlite3'

interface Named {
  readonly name: string
  readonly type: 'table' | 'index'
}

const NAMES = `select name, type from sqlite_schema where type in ('table', 'index') and name not like 'sqlite\\_%' escape '\\'`

const REFUSALS = ['insert', 'update', 'delete'].map(
  (act) => (name: string) =>
    `create trigger "host_${act}_${name}" before ${act} on "${name}" begin select raise(abort, 'a table of the host'); end`,
)

/** Returns the names of the tables and indexes in a file. */
export const namesIn = (file: string): ReadonlyArray<Named> => {
  const database = new Database(file, { readonly: true })
  try {
    return database.prepare<[], Named>(NAMES).all()
  } finally {
    database.close()
  }
}

/**
 * Gives a file tables and indexes of a host with the names that the service's have without their prefix. A statement that forgets the prefix finds
 * no column there and may write nothing; each table has a row, so that none counts as empty.
 */
export const addTablesOfHost = (file: string, prefix: string): void => {
  const ours = namesIn(file).filter(({ name }) => name.startsWith(prefix))
  const database = new Database(file)
  try {
    for (const { name: whole, type } of ours) {
      const name = whole.slice(prefix.length)
      if (type === 'index') database.exec(`create index "${name}" on host (host)`)
      else {
        database.exec(`create table if not exists host (host integer); create table "${name}" (host integer)`)
        database.exec(`insert into "${name}" values (1)`)
        for (const refusal of REFUSALS) database.exec(refusal(name))
      }
    }
  } finally {
    database.close()
  }
}
