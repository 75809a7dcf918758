import { createRequire, isBuiltin } from 'node:module'
import type { Plugin } from 'rolldown'

const MARK = '\0builtin:'
const LATER = `${MARK}later:`

/** Modules of Node that only few requests or commands need: HTTP/2 and TLS take 6 MB, zlib 4 ms of a start. */
const SELDOM: ReadonlySet<string> = new Set(
  ['http2', 'https', 'zlib', 'readline'].flatMap((name) => [name, `node:${name}`]),
)

/** A package that the client of Prometheus asks for, and uses only for exemplars. */
const SELDOM_PACKAGE = '@opentelemetry/api'

/** A package that `@fastify/static` asks for, and uses only where it adds a route for each file: it takes 6 ms of a start. */
const UNUSED = 'glob'

/** Asks for a module once something of it is read. */
const later = (names: ReadonlyArray<string>, module: string): string =>
  `module.exports = new Proxy({}, { ownKeys: () => ${JSON.stringify(names)}, get: (_, key) => ${module}[key] })`

const builtin = (name: string): string => `process.getBuiltinModule('${name}')`

const require = createRequire(import.meta.url)

/**
 * Loads Node's modules with `getBuiltinModule`. An import would read all their exports, and so load unused code: Web Crypto, an HTTP client,
 * terminal streams.
 */
export const builtinsAsAsked: Plugin = {
  name: 'builtins-as-asked',
  async resolveId(name, importer, { kind }) {
    if (kind === 'require-call' && name === SELDOM_PACKAGE) {
      const found = await this.resolve(name, importer, { kind, skipSelf: true })
      return found && `${LATER}${found.id}`
    }
    if (name === UNUSED) return `${MARK}${UNUSED}`
    if (SELDOM.has(name)) return `${LATER}${name}`
    // What rolldown itself adds to a bundle begins with `node:module`, before there is anything else.
    return kind === 'import-statement' && isBuiltin(name) && name !== 'node:module' ? `${MARK}${name}` : null
  },
  load: (id) => {
    if (!id.startsWith(MARK)) return null
    if (id === `${MARK}${UNUSED}`)
      return `module.exports = { ${UNUSED}() { throw new Error('${UNUSED} is not part of the bundle') } }`
    if (!id.startsWith(LATER)) return `module.exports = ${builtin(id.slice(MARK.length))}`
    const name = id.slice(LATER.length)
    return isBuiltin(name)
      ? later(Object.keys(require(name)), builtin(name))
      : later([], `require(${JSON.stringify(name)})`)
  },
}
