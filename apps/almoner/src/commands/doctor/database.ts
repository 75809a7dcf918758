import {
  type DatabaseFile,
  databaseFailure,
  LOG_LIMIT,
  type LogHolder,
  type OpenDatabase,
} from '../../composition/database.ts'
import type { Settings } from '../../config/definitions.ts'
import { CommandFailed, failed, orFail } from '../../failure.ts'
import { exists, FIX_READ_ONLY, unwritable, willBeMade } from './files.ts'
import { type Check, type DoctorCode, type Found, fault, ok, warning } from './finding.ts'

const FIX_FILE = 'see that ALMONER_DATABASE is the database of this service, and that this user may write it'
const FIX_SERVER = 'see that the server runs, and that ALMONER_DATABASE leads to it'
const FIX_DAMAGE =
  'go back to the last backup: docs/operations.md, "Go back to a backup"; then look at the disk'
const FIX_PATH = 'see whether ALMONER_DATABASE has a typo and names another file than that of this service'
const FIX_STRANGE = `${FIX_PATH}; if it is the right one, ${FIX_DAMAGE}`
const FIX_EMPTY = `${FIX_PATH}, if this service has data already; a new service needs nothing done`

type Fixes = ReadonlyArray<readonly [message: RegExp, code: DoctorCode, fix: string]>

/** Fixes by the message, for both engines. */
const FIXES: Fixes = [
  [
    /the (?:database has the )?migration \S+(?: is missing)?,/,
    'database-history',
    'run almoner export all.tar with the program that applied the migrations; let ALMONER_DATABASE and ALMONER_MEDIA name a new database and an empty storage, and run almoner import all.tar with this program',
  ],
  [
    /holds tables of something else/,
    'database-foreign',
    'let ALMONER_DATABASE name an empty database, or the one of this service',
  ],
]

/** A file system that the kernel has shut after a fault shows only when something is opened for writing. */
const FILE_FIXES: Fixes = [
  ...FIXES,
  [/EROFS/, 'database-read-only', FIX_READ_ONLY],
  [/malformed/, 'database-damaged', FIX_DAMAGE],
  [/not a database/, 'database-strange', FIX_STRANGE],
]

const SERVER_FIXES: Fixes = [
  ...FIXES,
  [
    /tables of the service (?:are|exist) in/,
    'database-schemas',
    'do what this says: the statement is for the owner of the database',
  ],
  [
    /names no schema that exists/,
    'database-no-schema',
    'create the schema that this names, as the owner of the database',
  ],
  [
    /pooler/,
    'database-pooler',
    'change the mode of the pooler as this says, or let ALMONER_DATABASE name PostgreSQL itself',
  ],
  [
    /\(42501\)/,
    'database-denied',
    'let the role of ALMONER_DATABASE own the tables, as by REASSIGN OWNED BY earlier_owner TO role, or grant it all rights on them',
  ],
  [
    /\((?:28000|28P01)\)/,
    'database-login',
    'mend user and password in ALMONER_DATABASE, or let the server admit this role from here (pg_hba.conf); if it wants encryption, add ?sslmode=verify-full',
  ],
  [
    /\(3D000\)/,
    'database-absent',
    'create the database (CREATE DATABASE), or mend its name in ALMONER_DATABASE',
  ],
  [
    /\(53300\)|no more connections|max clients/i,
    'database-connections',
    'end connections that are not needed, or raise max_connections of the server, or the limit of the role or the database',
  ],
  [
    /takes no writes/,
    'database-standby',
    'let ALMONER_DATABASE name the primary; or make room on its disk, as its host asks, until default_transaction_read_only is off again',
  ],
  [
    /does not have the encoding UTF8/,
    'database-encoding',
    "make a database with ENCODING 'UTF8' TEMPLATE template0, and let ALMONER_DATABASE name it",
  ],
]

const FIX_STANDBY =
  'let ALMONER_DATABASE_READS name standbys of the present primary, or mend this one; the primary answers meanwhile'

const standbyFinding = ({ standbyTrouble }: OpenDatabase): ReadonlyArray<Found> => {
  const trouble = standbyTrouble?.()
  return trouble === undefined ? [] : [warning('database-standby', trouble, FIX_STANDBY)]
}

