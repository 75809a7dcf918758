import type { Kysely } from 'kysely'
import type { Tables } from '../schema/schema.ts'

/** A handle on the tables: every statement runs on the connection behind it. */
export type Db = Kysely<Tables>
