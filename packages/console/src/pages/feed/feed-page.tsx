import { ListPage } from '../../items/list/list-page.tsx'

const FeedPage = () => <ListPage contentType="feed" />

export default FeedPage
