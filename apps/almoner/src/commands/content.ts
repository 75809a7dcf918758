import type { Unavailable, ValidationFailed } from '@almoner/domain'
import {
  type CheckedLink,
  type CheckedTranslation,
  type LabelsInUse,
  type LoadedLabels,
  makeCheckTranslations,
  makeListCheckedLinks,
  makeLoadLabels,
} from '@almoner/domain/content'
import { makeAdoptStorage, makeSweepImages, type SweepStopped } from '@almoner/domain/operations'
import { toRfc3339 } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { actedBy, type Command, firstOf, printBatches, table } from '../cli/command.ts'
import { readJsonTable, rowsRefusal } from '../composition/archives.ts'
import {
  type CommandFailed,
  databaseNotAvailable,
  failed,
  fromDatabase,
  notAvailable,
  orFail,
} from '../failure.ts'
import { sweepStoppedText } from '../jobs/jobs.ts'

const refusal =
  (file: string, table: Parameters<typeof rowsRefusal>[1]) =>
  (failure: ValidationFailed | LabelsInUse | Unavailable): CommandFailed => {
    switch (failure._tag) {
      case 'ValidationFailed':
        return rowsRefusal(file, table, failure.errors)
      case 'LabelsInUse':
        return failed(
          `${file}: lacks labels that items carry or notifications to be sent have: ${failure.labelIds.join(', ')}. Keep them, or detach them first`,
        )
      default:
        return databaseNotAvailable(failure)
    }
  }

const lostText = ({ people, everything }: LoadedLabels): string =>
  people === 0
    ? ''
    : `; people who followed a removed one: ${people}, of whom ${everything} now follow everything`

/** `labels load FILE`: replaces all labels with those of the file, or names every bad row and changes nothing (E1). */
export const loadLabels: Command = {
  usage: 'labels load <FILE>',
  summary: 'replace all labels with those in a JSON file',
  async run({ args, service }) {
    const file = firstOf(args)
    const table = await readJsonTable(file)
    const ports = await service.ports()
    const load = makeLoadLabels(ports)(table.rows, actedBy('labels load', ports))
    const loaded = await orFail(load, refusal(file, table))
    return { text: `${loaded.labels} labels${lostText(loaded)}`, json: loaded }
  },
}

/** The heads are as wide as the cells below them can be, so that batches align. */
const HEADS = [
  ...['ITEM'.padEnd(36), 'LANG', 'STATUS'.padEnd(8), 'COUNTERPART'.padEnd(36)],
  ...['FINDING'.padEnd(23), 'CHANGED'.padEnd(26), 'TITLE'],
]

const documentOf = ({ item, counterpart, ...rest }: CheckedTranslation) => ({
  ...{ itemId: item.id, lang: item.lang, status: item.status },
  ...{ counterpartId: O.isSome(counterpart) ? counterpart.value.id : '', ...rest, itemTitle: item.title },
})

/** `check translations`: prints findings while it reads the library, which may not fit into memory. */
export const checkTranslations: Command = {
  usage: 'check translations',
  summary: 'list publications whose counterpart in the other language is missing, not Live or newer',
  async run(call) {
    const checked = await fromDatabase(makeCheckTranslations(await call.service.ports())())
    const rows = (batch: ReadonlyArray<CheckedTranslation>) =>
      batch.map((one) => Object.values(documentOf(one)).map((cell) => [cell].flat().join(', ')))
    return printBatches(
      checked.batches,
      { table: (batch) => table(HEADS, rows(batch)), document: documentOf },
      call,
    )
  },
}

const LINK_HEADS = [
  'ITEM'.padEnd(36),
  'VERDICT',
  'ANSWER'.padEnd(12),
  'CHECKED'.padEnd(24),
  'FIELD'.padEnd(18),
  'LINK',
]

const linkDocument = ({ finding: { at, gone: _, ...rest } }: CheckedLink) => ({ ...rest, at: toRfc3339(at) })

/** `check links`: prints the links of Live items and what they answered last (C17). */
export const checkLinks: Command = {
  usage: 'check links',
  summary: 'list the links of Live items, what they answered last and when',
  async run(call) {
    const ports = await call.service.ports()
    const checked = await fromDatabase(makeListCheckedLinks(ports)())
    const rows = (batch: ReadonlyArray<CheckedLink>) =>
      batch.map(({ finding: { itemId, verdict, answer, at, field, url } }) => [
        ...[itemId, verdict.padEnd(7), answer, toRfc3339(at), field, url],
      ])
    const printed = {
      table: (batch: ReadonlyArray<CheckedLink>) => table(LINK_HEADS, rows(batch)),
      document: linkDocument,
    }
    return printBatches(checked.batches, printed, call)
  },
}

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