const ofFailure = (cause: unknown, { database }: Settings): Found => {
  if (!(cause instanceof CommandFailed)) throw cause
  const { message } = cause
  const isServer = database.kind === 'postgres'
  const known = (isServer ? SERVER_FIXES : FILE_FIXES).find(([text]) => text.test(message))
  if (known !== undefined) return fault(known[1], message, known[2])
  return isServer
    ? fault('database-unreachable', message, FIX_SERVER)
    : fault('database-unusable', message, FIX_FILE)
}

const schemaFinding = async ({ migrator }: OpenDatabase, { database }: Settings): Promise<Found> => {
  const { isEmpty, pending } = await orFail(migrator.plan(), databaseFailure)
  if (isEmpty) {
    const what = 'it is empty; serve and every command bring it up to date'
    return database.kind === 'sqlite' ? warning('database-empty', what, FIX_EMPTY) : ok(what)
  }
  return pending.length === 0
    ? ok('it opens, and its schema is current')
    : fault(
        'database-outdated',
        `its schema is older than this program: ${pending.length} pending`,
        'run almoner migrate',
      )
}

const MEBIBYTE = 1024 * 1024

const damageFinding = ([first, ...more]: ReadonlyArray<string>): ReadonlyArray<Found> => {
  if (first === undefined) return []
  const rest = more.length > 0 ? `, and ${more.length} more` : ''
  return [fault('database-damaged', `it is damaged: ${first.replace(/\s+/g, ' ')}${rest}`, FIX_DAMAGE)]
}

/** Names processes, as far as the system says which they are. */
const namesOf = (holders: ReadonlyArray<LogHolder> | undefined): string => {
  if (holders === undefined || holders.length === 0) return 'a process that the system does not name keeps'
  const names = holders.map(({ pid, command }) =>
    pid === 0 ? 'a process in another container' : `process ${pid}${command === '' ? '' : ` (${command})`}`,
  )
  return `${names.join(' and ')} ${names.length === 1 ? 'keeps' : 'keep'}`
}

/** The log is still large after the doctor has closed the database, which empties it. */
const logFinding = async ({ logBytes, logHolders }: DatabaseFile): Promise<ReadonlyArray<Found>> => {
  const bytes = await logBytes()
  if (bytes < LOG_LIMIT) return []
  const names = namesOf(await logHolders())
  const what = `its write-ahead log has ${Math.floor(bytes / MEBIBYTE)} MiB: ${names} reading from an old state`
  return [
    warning(
      'database-log',
      what,
      'end long reads, as of `sqlite3`, `export` or `backup`; else restart the service',
    ),
  ]
}

const erasureFinding = async (file: DatabaseFile): Promise<ReadonlyArray<Found>> =>
  (await file.hasUnfinishedErasure())
    ? [
        fault(
          'erasure-unfinished',
          'an erasure is not finished: the rows are gone, and remains may still be in the file or its log',
          'make room on the disk of the database and end long reads; then repeat almoner user erase EMAIL, or restart the service',
        ),
      ]
    : []

/** Checks that the database opens, has the schema of this program and, in a file, is whole. Closes the service to see the log of the file. */
export const databaseCheck: Check = {
  name: 'database',
  asks: 'the database',
  look: async ({ settings, machine, service }) => {
    const { databaseFile: file } = service
    if (file !== undefined && !(await exists(file.path))) {
      const made = await willBeMade('the database', file.path)
      return [made.level === 'ok' ? warning('database-missing', made.what, FIX_EMPTY) : made]
    }
    const hindrance = file === undefined ? undefined : await unwritable(file.path, machine)
    if (hindrance !== undefined) return [hindrance]
    try {
      const database = await service.database()
      const trouble = database.trouble?.()
      if (trouble !== undefined) throw failed(trouble)
      const found = await schemaFinding(database, settings)
      const ofStandbys = standbyFinding(database)
      await service.close()
      if (file === undefined) return [found, ...ofStandbys]
      const damage = found.level === 'ok' ? damageFinding(await file.faults()) : []
      return [
        ...(damage.length > 0 ? damage : [found]),
        ...(await erasureFinding(file)),
        ...(await logFinding(file)),
      ]
    } catch (cause) {
      return [ofFailure(cause, settings)]
    }
  },
}
