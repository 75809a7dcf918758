import { DatabaseUnavailable } from '@almoner/adapters-kysely'
import { CompiledQuery } from 'kysely'
import type pg from 'pg'
import { DatabaseRefused, faultOf, isFinal } from './fault.ts'
import { NAME } from './guard.ts'
import { ANSWER, type HostKysely } from './limits.ts'
import { SET_NAMES, type Session, within } from './session.ts'

const NOT_POSTGRES = 'the Kysely instance is not of PostgreSQL: give openSqlite the file of one of SQLite'
const NOT_PG =
  'the Kysely instance does not use its PostgresDialect with the driver pg, whose settings of types are needed: pass one that does, or the pool'

/** Milliseconds for which a connection of the host is waited for. */
const WAIT = 10_000

/** Names of the classes that an object is of: a host may have another copy of Kysely. */
const classesOf = (value: object): ReadonlyArray<string> => {
  const found = Object.getPrototypeOf(value) as object | null
  return found === null ? [] : [found.constructor.name, ...classesOf(found)]
}

/** @throws DatabaseRefused unless the dialect of an instance is that of PostgreSQL */
export const checkDialect = (kysely: HostKysely): void => {
  if (!classesOf(kysely.getExecutor().adapter).includes('PostgresAdapter'))
    throw new DatabaseRefused(NOT_POSTGRES)
}

/**
 * A query with parsers of types, which the host may have set otherwise. Kysely hands its text on to pg, which takes an object with text and parsers in
 * its place.
 */
const queryOf = (
  text: string,
  values: ReadonlyArray<unknown>,
  types: pg.CustomTypesConfig,
): CompiledQuery => ({
  ...CompiledQuery.raw(text, [...values]),
  sql: Object.assign(new String(text), { text, types }) as unknown as string,
})

type Rows = Array<Record<string, unknown>>

/** Texts with several statements are sent one by one: Kysely gives the rows of one alone. None of them has a semicolon in a value. */
const statementsIn = (text: string): ReadonlyArray<string> => text.split(/;\s*/)

const SAVED = [...SET_NAMES, 'search_path', NAME].map((name) => `'${name}'`).join(', ')

const SAVE = `select name, current_setting(name, true) as value from unnest(array[${SAVED}]) as named (name)`
const RESTORE = `select set_config(key, coalesce(value, ''), false) from json_each_text($1::json) where value is not null`

const CHECK = 'select 9007199254740991::int8 as number'

/** Borrows a connection of a host as a session. Ending it undoes its settings and gives it back. */
export const borrowSession = async (kysely: HostKysely, types: pg.CustomTypesConfig): Promise<Session> => {
  const given = Promise.withResolvers<HostKysely>()
  const ended = Promise.withResolvers<void>()
  const broken = Promise.withResolvers<void>()
  kysely
    .withoutPlugins()
    .connection()
    .execute((connection) => {
      given.resolve(connection)
      return ended.promise
    })
    .catch((cause) => given.reject(faultOf(cause)))
  const connection = await within(WAIT, given.promise).catch((cause) => {
    ended.resolve()
    throw cause
  })
  let [limit, isBroken, isEnded] = [ANSWER, false, false]
  let running: Promise<unknown> = Promise.resolve()

  const send = (text: string, values: ReadonlyArray<unknown>) => {
    const sent = connection.executeQuery<Record<string, unknown>>(queryOf(text, values, types))
    running = sent.catch(() => {})
    return sent
  }
  const run = async (text: string, values: ReadonlyArray<unknown>) => {
    if (isBroken) throw new DatabaseUnavailable('the connection to the database was given back')
    try {
      return await within(limit, send(text, values))
    } catch (cause) {
      const fault = faultOf(cause)
      if (isFinal(fault)) {
        isBroken = true
        broken.resolve()
      }
      throw fault
    }
  }
  const ask = async (text: string, values?: ReadonlyArray<unknown>) => {
    let last: Awaited<ReturnType<typeof run>> = { rows: [] }
    for (const statement of values === undefined ? statementsIn(text) : [text])
      last = await run(statement, values ?? [])
    const { rows, numAffectedRows } = last
    return {
      rows: rows as Rows,
      rowCount: numAffectedRows === undefined ? null : Number(numAffectedRows),
    } as pg.QueryResult<Record<string, unknown>>
  }
  const saved = new Map<string, unknown>()
  /** A connection that still works for a statement is given back when that ends: its next user would wait for it. */
  const giveBack = async () => {
    await running
    try {
      await send('rollback', [])
      await send(RESTORE, [JSON.stringify(Object.fromEntries(saved))])
    } finally {
      ended.resolve()
    }
  }
  const end = () => {
    if (isEnded) return
    isEnded = true
    isBroken = true
    void giveBack().catch(() => {})
  }
  try {
    const [row] = (await ask(CHECK)).rows
    if (row?.['number'] !== Number.MAX_SAFE_INTEGER) throw new DatabaseRefused(NOT_PG)
    for (const { name, value } of (await ask(SAVE)).rows) saved.set(String(name), value)
  } catch (cause) {
    end()
    throw cause
  }
  return {
    ask,
    setTimeout: (milliseconds = ANSWER) => {
      limit = milliseconds
    },
    isBroken: () => isBroken,
    // A host's instance hands no notifications on.
    listen: (on) => void broken.promise.then(on.broken),
    end,
  }
}
