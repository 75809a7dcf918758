import { useState } from 'react'
import { at } from '../paths.ts'
import { goTo } from '../session/router.ts'
import { useMessages } from '../session/session.tsx'
import { Button } from '../ui/controls.tsx'
import { ConfirmDialog, showToast } from '../ui/overlays.tsx'
import { errorTexts } from '../ui/problem.tsx'
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
