import type { PushMessage } from '@almoner/domain/notifications'

/** A message as the UTF-8 of its JSON: what it counts where no provider's own fields are made of it (G6). */
export const jsonBytes = (message: PushMessage): number => Buffer.byteLength(JSON.stringify(message))
