import * as t from 'io-ts'
import { type Answer, json } from '../responses/route-response.ts'

/** What deleting a device token or a notification answers: the JSON string `success`. */
export const SuccessAnswer = t.keyof({ success: null })

export const SUCCESS: Answer = json('success')
