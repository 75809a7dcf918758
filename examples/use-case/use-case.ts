import { CreateFeedItem, callerWith, collect, createAlmoner, parseInput, plain } from '@almoner/domain'
import { memoryPorts } from '@almoner/testkit/memory'

const { feed } = createAlmoner(memoryPorts()).promises
const manager = callerWith('content-manager')

const post = { itemType: 'photo', itemTitle: 'A new well', itemDescription: 'Clean water since Monday.' }
const command = parseInput(CreateFeedItem, post)
if (command.ok) await feed.create(manager, command.value)

const posts = await feed.list(manager, { lim: 10 })
if (posts.ok) console.log(plain(await collect(posts.value)))
