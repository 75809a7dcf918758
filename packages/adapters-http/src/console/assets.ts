/** A file of the console's pages, compressed when it was built. */
export interface ConsoleAsset {
  readonly contentType: string
  readonly bytes: Uint8Array
  readonly brotli: Uint8Array
  readonly gzip: Uint8Array
}

/** The pages of the console, and the files that they load. */
export interface ConsoleAssets {
  /** HTML: the application, and the sign-in page, which works without the application. */
  readonly pages: { readonly app: string; readonly signIn: string }
  /** By name, as `app-<hash>.js`: a name never gets another content. */
  readonly files: ReadonlyMap<string, ConsoleAsset>
}
