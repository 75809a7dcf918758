import type { Instant } from '@almoner/domain'
import { instant } from '@almoner/domain/values'
import { ListObjectsV2Command } from '@aws-sdk/client-s3'
import { ask, type Connection } from './connection.ts'
import { rootOf } from './keys.ts'

/** An object of the store: the last part of its key, and its date. */
export interface ListedObject<Name extends string> {
  readonly name: Name
  readonly storedAt: Instant
}

const page = (connection: Connection, folder: string, token: string | undefined) => {
  const { client, place, limits } = connection
  const command = new ListObjectsV2Command({
    Bucket: place.bucket,
    Prefix: `${rootOf(place.prefix)}${folder}`,
    // What lies further below is not looked at.
    Delimiter: '/',
    ContinuationToken: token,
  })
  return ask('listing images', limits.request, (abortSignal) => client.send(command, { abortSignal }))
}

/**
 * Lists the objects of a folder below the prefix with names of images, a page of the store (at most a thousand) at a time. Ignores other
 * objects.
 * @param folder empty, or with a trailing slash
 */
export async function* listedObjects<Name extends string>(
  connection: Connection,
  folder: string,
  isName: (name: string) => name is Name,
): AsyncGenerator<ReadonlyArray<ListedObject<Name>>, void> {
  const root = `${rootOf(connection.place.prefix)}${folder}`
  let token: string | undefined
  do {
    const { Contents, NextContinuationToken } = await page(connection, folder, token)
    const found = (Contents ?? []).flatMap(({ Key = '', LastModified }) => {
      const name = Key.slice(root.length)
      return isName(name) && LastModified !== undefined
        ? [{ name, storedAt: instant(LastModified.getTime()) }]
        : []
    })
    if (found.length > 0) yield found
    token = NextContinuationToken
  } while (token !== undefined)
}

/** Whether the store lets us list our images: rejects with the reason when it does not. */
export const askForOne = async (connection: Connection): Promise<void> => {
  const { client, place, limits } = connection
  const command = new ListObjectsV2Command({
    Bucket: place.bucket,
    Prefix: rootOf(place.prefix),
    MaxKeys: 1,
  })
  await ask('listing images', limits.request, (abortSignal) => client.send(command, { abortSignal }))
}
