import type { Command } from 'commander'
import type { Work } from '../../cli/command.ts'
import { type Act, command, type Json } from '../../cli/command-line.ts'
import type { Terminal } from '../../cli/terminal.ts'
import type { ArchiveOptions } from './export.ts'

type Options = Json & ArchiveOptions & { readonly dryRun?: true }

/** A command whose code is loaded when it runs: it is large, and seldom needed. */
const lazily =
  (load: () => Promise<Work>): Work =>
  (settings) =>
  async () =>
    (await load())(settings)()

/** Adds the commands that write and read archives. */
export const addArchiveCommands = (program: Command, act: Act, terminal: Terminal): void => {
  const add = (
    [name, description]: readonly [string, string],
    load: (file: string, options: Options) => Promise<Work>,
  ): Command =>
    command(program, `${name} <FILE>`, description).action((file: string, options: Options) =>
      act(
        lazily(() => load(file, options)),
        options,
      ),
    )
  const strict = ['--strict', 'write nothing when an image is missing'] as const
  add(['export', 'write everything, images included, to one archive'], async (file, options) =>
    (await import('./export.ts')).exportAll(file, options, terminal),
  ).option(...strict)
  add(['import', 'make an empty service the one that was exported'], async (file, options) =>
    (await import('./import.ts')).importAll(file, options, terminal),
  ).option('--dry-run', 'check the archive without writing anything')
  add(['backup', 'copy the SQLite database and its images to one file'], async (file, options) =>
    (await import('./backup.ts')).backUp(file, options, terminal),
  ).option(...strict)
  add(['restore', 'make an empty service that does not run the one of a backup'], async (file) =>
    (await import('./restore.ts')).restoreAll(file, terminal),
  )
}
