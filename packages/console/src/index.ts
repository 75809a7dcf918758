import type { ConsoleAssets } from './assets.ts'

export type { ConsoleAsset, ConsoleAssets } from './assets.ts'
export { readConsole } from './assets.ts'
export { noticesOf } from './build/notices.ts'

/**
 * Builds the console from its sources, in memory, in about a second. Works in a checkout only, because a published package brings the
 * built files: use `readConsole` there. Rejects with the bundler's error.
 */
export const buildConsole = async (): Promise<ConsoleAssets> =>
  (await import('./build/bundle.ts')).bundleConsole()

/**
 * Builds the console from its sources into a folder, from which `readConsole` reads it. Replaces the folder. Returns the
 * paths of the bundled modules. Works in a checkout only.
 */
export const writeConsole = async (folder: string): Promise<ReadonlyArray<string>> =>
  (await import('./build/bundle.ts')).writeConsole(folder)
