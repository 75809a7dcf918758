import type { LibraryItem, Schemas } from '@almoner/client'
import { Image } from 'expo-image'
import { useCallback, useEffect, useState } from 'react'
import {
  Button,
  FlatList,
  Linking,
  PixelRatio,
  Pressable,
  SafeAreaView,
  StyleSheet,
  Text,
  TextInput,
  useWindowDimensions,
  View,
} from 'react-native'
import { attachDevice, imageFor, inboxOf, itemOfPush, markSeen, openData, sendPost } from './data.ts'
import { choosePhoto, documentFile, onTappedPush, pushToken } from './device.ts'
import { SERVICE, tokenOfPerson } from './session.ts'

const data = openData({ baseUrl: SERVICE, token: tokenOfPerson, file: documentFile('copy.json') })

/** Reports a failure that the person can do nothing about; the copy is shown all the same. */
const note = (error: unknown): void => console.warn(error)

/** The publications of the copy, newest first, kept in step while the app is open. */
const usePublications = (): ReadonlyArray<LibraryItem> => {
  const [items, setItems] = useState<ReadonlyArray<LibraryItem>>([])
  useEffect(() => {
    const show = () => data.copy.list('library', { lim: 100 }).then(setItems, note)
    const controller = new AbortController()
    const stop = data.copy.subscribe(show)
    show()
    data.copy.run({ signal: controller.signal, onFailure: note }).catch(note)
    return () => {
      controller.abort()
      stop()
    }
  }, [])
  return items
}

const Publications = ({ open }: { readonly open: (item: LibraryItem) => void }) => {
  const items = usePublications()
  const width = useWindowDimensions().width * PixelRatio.get()
  return (
    <FlatList
      data={items}
      keyExtractor={({ itemId }) => itemId}
      ListEmptyComponent={<Text style={styles.text}>Nothing here yet.</Text>}
      renderItem={({ item }) => (
        <Pressable accessibilityRole="button" onPress={() => open(item)}>
          <Image
            style={styles.cover}
            source={imageFor(item.images?.cover, width) ?? null}
            accessibilityLabel={item.images?.cover?.alt ?? ''}
          />
          <Text style={styles.title}>{item.itemTitle}</Text>
        </Pressable>
      )}
    />
  )
}

const Publication = ({ item, close }: { readonly item: LibraryItem; readonly close: () => void }) => (
  <View>
    <Button title="Back" onPress={close} />
    <Text style={styles.title}>{item.itemTitle}</Text>
    <Text style={styles.text}>{item.itemDescription}</Text>
    <Button title="Read it" onPress={() => Linking.openURL(item.link).catch(note)} />
  </View>
)

const Inbox = ({ open }: { readonly open: (item: LibraryItem) => void }) => {
  const [notifications, setNotifications] = useState<ReadonlyArray<Schemas['InboxNotification']>>([])
  useEffect(() => {
    inboxOf(data).then(setNotifications, note)
  }, [])
  const tap = async (notification: Schemas['InboxNotification']) => {
    await markSeen(data, notification.id)
    setNotifications(await inboxOf(data))
    const items = await data.copy.list('library')
    const item = items.find(({ link }) => link === notification.actionUrl)
    if (item !== undefined) open(item)
  }
  return (
    <FlatList
      data={notifications}
      keyExtractor={({ id }) => id}
      renderItem={({ item }) => (
        <Pressable accessibilityRole="button" onPress={() => tap(item).catch(note)}>
          <Text style={item.seenAt === '' ? styles.title : styles.text}>{item.title}</Text>
        </Pressable>
      )}
    />
  )
}

const Post = () => {
  const [title, setTitle] = useState('')
  const [text, setText] = useState('')
  const [alt, setAlt] = useState('')
  const [result, setResult] = useState('')
  const send = async () => {
    const photo = await choosePhoto()
    if (photo === undefined) return
    await sendPost(data, { title, text, alt, photo })
    setResult('Thank you. We look at it before it is published.')
  }
  return (
    <View>
      <TextInput style={styles.input} placeholder="Title" value={title} onChangeText={setTitle} />
      <TextInput
        style={styles.input}
        placeholder="Your words"
        value={text}
        onChangeText={setText}
        multiline
      />
      <TextInput style={styles.input} placeholder="The photo, in words" value={alt} onChangeText={setAlt} />
      <Button
        title="Choose a photo and send"
        disabled={title === '' || text === ''}
        onPress={() => send().catch((error) => setResult(String(error.message)))}
      />
      <Text style={styles.text}>{result}</Text>
    </View>
  )
}

const PAGES = ['Publications', 'Inbox', 'Post'] as const

/** The app: publications that are there without a network, an inbox, and a form for a post. */
export const App = () => {
  const [page, setPage] = useState<(typeof PAGES)[number]>('Publications')
  const [item, setItem] = useState<LibraryItem>()
  const openPush = useCallback((sent: Record<string, unknown> | undefined) => {
    itemOfPush(data, sent).then((found) => found && setItem(found), note)
  }, [])
  useEffect(() => onTappedPush(openPush), [openPush])
  useEffect(() => {
    pushToken()
      .then((device) => device && attachDevice(data, device.provider, device.token))
      .catch(note)
  }, [])
  return (
    <SafeAreaView style={styles.app}>
      <View style={styles.pages}>
        {PAGES.map((name) => (
          <Button key={name} title={name} onPress={() => setPage(name)} disabled={name === page} />
        ))}
      </View>
      {item !== undefined && <Publication item={item} close={() => setItem(undefined)} />}
      {item === undefined && page === 'Publications' && <Publications open={setItem} />}
      {item === undefined && page === 'Inbox' && <Inbox open={setItem} />}
      {item === undefined && page === 'Post' && <Post />}
    </SafeAreaView>
  )
}

const styles = StyleSheet.create({
  app: { flex: 1 },
  pages: { flexDirection: 'row', justifyContent: 'space-around' },
  cover: { width: '100%', aspectRatio: 16 / 9 },
  title: { fontSize: 18, fontWeight: 'bold', margin: 12 },
  text: { fontSize: 16, margin: 12 },
  input: { borderWidth: 1, margin: 12, padding: 8 },
})
