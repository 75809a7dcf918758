import fs, { type FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import type { Test } from 'tap'

/** Calls of a file system that others than local ones may refuse, and how each is named in an error. */
export const OPTIONAL_CALLS = {
  'open a folder': 'open',
  'flush a folder': 'fsync',
  'set times': 'futime',
} as const
/** One of {@link OPTIONAL_CALLS}. */
export type OptionalCallName = keyof typeof OPTIONAL_CALLS

/** Codes by which a file system says that it has no such call (D10), and codes of faults. */
export const REFUSALS = ['EINVAL', 'EBADF', 'ENOTSUP', 'ENOSYS', 'EPERM'] as const
export const FAULTS = ['EIO', 'ENOSPC', 'EDQUOT', 'EROFS', 'EACCES'] as const

const errorOf = (code: string, syscall: string): Error =>
  Object.assign(new Error(`${code}: simulated, ${syscall}`), { code, syscall })

const isFolder = async (handle: FileHandle): Promise<boolean> => (await handle.stat()).isDirectory()

/** Lets every such call of this process fail with a code until the test ends. */
export const refuse = async (t: Test, call: OptionalCallName, code: string): Promise<void> => {
  const handle = await fs.open(import.meta.dirname, 'r')
  const prototype = Object.getPrototypeOf(handle) as FileHandle
  await handle.close()
  const { sync, utimes } = prototype
  const { open } = fs
  const fail = () => Promise.reject(errorOf(code, OPTIONAL_CALLS[call]))
  if (call === 'set times') prototype.utimes = fail
  if (call === 'flush a folder')
    prototype.sync = async function (this: FileHandle) {
      return (await isFolder(this)) ? fail() : sync.call(this)
    }
  if (call === 'open a folder') {
    fs.open = async (...args) => {
      const opened = await open(...args)
      if (!(await isFolder(opened))) return opened
      await opened.close()
      return fail()
    }
    syncBuiltinESMExports()
  }
  t.teardown(() => {
    Object.assign(prototype, { sync, utimes })
    fs.open = open
    syncBuiltinESMExports()
  })
}
