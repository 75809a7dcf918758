import type { PushMessage } from '@almoner/domain'

/** The data of a push, by name, for the providers that carry it beside what is shown (G6). */
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
