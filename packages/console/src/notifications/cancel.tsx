import { useState } from 'react'
import { goTo } from '../app/router.ts'
import { useMessages } from '../app/session.tsx'
import { at } from '../paths.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { errorTexts } from '../ui/error-text.ts'
import { showToast } from '../ui/toasts.tsx'
import { deleteNotification, withdrawNotification } from './notifications-api.ts'

/** Cancels a notification unless it is started, or stops it on its way. Both delete it (G3). */
export const Cancel = ({ id, act }: { readonly id: string; readonly act: 'cancel' | 'stop' }) => {
  const messages = useMessages()
  const words = messages.notifications[act]
  const [isAsking, setIsAsking] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const remove = act === 'cancel' ? withdrawNotification : deleteNotification
  const confirm = () => {
    setIsAsking(false)
    remove(id).then(() => {
      showToast({ text: words.done })
      goTo(at('/console/notifications'))
    }, setFailure)
  }
  return (
    <>
      <Button onPress={() => setIsAsking(true)}>{words.button}</Button>
      {failure !== undefined && (
        <p className="field-errors" role="alert">
          {errorTexts(failure, messages).join(' ')}
        </p>
      )}
      {isAsking && (
        <ConfirmDialog
          title={words.title}
          confirm={words.confirm}
          onConfirm={confirm}
          onCancel={() => setIsAsking(false)}
        >
          <p>{words.text}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
