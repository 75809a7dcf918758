import { ListPage } from '../../items/list/list-page.tsx'

const LibraryPage = () => <ListPage contentType="library" />

export default LibraryPage
