import type { Unavailable, ValidationFailed } from '@almoner/domain'
import { type LabelsInUse, makeLoadLabels } from '@almoner/domain/library'
import { actedBy, type Command, firstOf } from '../cli/command.ts'
import { readJsonTable } from '../composition/files.ts'
import { type CommandFailed, databaseNotAvailable, failed, orFail } from '../failure.ts'

/** The most errors that are named (H4). */
const MOST_ERRORS = 1000

const refusal =
  (file: string) =>
  (failure: ValidationFailed | LabelsInUse | Unavailable): CommandFailed => {
    switch (failure._tag) {
      case 'ValidationFailed':
        return failed(
          ...failure.errors.slice(0, MOST_ERRORS).map(({ field, message }) => `${file}: ${field} ${message}`),
        )
      case 'LabelsInUse':
        return failed(`${file} lacks labels that items carry: ${failure.labelIds.join(', ')}`)
      default:
        return databaseNotAvailable(failure)
    }
  }

/** `labels load FILE`: replaces all labels with those of the file, or names every bad row and changes nothing (E1). */
export const loadLabels: Command = {
  usage: 'labels load <FILE>',
  summary: 'replace all labels with those in a JSON file',
  async run({ args, service }) {
    const file = firstOf(args)
    const content = await readJsonTable(file)
    const ports = await service.ports()
    const load = makeLoadLabels(ports)(content, actedBy('labels load', ports))
    const labels = await orFail(load, refusal(file))
    return { text: `${labels} labels`, json: { labels } }
  },
}
