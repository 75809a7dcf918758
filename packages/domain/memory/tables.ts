import type {
  Client,
  FeedItem,
  ItemId,
  Label,
  LabelId,
  LibraryItem,
  MediaName,
  Shelf,
  StoredImage,
  StoredSecret,
  StoredToken,
  TokenDigest,
} from '../src/index.ts'

/** What a database would hold, shared by the memory adapters as tables are by repositories. */
export interface Tables {
  readonly library: Map<ItemId, LibraryItem>
  readonly feed: Map<ItemId, FeedItem>
  readonly images: Map<MediaName, StoredImage>
  /** The stored images that each item shows or mentions. */
  readonly holds: Map<ItemId, ReadonlySet<MediaName>>
  labels: ReadonlyArray<Label>
  readonly attached: Readonly<Record<Shelf, Map<ItemId, ReadonlySet<LabelId>>>>
  readonly clients: Map<string, { client: Client; secrets: ReadonlyArray<StoredSecret> }>
  readonly tokens: Map<TokenDigest, StoredToken>
}

export const newTables = (): Tables => ({
  library: new Map(),
  feed: new Map(),
  images: new Map(),
  holds: new Map(),
  labels: [],
  attached: { library: new Map(), feed: new Map() },
  clients: new Map(),
  tokens: new Map(),
})
