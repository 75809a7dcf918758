import type { Side } from '../../content/translation/pair-api.ts'
import { api, consoleApi } from '../../session/api.ts'
import { bodyOf, type SideDraft } from './draft.ts'

/** Asks what a notification would send, and to how many devices. Sends nothing. */
export const askPreview = (body: ReturnType<typeof bodyOf>, signal?: AbortSignal) =>
  consoleApi.post('/notifications/preview', { body, ...(signal && { signal }) })

/** What a notification would send: its size, its devices by kind, and what keeps it from being created. */
export type Preview = Awaited<ReturnType<typeof askPreview>>['data']['preview']

/** Returns the number of all devices. */
export const devicesOf = ({ recipients }: Pick<Preview, 'recipients'>): number =>
  recipients.reduce((sum, { devices }) => sum + devices, 0)

/** Lists the devices of the signed-in person. */
export const listOwnDevices = async () =>
  (await consoleApi.get('/notifications/devices')).data.devices.map(({ device }) => device)

export type OwnDevice = Awaited<ReturnType<typeof listOwnDevices>>[number]

/** Sends a draft to one of the person's devices. Returns the outcome. */
export const sendTest = async (side: Side, draft: SideDraft, device: number) =>
  (await consoleApi.post('/notifications/test', { body: { ...bodyOf(side, draft), device } })).data.test

/** Schedules a notification, and returns its id. The same key schedules it once. A large one asks for a proof of presence (M4). */
export const scheduleSide = async (
  side: Side,
  draft: SideDraft,
  moment: Date,
  idempotencyKey: string,
): Promise<string> => {
  const date = String(Math.floor(moment.getTime() / 1000))
  const body = { ...bodyOf(side, draft), resource_type: 'Library', date } as const
  const { data } = await api.post('/notification', { body, idempotencyKey })
  return data.notification.id
}
