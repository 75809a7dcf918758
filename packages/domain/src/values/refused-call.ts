/** Codes of the operating system for calls that a file system does not have, or allows to none of its users. macOS has two names for one. */
const CODES: ReadonlyArray<unknown> = ['EINVAL', 'EBADF', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EPERM']

/**
 * Returns whether a file system refused a call that it need not have: flushing a folder, setting times or owners. A file is stored all the
 * same (D10). Other errors, such as EIO and ENOSPC, are faults.
 */
export const isRefusedCall = (error: unknown): error is Error & { readonly code: string } =>
  error instanceof Error && 'code' in error && CODES.includes(error.code)
