import { File, Paths } from 'expo-file-system'
import * as ImagePicker from 'expo-image-picker'
import * as Notifications from 'expo-notifications'
import { Platform } from 'react-native'
import type { TextFile } from './data.ts'

/** A file in the app's documents. */
export const documentFile = (name: string): TextFile => {
  const file = new File(Paths.document, name)
  return {
    read: async () => (file.exists ? file.text() : undefined),
    write: async (text) => file.write(text),
  }
}

/** Asks for leave to show pushes, and returns the phone's token with its provider; undefined without leave. */
export const pushToken = async () => {
  const { granted } = await Notifications.requestPermissionsAsync()
  if (!granted) return undefined
  const { data } = await Notifications.getDevicePushTokenAsync()
  return { provider: Platform.OS === 'ios' ? 'apns' : 'fcm', token: String(data) } as const
}

/** Calls a function with the data of the push that opened the app, and of each later one that is tapped. */
export const onTappedPush = (open: (data: Record<string, unknown> | undefined) => void): (() => void) => {
  const last = Notifications.getLastNotificationResponse()
  if (last) open(last.notification.request.content.data)
  const subscription = Notifications.addNotificationResponseReceivedListener(({ notification }) =>
    open(notification.request.content.data),
  )
  return () => subscription.remove()
}

/** Lets the person choose a photo and crop it to the proportions of posts; undefined if none was chosen. */
export const choosePhoto = async (): Promise<Blob | undefined> => {
  const { assets } = await ImagePicker.launchImageLibraryAsync({
    mediaTypes: ['images'],
    allowsEditing: true,
    aspect: [400, 560],
  })
  const uri = assets?.[0]?.uri
  return uri === undefined ? undefined : (await fetch(uri)).blob()
}
