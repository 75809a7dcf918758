import { useMessages } from '../app/session.tsx'

/** The status of an item: a dot whose form differs as well as its colour, and the word. */
export const StatusMark = ({ status }: { readonly status: 'Draft' | 'Live' | 'Archived' }) => {
  const messages = useMessages()
  return <span className={`status ${status.toLowerCase()}`}>{messages.status[status]}</span>
}
