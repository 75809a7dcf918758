import { hash } from 'node:crypto'
import type { Push } from '@almoner/domain/notifications'

/** The namespace of pushes (RFC 9562, 5.5). It may never change, or a push would change its id. */
const NAMESPACE = Buffer.from('7c9d1d0b5f2e4c7f9a3e2b1d6f4a8c05', 'hex')

/** The two bits that say which variant of UUID it is, before two of the hash. */
const variant = (digit: string): string => ((Number.parseInt(digit, 16) & 0x3) | 0x8).toString(16)

/**
 * A UUID (version 5) of one notification for one device: the same whenever and by whomever it is sent, so that Apple's logs show a push
 * that went out twice as one (G5).
 */
export const pushIdOf = ({ notificationId, deviceId }: Pick<Push, 'notificationId' | 'deviceId'>): string => {
  const hex = hash('sha1', Buffer.concat([NAMESPACE, Buffer.from(`${notificationId}/${deviceId}`)]))
  const third = `5${hex.slice(13, 16)}`
  const fourth = `${variant(hex.charAt(16))}${hex.slice(17, 20)}`
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${third}-${fourth}-${hex.slice(20, 32)}`
}
