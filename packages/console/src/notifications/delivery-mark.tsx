import { useMessages } from '../session/session.tsx'
import type { DeliveryState } from './notifications-api.ts'

/** The state of a notification: a dot whose form differs as well as its colour, and the word. */
export const DeliveryMark = ({ state }: { readonly state: DeliveryState }) => {
  const { notifications: words } = useMessages()
  return <span className={`delivery ${state}`}>{words.states[state]}</span>
}
