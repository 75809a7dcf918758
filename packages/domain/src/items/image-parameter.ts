import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import { refined } from '../values/refined.ts'
import { WebUrl } from '../values/web-url.ts'

/** `coverImgUrl` and `notificationImgUrl`: an address, or empty to clear the image (C6). */
export const ClearableImageUrl = refined<O.Option<WebUrl>>(
  'ClearableImageUrl',
  (text) =>
    text === ''
      ? E.right(O.none)
      : pipe(
          WebUrl.decode(text),
          E.bimap((errors) => errors[0]?.message ?? 'must be a URL', O.some),
        ),
  {
    type: 'string',
    description: 'URL of the image. If omitted, the current image stays; if empty, it is removed.',
    maxLength: 2048,
    emptyHasMeaning: true,
  },
)
