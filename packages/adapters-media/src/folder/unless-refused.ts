import { isRefusedCall } from '@almoner/domain/values'

/** A call that some file systems refuse, as SMB and FUSE do. */
export interface OptionalCall {
  /** The code of its warning. */
  readonly code: string
  /** The consequence of a refusal. */
  readonly loss: string
}

const warned = new Set<string>()

/** Makes a call unless the file system refuses it, which is one warning a process (D10). Rejects with any other error. */
export const unlessRefused = async (
  { code, loss }: OptionalCall,
  call: () => Promise<unknown>,
): Promise<void> => {
  try {
    await call()
  } catch (error) {
    if (!isRefusedCall(error)) throw error
    if (warned.has(code)) return
    warned.add(code)
    process.emitWarning(`${loss}: ${error.message}`, { code })
  }
}
