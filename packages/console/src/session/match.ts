/** The properties of the component of a page: the values of the named parts of its path. */
export interface PageProps {
  readonly params: Readonly<Record<string, string>>
}

/** A page that a path leads to, with the values of the named parts of its path. */
export interface Match<Page> {
  readonly page: Page
  readonly params: PageProps['params']
}

const paramsOf = (pattern: string, path: string): Readonly<Record<string, string>> | undefined => {
  const [names, values] = [pattern.split('/'), path.replace(/\/$/, '').split('/')]
  if (names.length !== values.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, name] of names.entries()) {
    const value = values[index] ?? ''
    if (name.startsWith(':') && value !== '') params[name.slice(1)] = value
    else if (name !== value) return undefined
  }
  return params
}

/** Returns the first page whose path matches; `:name` stands for one segment. */
export const matchPath = <Page extends { readonly path: string }>(
  pages: ReadonlyArray<Page>,
  path: string,
): Match<Page> | undefined => {
  for (const page of pages) {
    const params = paramsOf(page.path, path)
    if (params !== undefined) return { page, params }
  }
  return undefined
}
