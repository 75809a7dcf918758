import { UnavailableError } from '@almoner/adapters-kysely'
import type { User, Users } from '@almoner/domain'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { notAvailable } from '../../failure.ts'
import type { Terminal } from '../../terminal.ts'
import { onDatabase, PRINTED, type Work } from '../command.ts'
import { userDocument, userTable } from './document.ts'

type Batches = AsyncIterable<ReadonlyArray<User>>

const lines = async function* (batches: Batches) {
  yield `${userTable([])}\n`
  for await (const batch of batches) if (batch.length > 0) yield `${userTable(batch)}\n`.replace(/^.*\n/, '')
}

const json = async function* (batches: Batches) {
  let before = '['
  for await (const batch of batches) {
    if (batch.length === 0) continue
    yield before + batch.map((user) => JSON.stringify(userDocument(user))).join(',')
    before = ','
  }
  yield before === '[' ? '[]\n' : ']\n'
}

const print = async (users: Users, { out }: Terminal, asJson: boolean): Promise<typeof PRINTED> => {
  for await (const part of (asJson ? json : lines)(users.all())) await out(part)
  return PRINTED
}

/** `user list`: every user by email. They are printed as they are read: there may be more than memory should hold. */
export const listUsers = (terminal: Terminal, asJson: boolean): Work =>
  onDatabase(({ users }) =>
    TE.tryCatch(
      () => print(users, terminal, asJson),
      (cause) => {
        if (cause instanceof UnavailableError) return notAvailable('the database')(cause)
        throw cause
      },
    ),
  )
