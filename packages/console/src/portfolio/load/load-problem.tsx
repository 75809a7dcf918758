import { ApiError } from '@almoner/client'
import type { Messages } from '../../messages/en.ts'
import { useMessages } from '../../session/session.tsx'
import { Problem } from '../../ui/problem.tsx'

/** Returns the reasons of a failed load; none for other problems of the server. */
const textsOf = (error: unknown, { portfolioLoad: words }: Messages): ReadonlyArray<string> => {
  if (!(error instanceof ApiError)) return [words.notSent]
  if (error.code === 'content_too_large' && error.errors.length === 0) return [words.tooLarge]
  if (error.code === 'precondition_failed') return [words.hasChanged]
  if (error.code === 'presence_required') return [words.noPresence]
  return error.errors.map(({ field, message }) =>
    field === 'files' ? words.upload(message) : `${field}: ${words.fault(message)}`,
  )
}

/** Says why files were not taken: each of the server's reasons, or the problem as a whole. */
export const LoadProblem = ({ error }: { readonly error: unknown }) => {
  const texts = textsOf(error, useMessages())
  if (texts.length === 0) return <Problem error={error} />
  return (
    <div className="notice problem" role="alert">
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  )
}
