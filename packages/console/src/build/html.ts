import { SIGN_IN_BODY } from './sign-in-body.ts'

const ASSETS = '/console/assets/'

/**
 * React Aria adds a style element to pages that lack the element of this id, which the policy forbids (M6). Its one rule is in our
 * style sheet.
 */
const PRESSABLE = '<meta id="react-aria-pressable-style">'

const head = (scripts: ReadonlyArray<string>, style: string): string => {
  const [entry = '', ...imports] = scripts
  const preloads = imports.map((name) => `<link rel="modulepreload" href="${ASSETS}${name}">`).join('')
  return `<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer"><link rel="icon" href="data:,">${PRESSABLE}
<title>Almoner</title><link rel="stylesheet" href="${ASSETS}${style}">${preloads}
<script type="module" src="${ASSETS}${entry}"></script>`
}

/** Returns the page of the console for signed-in people. The first script is the entry, the others are loaded with it. */
export const appPage = (scripts: ReadonlyArray<string>, style: string): string =>
  `<!doctype html><html lang="en"><head>${head(scripts, style)}</head><body><div id="root"></div>
<noscript><p>The console needs JavaScript. · La console a besoin de JavaScript.</p></noscript></body></html>
`

/** Returns the page where people sign in with their link. It works without React. */
export const signInPage = (scripts: ReadonlyArray<string>, style: string): string =>
  `<!doctype html><html lang="en"><head>${head(scripts, style)}</head><body>${SIGN_IN_BODY}</body></html>
`
