import {
  actedBy,
  type Call,
  type Command,
  type CommandOption,
  type CommandOutput,
  firstOf,
} from '../cli/command.ts'
import {
  backUpService,
  exportService,
  importService,
  type Measure,
  restoreService,
} from '../composition/archives.ts'
import { failed, misused } from '../failure.ts'
import type { ShowProgress } from '../terminal.ts'

/** Milliseconds between two updates. */
const INTERVAL = 200

const rounded = (n: number): string => Math.round(n).toLocaleString('en')

/** Describes a step some milliseconds after its start: in per cent, units a second, and the seconds left. */
export const progressText = (step: string, { done, total, units }: Measure, after: number): string => {
  const percent = total === 0 ? 100 : Math.floor((done / total) * 100)
  const rate = (done / Math.max(after, 1)) * 1000
  const left = rate === 0 ? '' : `, ${rounded((total - done) / rate)} s left`
  return `${step}: ${percent} %, ${rounded(rate)} ${units} a second${left}`
}

/** Makes a function that shows each step of an archive, and its rate and remaining time where they can be measured. */
const archiveProgress = (show: ShowProgress): ((step: string, measure?: Measure) => void) => {
  let current = ''
  let [start, shown] = [0, 0]
  return (step, measure) => {
    if (measure === undefined) return show(step)
    const now = performance.now()
    if (step !== current) {
      show(step)
      ;[current, start, shown] = [step, now, now]
    }
    if (now - shown < INTERVAL) return
    shown = now
    show(progressText(step, measure, now - start))
  }
}

interface WriteFlags {
  readonly strict?: true
}

const STRICT: ReadonlyArray<CommandOption> = [['--strict', 'write nothing if an image is missing']]

/** The greatest number of images that a message names. */
const NAMED = 20

const listText = (paths: ReadonlyArray<string>): string => {
  const names = paths.slice(0, NAMED).join(', ')
  const more = paths.length > NAMED ? ` and ${paths.length - NAMED} more` : ''
  return `${paths.length === 1 ? '1 image' : `${paths.length} images`}: ${names}${more}`
}

const writeOptions = ({ args, options, progress }: Call<WriteFlags>) => ({
  file: firstOf(args),
  isStrict: options.strict === true,
  onProgress: archiveProgress(progress),
})

/** Fails if images are missing, although all the rest was written. */
const written = (
  file: string,
  text: string,
  archive: { readonly missing: ReadonlyArray<string>; readonly bytes: number },
): CommandOutput => ({
  text: `${text} in ${file} (${archive.bytes} bytes)`,
  json: { file, ...archive },
  failure:
    archive.missing.length === 0
      ? undefined
      : failed(
          `missing from the media store: ${listText(archive.missing)}`,
          'all the rest was written; the archive lists them too',
        ),
})

const withMissing = (text: string, paths: ReadonlyArray<string>): string =>
  paths.length === 0 ? text : `${text}\nmissing when the archive was written: ${listText(paths)}`

/** Writes an archive to standard output, and its summary to stderr. */
const exportToOutput = async (call: Call<WriteFlags>): Promise<undefined> => {
  const { service, terminal } = call
  const file = 'standard output'
  const done = await exportService(service, { ...writeOptions(call), file }, async (chunks) => {
    for await (const chunk of chunks) {
      const fault = await terminal.outBytes?.(chunk)
      if (fault instanceof Error) throw failed(`the archive is not complete: ${fault.message}`)
    }
  })
  const { text, failure } = written(file, `${done.rows} rows and ${done.images} images`, done)
  terminal.err(`${text}\n`)
  if (failure !== undefined) throw failure
}

/** `export FILE [--strict]`: writes everything but access tokens to one archive, while the service runs. Names missing images afterwards. */
const exportCommand: Command<WriteFlags> = {
  usage: 'export <FILE>',
  summary: 'write all data and images to one archive; - for standard output',
  options: STRICT,
  async run(call) {
    if (firstOf(call.args) === '-') return exportToOutput(call)
    const done = await exportService(call.service, writeOptions(call))
    return written(firstOf(call.args), `${done.rows} rows and ${done.images} images`, done)
  },
}

/** `import FILE [--dry-run]`: imports an export into an empty service, or names everything that is wrong with it and changes nothing. */
const importCommand: Command<{ readonly dryRun?: true }> = {
  usage: 'import <FILE>',
  summary: 'import an archive into an empty service',
  options: [['--dry-run', 'only validate the archive']],
  async run({ args, options, service, progress }) {
    const [file, dryRun] = [firstOf(args), options.dryRun === true]
    const by = actedBy('import', await service.ports())
    const done = await importService(service, { file, dryRun, by, onProgress: archiveProgress(progress) })
    const { rows, images, missing } = done
    const text = dryRun
      ? `${rows} rows and ${images} images could be imported. Nothing was changed.`
      : `${rows} rows and ${images} images imported`
    return { text: withMissing(text, missing), json: { file, dryRun, rows, images, missing } }
  },
}

/** `backup FILE [--strict]`: writes a checked copy of the SQLite database and its images to one file, while the service runs. */
const backupCommand: Command<WriteFlags> = {
  usage: 'backup <FILE>',
  summary: 'copy the SQLite database and its images to one file',
  options: STRICT,
  async run(call) {
    if (firstOf(call.args) === '-') throw misused('a backup is written to a file: give its name')
    const done = await backUpService(call.service, writeOptions(call))
    return written(firstOf(call.args), `the database and ${done.images} images`, done)
  },
}

/** `restore FILE`: restores a backup into an empty service that does not run. `almoner migrate` or the next start migrates an older one. */
const restoreCommand: Command = {
  usage: 'restore <FILE>',
  summary: 'restore a backup into an empty, stopped service',
  async run({ args, service, progress }) {
    const file = firstOf(args)
    const { images, missing } = await restoreService(service, { file, onProgress: archiveProgress(progress) })
    const text = withMissing(`the database and ${images} images restored`, missing)
    return { text, json: { file, images, missing } }
  },
}

export const ARCHIVE_COMMANDS: ReadonlyArray<Command> = [
  exportCommand,
  importCommand,
  backupCommand,
  restoreCommand,
]
