/** A file that pages of the console load, in every form that the server sends. */
export interface ConsoleAsset {
  readonly contentType: string
  readonly bytes: Uint8Array
  readonly brotli: Uint8Array
  readonly gzip: Uint8Array
}

/** The built console: its two HTML pages, and its files by name. A file's name changes with its content, so it can be cached for ever. */
export interface ConsoleAssets {
  readonly pages: { readonly app: string; readonly signIn: string }
  readonly files: ReadonlyMap<string, ConsoleAsset>
}

/** The console as it was bundled, with the paths of the modules in it, whose licences a distribution names. */
export interface BundledConsole extends ConsoleAssets {
  readonly modules: ReadonlyArray<string>
}
