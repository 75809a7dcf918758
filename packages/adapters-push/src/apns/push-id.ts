import { createHash } from 'node:crypto'
import type { Push } from '@almoner/domain'

/** The namespace of pushes (RFC 9562, 5.5). It may never change, or a push would change its id. */
const NAMESPACE = Buffer.from('7c9d1d0b5f2e4c7f9a3e2b1d6f4a8c05', 'hex')

/**
 * A UUID (version 5) of one notification for one device: the same whenever and by whomever it is sent, so that Apple's logs show a push
 * that went out twice as one (G5).
 */
export const pushIdOf = ({ notificationId, deviceId }: Pick<Push, 'notificationId' | 'deviceId'>): string => {
  const hash = createHash('sha1').update(NAMESPACE).update(`${notificationId}/${deviceId}`).digest()
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6)
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8)
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
