import type { Unavailable, ValidationFailed } from '@almoner/domain'
import { type LabelsInUse, makeLoadLabels } from '@almoner/domain/library'
import { actedBy, type Command, firstOf } from '../cli/command.ts'
import { readText } from '../composition/files.ts'
import { type CommandFailed, databaseNotAvailable, failed, messageOf, orFail } from '../failure.ts'

const readJson = async (file: string): Promise<unknown> => {
  const text = await readText(file)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw failed(`${file} cannot be read as JSON: ${messageOf(cause)}`)
  }
}

const refusal =
  (file: string) =>
  (failure: ValidationFailed | LabelsInUse | Unavailable): CommandFailed => {
    switch (failure._tag) {
      case 'ValidationFailed':
        return failed(...failure.errors.map(({ field, message }) => `${file}: ${field} ${message}`))
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
    const content = await readJson(file)
    const ports = await service.ports()
    const load = makeLoadLabels(ports)(content, actedBy('labels load', ports))
    const labels = await orFail(load, refusal(file))
    return { text: `${labels} labels`, json: { labels } }
  },
}
