import { newId } from '../../session/api.ts'
import { sendForm } from '../../session/send-form.ts'

/** The field of the form that holds the file (D1). */
const FIELD = 'itemUploadMedia'

/** Uploads an image and reports the sent share, as `sendForm` does. */
export const uploadImage = async (
  url: string,
  file: Blob,
  ifMatch: string | undefined,
  onProgress: (share: number) => void,
): Promise<void> => {
  const form = new FormData()
  form.set(FIELD, file, 'image')
  const headers = {
    'Idempotency-Key': newId(),
    ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
  }
  await sendForm(url, form, headers, onProgress)
}
