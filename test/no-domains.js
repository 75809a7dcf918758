// tap follows every promise of a test process, to know which test a stray error belongs to: that takes up to half of a test's time.
// Without it, a stray error ends its file, which has failed, with the error's stack.
import hooks from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'
import { isMainThread } from 'node:worker_threads'

const { createHook } = hooks
const nothing = { enable: () => nothing, disable: () => nothing }

const put = (make) => {
  hooks.createHook = make
  syncBuiltinESMExports()
}

// Threads and processes that a test starts may be given this too, and are none of tap's.
if (isMainThread && process.argv[1]?.endsWith('.test.ts')) {
  put(() => nothing)
  await import('tap')
  put(createHook)
}
