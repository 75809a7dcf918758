import type { Unavailable, ValidationFailed } from '@almoner/domain'
import { type LabelsInUse, makeLoadLabels } from '@almoner/domain/content'
import { actedBy, type Command, firstOf } from '../cli/command.ts'
import { readJsonTable, rowsRefusal } from '../composition/files.ts'
import { type CommandFailed, databaseNotAvailable, failed, orFail } from '../failure.ts'

const refusal =
  (file: string, table: Parameters<typeof rowsRefusal>[1]) =>
  (failure: ValidationFailed | LabelsInUse | Unavailable): CommandFailed => {
    switch (failure._tag) {
      case 'ValidationFailed':
        return rowsRefusal(file, table, failure.errors)
      case 'LabelsInUse':
        return failed(
          `${file}: lacks labels that items carry: ${failure.labelIds.join(', ')}. Keep them, or detach them first`,
        )
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
    const table = await readJsonTable(file)
    const ports = await service.ports()
    const load = makeLoadLabels(ports)(table.rows, actedBy('labels load', ports))
    const labels = await orFail(load, refusal(file, table))
    return { text: `${labels} labels`, json: { labels } }
  },
}
