import type { Command } from 'commander'
import type { Terminal } from '../../terminal.ts'
import type { Work } from '../command.ts'
import { type Act, command, type Json } from '../command-line.ts'
import type { ArchiveOptions } from './export.ts'

/** A command's work whose program is loaded when it is done: it is large, and seldom needed. */
const later =
  (load: () => Promise<Work>): Work =>
  (settings) =>
  async () =>
    (await load())(settings)()

/** Adds the commands that write and read archives. */
export const addArchiveCommands = (program: Command, act: Act, terminal: Terminal): void => {
  command(program, 'export <FILE>', 'write everything, images included, to one archive')
    .option('--strict', 'write nothing when an image is missing')
    .action((file: string, options: Json & ArchiveOptions) =>
      act(
        later(async () => (await import('./export.ts')).exportAll(file, options, terminal)),
        options,
      ),
    )
  command(program, 'import <FILE>', 'make an empty service the one that was exported')
    .option('--dry-run', 'only tell what is wrong with the archive')
    .action((file: string, options: Json & { dryRun?: true }) =>
      act(
        later(async () => (await import('./import.ts')).importAll(file, options, terminal)),
        options,
      ),
    )
  command(program, 'backup <FILE>', 'copy the SQLite database and its images to one file')
    .option('--strict', 'write nothing when an image is missing')
    .action((file: string, options: Json & ArchiveOptions) =>
      act(
        later(async () => (await import('./backup.ts')).backUp(file, options, terminal)),
        options,
      ),
    )
  command(program, 'restore <FILE>', 'make an empty service that does not run the one of a backup').action(
    (file: string, options: Json) =>
      act(
        later(async () => (await import('./restore.ts')).restoreAll(file, terminal)),
        options,
      ),
  )
}
