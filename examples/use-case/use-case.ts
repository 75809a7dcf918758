import {
  type ClientId,
  CreateFeedItem,
  callerOf,
  DEFAULT_POLICY,
  decode,
  makeCreateFeedItem,
  makeListFeedItems,
  mediaAddressesBelow,
} from '@almoner/domain'
import { countingIds, memoryStore, setClock } from '@almoner/domain/memory'
import * as E from 'fp-ts/lib/Either.js'
import { none } from 'fp-ts/lib/Option.js'

const mediaAddresses = mediaAddressesBelow('https://api.example.org')
const ports = { ...memoryStore(), clock: setClock(), ids: countingIds(), mediaAddresses }
const create = makeCreateFeedItem(ports)
const list = makeListFeedItems(ports, DEFAULT_POLICY)
const donor = callerOf({ clientId: 'app' as ClientId, scopes: ['user-donor'], roles: [], email: none })

const sent = { itemType: 'photo', itemTitle: 'A new well', itemDescription: 'Clean water since Monday.' }
const command = decode(CreateFeedItem)(sent)
if (E.isLeft(command)) throw new Error(JSON.stringify(command.left.errors))

console.log(await create(donor, command.right)()) // Right: the post, a Draft
const seen = await list(donor, {})()
if (E.isRight(seen)) for await (const batch of seen.right.batches) console.log(batch) // nothing: a donor sees no Drafts
