import { readdirSync } from 'node:fs'
import type { ContentType } from '@almoner/domain/history'
import { jpegOf } from '../../../adapters-media/test/corpus/jpeg-file.ts'
import { GREY, PLAIN, plainPng, pngOf } from '../../../adapters-media/test/corpus/png-file.ts'
import { BASE_URL, type Fixture, type Send } from './fixture.ts'

/** An image that both content types accept: black, so that it is small and fast. */
export const PNG = pngOf({ ...PLAIN, depth: 1, colour: GREY }, Buffer.alloc(0))

/** A larger image that both accept. */
export const PICTURE = plainPng()

/** A JPEG that the library accepts. */
export const JPEG = await jpegOf(90, 60)

/** The name that the feed's file part has. */
export const FIELD = 'itemUploadMedia'

export interface FilePart {
  readonly bytes?: Uint8Array
  readonly field?: string
  readonly type?: string
  readonly name?: string
}

/** A form with one file in it. */
export const fileForm = ({
  bytes = PNG,
  field = FIELD,
  type = 'image/png',
  name = 'a.png',
}: FilePart = {}) => {
  const form = new FormData()
  form.append(field, new File([Buffer.from(bytes)], name, { type }))
  return form
}

/** The path of an image of an item. */
export const imagePath = (contentType: ContentType, itemId: string, which = 'cover'): string =>
  contentType === 'library' ? `/library/${itemId}/media/${which}` : `/feed/${itemId}/media`

/** Uploads an image, as a manager. */
export const upload = (
  fixture: Fixture,
  path: string,
  file: FilePart = {},
  send: Send = {},
): Promise<Response> => fixture.call('POST', path, { as: 'manager', multipart: fileForm(file), ...send })

/** All files in the media folder itself, without the folders of the portfolio and of renditions below it. */
export const filesIn = ({ mediaFolder }: Pick<Fixture, 'mediaFolder'>): ReadonlyArray<string> =>
  readdirSync(mediaFolder)
    .filter((name) => !['portfolio', 'r'].includes(name) && !name.startsWith('.'))
    .sort()

/** The names of all uploads of a server, in a folder or a bucket. */
export const storedIn = async ({ ports }: Pick<Fixture, 'ports'>): Promise<ReadonlyArray<string>> => {
  const names: Array<string> = []
  for await (const batch of ports.mediaStore.files()) names.push(...batch.map(({ name }) => name))
  return names.sort()
}

/** The name of the stored image of a URL. */
export const nameIn = (url: string): string => url.slice(`${BASE_URL}/static/media/`.length)

/** Fetches one of the URLs that the service returns. */
export const served = (fixture: Fixture, url: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url.replace(/^https:\/\/[^/]+/, fixture.url), { redirect: 'manual', ...init })
