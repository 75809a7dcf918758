import type { Kysely } from 'kysely'

/** How many connections a pool may have: for everything, and besides those for streams. Hosts name it, so it stands apart from types of the driver. */
export interface PoolSize {
  readonly requests: number
  readonly streams: number
}

/** Milliseconds for reaching one server, until it has said who it is. */
export const CONNECT = 2000

/** Milliseconds after which a statement without an answer is given up, and its connection with it: the server is not there. */
export const ANSWER = 4000

/** Milliseconds after which the server itself gives a statement up: a little earlier, so that the connection lives on. */
export const STATEMENT = 3500

/** As {@link STATEMENT}, for a statement that counts a whole table: of hundreds of millions of rows, on a disk. */
export const COUNTING = 120_000

/** Milliseconds that a statement waits for another's lock. */
export const LOCK = 3000

/** Milliseconds after which the server undoes a transaction whose process says nothing more, and frees what it holds. */
export const SILENCE = 30_000

/** An open `pg.Pool` of any version of pg, from which only the settings of its connections are used. */
export interface PostgresPool {
  /** As they were given to the pool. */
  readonly options: object
  readonly totalCount: number
}

/** A Kysely instance of a host, with any tables. */
// biome-ignore lint/suspicious/noExplicitAny: the tables are the host's.
export type HostKysely = Kysely<any>
