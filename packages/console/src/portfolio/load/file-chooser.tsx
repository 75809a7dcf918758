import { DropZone } from 'react-aria-components/DropZone'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { useMessages } from '../../session/session.tsx'
import { Button, Icon } from '../../ui/controls.tsx'
import { type ChosenFile, filesOfDrop, filesOfList } from './chosen-files.ts'

/** Takes a folder or a zip archive, by drop or by dialog. */
export const FileChooser = ({
  onChoose,
}: {
  readonly onChoose: (files: ReadonlyArray<ChosenFile>) => void
}) => {
  const { portfolioLoad: words } = useMessages()
  return (
    <div className="file-chooser">
      <DropZone
        className="drop-zone"
        aria-label={words.dropLabel}
        onDrop={(event) => void filesOfDrop(event.items).then(onChoose)}
      >
        <span className="drop-hint">
          <Icon name="portfolio" />
          {words.drop}
        </span>
      </DropZone>
      <div className="actions">
        <FileTrigger acceptDirectory onSelect={(list) => onChoose(filesOfList(list))}>
          <Button>{words.chooseFolder}</Button>
        </FileTrigger>
        <FileTrigger
          acceptedFileTypes={['application/zip', '.zip']}
          onSelect={(list) => onChoose(filesOfList(list))}
        >
          <Button>{words.chooseArchive}</Button>
        </FileTrigger>
      </div>
    </div>
  )
}
