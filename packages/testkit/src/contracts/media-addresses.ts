import { EXTENSIONS, IMAGE_TYPES, type MediaAddresses, type MediaName } from '@almoner/domain/media'
import type { WebUrl } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import type { ContractRunner } from './runner.ts'

const NAMES = IMAGE_TYPES.flatMap((type) =>
  [1, 2].map((n) => `Sample_media-0000000${n}.${EXTENSIONS[type]}` as MediaName),
)

/** Contract tests of `MediaAddresses` (D2, D3). */
export const mediaAddressesContract = (runner: ContractRunner, make: () => MediaAddresses): void => {
  runner('D3: an image is named by its own address, and by no other', async (check) => {
    const addresses = make()
    const urls = NAMES.map((name) => addresses.urlOf(name))
    check.same(new Set(urls).size, NAMES.length)
    check.ok(urls.every((url) => /^https?:\/\//.test(url)))
    check.same(urls.map(addresses.nameOf), NAMES.map(O.some))
  })

  runner('D3: query and fragment make no other image of an address', async (check) => {
    const addresses = make()
    for (const name of NAMES)
      for (const end of ['?width=400', '#top'])
        check.same(addresses.nameOf(`${addresses.urlOf(name)}${end}` as WebUrl), O.some(name))
  })

  runner('D5: an address of another host or path names no image', async (check) => {
    const addresses = make()
    for (const name of NAMES) {
      const url = addresses.urlOf(name)
      for (const other of [
        url.replace(/^https?:\/\/[^/]+/, 'https://elsewhere.example.org'),
        url.replace(/[^/]+$/, ''),
        url.replace(/^(https?:\/\/[^/]+).*/, `$1/elsewhere/${name}`),
      ])
        check.same(addresses.nameOf(other as WebUrl), O.none, other)
    }
  })
}
