import { Email, type Unavailable } from '@almoner/domain'
import type { InsufficientRole } from '@almoner/domain/access'
import type { LastOperator, NoSession } from '@almoner/domain/managers'
import type { UserNotFound } from '@almoner/domain/people'
import { isNothing, personalDocument } from '@almoner/domain/personal-data'
import type { ErasureUnfinished } from '@almoner/domain/ports'
import { argument } from '../../cli/arguments.ts'
import { actedBy, type Command, firstOf, jsonOnly } from '../../cli/command.ts'
import {
  type CommandFailed,
  databaseNotAvailable,
  failed,
  fromDatabase,
  messageOf,
  orFail,
} from '../../failure.ts'

type EraseFailure =
  | UserNotFound
  | InsufficientRole
  | LastOperator
  | NoSession
  | ErasureUnfinished
  | Unavailable

const unknownUser = (): CommandFailed => failed('nothing is stored about this address')

const notErased = (failure: EraseFailure): CommandFailed => {
  if (failure._tag === 'ErasureUnfinished')
    return failed(
      `the rows are erased, and remains may still be in the files of the database: ${failure.isDiskFull ? 'the disk is full' : messageOf(failure.cause)}`,
      failure.isDiskFull ? 'make room beside the database, and repeat this command' : 'repeat this command',
    )
  if ('cause' in failure) return databaseNotAvailable(failure)
  if (failure._tag === 'UserNotFound') return unknownUser()
  return failed(
    failure._tag === 'LastOperator'
      ? 'this is the last operator who is enabled; make another manager an operator first'
      : 'this person may not be erased',
  )
}

/** `user export EMAIL`: prints everything that the service holds about a person (L2). */
const exportUser: Command = {
  usage: 'user export <EMAIL>',
  summary: 'print everything that is stored about a person, as one JSON document',
  async run({ args, service }) {
    const email = argument('EMAIL', Email, firstOf(args))
    const { personalData } = await service.ports()
    const record = await fromDatabase(personalData.find(email))
    if (isNothing(record)) throw unknownUser()
    return jsonOnly(personalDocument({ email, record }))
  },
}

/** `user erase EMAIL`: erases everything that the service holds about a person (L1). The output does not repeat the address. */
const eraseUser: Command = {
  usage: 'user erase <EMAIL>',
  summary: 'erase everything that is stored about a person',
  async run({ args, service }) {
    const email = argument('EMAIL', Email, firstOf(args))
    const ports = await service.ports()
    const { at, actor } = actedBy('user erase', ports)
    await orFail(ports.personalData.erase(email, at, { actor, action: 'erase-user' }), notErased)
    return { text: 'erased', json: 'success' }
  },
}

export const PERSONAL_DATA_COMMANDS: ReadonlyArray<Command> = [exportUser, eraseUser]
