import { useMessages } from '../app/session.tsx'
import { errorTexts } from '../ui/error-text.ts'

/** Says why an act failed; nothing if it did not. */
export const Refusal = ({ error }: { readonly error: unknown }) => {
  const messages = useMessages()
  if (error === undefined) return null
  return (
    <div className="notice problem" role="alert">
      {errorTexts(error, messages).map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  )
}
