import { isBuiltin } from 'node:module'
import type { Plugin } from 'rolldown'

const MARK = '\0builtin:'

/** What Fastify and the client of Prometheus ask for, and hardly ever use: HTTP/2 and TLS take 6 MB. */
const SELDOM: ReadonlySet<string> = new Set(['node:http2', 'node:https', 'https'])

/** Asks for a module once something of it is read. */
const later = (name: string): string =>
  `module.exports = new Proxy({}, { get: (_, key) => process.getBuiltinModule('${name}')[key] })`

const atOnce = (name: string): string => `module.exports = process.getBuiltinModule('${name}')`

/**
 * Loads Node's modules with `getBuiltinModule`. An import would read all their exports, and so load unused code: Web Crypto, an HTTP client,
 * terminal streams.
 */
export const builtinsAsAsked: Plugin = {
  name: 'builtins-as-asked',
  // What rolldown itself adds to a bundle begins with `node:module`, before there is anything else.
  resolveId: (name, _importer, { kind }) => {
    if (kind === 'import-statement' && isBuiltin(name) && name !== 'node:module') return `${MARK}${name}`
    return kind === 'require-call' && SELDOM.has(name) ? `${MARK}later:${name}` : null
  },
  load: (id) => {
    if (!id.startsWith(MARK)) return null
    const name = id.slice(MARK.length)
    return name.startsWith('later:') ? later(name.slice('later:'.length)) : atOnce(name)
  },
}
