import { ClientId, type ClientNotFound, decode, type Unavailable } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type Failure, failed, misused, notAvailable } from '../../cli/failure.ts'

/** A client id that could be one. */
export const knownForm = (text: string): E.Either<Failure, ClientId> =>
  pipe(
    decode(ClientId)(text),
    E.mapLeft(({ faults: [first] }) => misused(`ID ${first.message}`)),
  )

/** Why nothing was done to a client. */
export const clientFailure =
  (id: ClientId) =>
  (fault: ClientNotFound | Unavailable): Failure =>
    fault._tag === 'ClientNotFound' ? failed(`there is no client ${id}`) : notAvailable('the database')(fault)
