// Has the built service that it is loaded into commit each write by itself, as if only one could come at a time: node --import
// ./bench/baseline/alone.ts apps/built/almoner.js serve. Everything else is the service as it is.
import { registerHooks } from 'node:module'

/** The file in which writes are grouped, as the build names it, and what says there how many share a commit. */
const WRITER = 'packages/adapters-sqlite/src/writer.ts'
const GROUP = /const GROUP = \d+/

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context)
    const text = loaded.source?.toString()
    if (!text?.includes(WRITER)) return loaded
    if (!GROUP.test(text)) throw new Error('the writer no longer says how many writes share a commit')
    return { ...loaded, source: text.replace(GROUP, 'const GROUP = 1') }
  },
})
