import { Email } from '@almoner/domain'
import { isNothing, personalDocument } from '@almoner/domain/notifications'
import { argument } from '../../cli/arguments.ts'
import { actedBy, type Command, firstOf, jsonOnly } from '../../cli/command.ts'
import { type CommandFailed, databaseNotAvailable, failed, fromDatabase, orFail } from '../../failure.ts'

const unknownUser = (): CommandFailed => failed('nothing is stored about this address')

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
    await orFail(ports.personalData.erase(email, at, { actor, action: 'erase-user' }), (failure) =>
      failure._tag === 'UserNotFound' ? unknownUser() : databaseNotAvailable(failure),
    )
    return { text: 'erased', json: 'success' }
  },
}

export const PERSONAL_DATA_COMMANDS: ReadonlyArray<Command> = [exportUser, eraseUser]
