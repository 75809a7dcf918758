import type { ClientId, Email } from '@almoner/domain'
import type { Act } from '@almoner/domain/access'
import type { Db } from '../../database/database.ts'
import { compiledQuery, param } from '../../database/query.ts'

/** Looks up the binding that an act depends on, and locks it until the transaction ends. */
export type HoldBinding = (db: Db, act: Act | undefined) => Promise<boolean>

/**
 * Makes the function that returns whether the actor of an act is still bound to its user, and keeps erasures out until the transaction ends
 * (L1). It is the first lock of every write for a user: an erasure takes the bindings first, too (ARCHITECTURE.md, Locks).
 */
export const makeHoldBinding = (): HoldBinding => {
  const ofClient = compiledQuery((db) =>
    db.selectFrom('client').select('email').where('id', '=', param<ClientId>(0)).forShare().compile(),
  )
  const ofPerson = compiledQuery((db) =>
    db.selectFrom('user_number').select('email').where('id', '=', param<number>(0)).forShare().compile(),
  )
  return async (db, act) => {
    if (act?.boundTo === undefined) return true
    const { actor, boundTo } = act
    const [row] =
      actor.kind === 'person' ? await ofPerson(db, [Number(actor.id)]) : await ofClient(db, [actor.id])
    return row?.email === boundTo
  }
}

/**
 * Ends the bindings of clients to a user, and locks the number that binds the sessions of a manager. Waits for the writes that hold one of them.
 * Returns how many clients it unbound.
 */
export const endBindings = async (db: Db, email: Email): Promise<number> => {
  const clients = await db
    .selectFrom('client')
    .select('id')
    .where('email', '=', email)
    .orderBy('id')
    .forUpdate()
    .execute()
  const ids = clients.map(({ id }) => id)
  if (ids.length > 0) await db.updateTable('client').set({ email: null }).where('id', 'in', ids).execute()
  await db.selectFrom('user_number').select('id').where('email', '=', email).forUpdate().execute()
  return ids.length
}
