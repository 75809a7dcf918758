import type { Unavailable } from '@almoner/domain'
import { makeAdoptStorage, makeSweepImages, type SweepStopped } from '@almoner/domain/operations'
import type { Command } from '../cli/command.ts'
import { type CommandFailed, failed, notAvailable, orFail } from '../failure.ts'
import { sweepStoppedText } from '../jobs/sweep-text.ts'

const failure = (why: SweepStopped | Unavailable): CommandFailed =>
  why._tag === 'SweepStopped'
    ? failed(sweepStoppedText(why))
    : notAvailable('the database or the image storage')(why)

/** `media sweep [--confirm]`: deletes images that nothing references (D5). A stopped sweep fails with the reason and the fix (D6). */
const sweepMedia: Command<{ readonly confirm?: true }> = {
  usage: 'media sweep',
  summary: 'delete images that nothing references and that are older than an hour',
  options: [['--confirm', 'delete them even if they are many; never images of another database']],
  async run({ options, service }) {
    const ports = { ...(await service.ports()), ...(await service.media()) }
    const sweep = makeSweepImages(ports)({ isConfirmed: options.confirm === true })
    const { uploads, portfolio } = await orFail(sweep, failure)
    const text = `${uploads} uploads and ${portfolio} portfolio images deleted`
    return { text, json: { uploads, portfolio } }
  },
}

/** `media adopt`: gives the image storage the identity of the database (D6). */
const adoptMedia: Command = {
  usage: 'media adopt',
  summary: 'assign the image storage to this database',
  async run({ service }) {
    const ports = { ...(await service.ports()), ...(await service.media()) }
    await orFail(makeAdoptStorage(ports)(), failure)
    return { text: 'the image storage belongs to this database now', json: { adopted: true } }
  },
}

export const MEDIA_COMMANDS: ReadonlyArray<Command> = [sweepMedia, adoptMedia]
