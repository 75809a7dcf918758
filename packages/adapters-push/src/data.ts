import type { PushMessage } from '@almoner/domain/notifications'

/** The data fields of a push by name, for providers that transport them beside the displayed text (G6). */
export const dataOf = ({ data }: Pick<PushMessage, 'data'>): PushMessage['data'] => ({
  notificationId: data.notificationId,
  lang: data.lang,
  resourceType: data.resourceType,
  resourceId: data.resourceId,
  actionUrl: data.actionUrl,
  visualUrl: data.visualUrl,
  iconUrl: data.iconUrl,
  color: data.color,
})
