import { ApiError } from '@almoner/client'
import { useMessages } from '../app/session.tsx'
import { Button } from './button.tsx'

/** Says that the server could not be asked, or what it answered, and offers to try again. */
export const Problem = ({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) => {
  const { problems, retry } = useMessages()
  const text = error instanceof ApiError ? problems.answered(error.status) : problems.offline
  return (
    <div className="notice problem" role="alert">
      <p>{text}</p>
      {error instanceof ApiError && error.requestId !== undefined && (
        <p className="hint">{problems.request(error.requestId)}</p>
      )}
      {onRetry !== undefined && <Button onPress={onRetry}>{retry}</Button>}
    </div>
  )
}
