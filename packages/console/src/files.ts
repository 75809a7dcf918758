/** The names of the HTML pages in a folder of the built console. */
export const PAGE_FILES = { app: 'app.html', signIn: 'sign-in.html' } as const

/** Returns the media type of a file of the console. */
export const contentTypeOf = (name: string): string =>
  name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8'
