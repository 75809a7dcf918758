import type { ClientId, Instant, Scope } from '@almoner/domain'
import { type Grant, isRole, isScope, type Role, type TokenDigest } from '@almoner/domain/access'
import type { AccessTokens } from '@almoner/domain/ports'
import { MINUTE } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { compiledQuery, param } from '../../database/query.ts'
import { purgeExpired, quietly } from '../../database/writes.ts'

const split = (text: string): ReadonlyArray<string> => text.split(' ')

/** Names as one column: separated by spaces, none of which they hold. */
export const namesColumn = (names: ReadonlyArray<Scope | Role>): string => names.join(' ')

/** The scopes of a column, in the order they were written. */
export const scopesOf = (text: string): ReadonlyArray<Scope> => split(text).filter(isScope)

/** The roles of a column, in the order they were written. */
export const rolesOf = (text: string): ReadonlyArray<Role> => split(text).filter(isRole)

const grantOn = () =>
  compiledQuery((db) =>
    db
      .selectFrom('access_token')
      .innerJoin('client', 'client.id', 'access_token.client_id')
      .select([
        'access_token.client_id',
        'access_token.scopes',
        'access_token.expires_at',
        'access_token.life',
        'client.roles',
        'client.email',
      ])
      .where('access_token.digest', '=', param<TokenDigest>(0))
      .where('access_token.expires_at', '>', param<Instant>(1))
      // `isInLife`, for a token of which it is known.
      .where(sql`coalesce(access_token.expires_at - access_token.life, 0)`, '<=', param<number>(2))
      .where('client.disabled', '=', 0)
      .compile(),
  )

const grantOf = (database: Database): AccessTokens['grantOf'] => {
  const grant = grantOn()
  return (digest, now) =>
    database.read(async (db): Promise<O.Option<Grant>> => {
      const [row] = await grant(db, [digest, now, now + MINUTE])
      if (row === undefined) return O.none
      return O.some({
        clientId: row.client_id,
        scopes: scopesOf(row.scopes),
        roles: rolesOf(row.roles),
        email: O.fromNullable(row.email),
        expiresAt: row.expires_at,
        ...(row.life !== null && { issuedAt: (row.expires_at - row.life) as Instant }),
      })
    })
}

const insertOn = () =>
  compiledQuery((db) =>
    db
      .insertInto('access_token')
      .values({
        digest: param<TokenDigest>(0),
        client_id: param<ClientId>(1),
        scopes: param<string>(2),
        expires_at: param<Instant>(3),
        life: param<number | null>(4),
      })
      .compile(),
  )

const add = (database: Database): AccessTokens['add'] => {
  const insert = insertOn()
  return ({ digest, clientId, scopes, expiresAt, life = null }) =>
    quietly(database, async (db) => {
      await insert(db, [digest, clientId, namesColumn(scopes), expiresAt, life])
    })
}

/** Access tokens by their digest (A6). */
export const makeAccessTokens = (database: Database): AccessTokens => ({
  add: add(database),

  grantOf: grantOf(database),

  revoke: (digest, clientId) =>
    database.write(async (db): Promise<E.Either<never, boolean>> => {
      const row = await db
        .deleteFrom('access_token')
        .where('digest', '=', digest)
        .where('client_id', '=', clientId)
        .returning('digest')
        .executeTakeFirst()
      return E.right(row !== undefined)
    }),

  purge: (before) => purgeExpired(database, before, 'access_token'),
})
