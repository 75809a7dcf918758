import { useEffect, useState } from 'react'
import { DropZone } from 'react-aria-components/DropZone'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { useMessages } from '../../session/session.tsx'
import { Button, Icon } from '../../ui/controls.tsx'
import { ConfirmDialog } from '../../ui/overlays.tsx'
import { errorTexts } from '../../ui/problem.tsx'
import { Conflict, type Subject } from '../editor/refusal.tsx'
import { CropDialog } from './crop-dialog.tsx'
import { fitImage, type ImageSlot, type ImageState, readImage } from './use-images.ts'

/** With this list, phones hand over their HEIC photos as JPEG. */
const ACCEPTED = ['image/jpeg', 'image/png']

/** An image that was chosen and is not stored yet. */
const Chosen = ({ blob, alt }: { readonly blob: Blob; readonly alt: string }) => {
  const [url, setUrl] = useState('')
  useEffect(() => {
    const made = URL.createObjectURL(blob)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  return url === '' ? null : <img className="chosen-image" src={url} alt={alt} />
}

/** An image of an item: shows it, takes a file by drop or dialog, crops it if a size is required, and shows the progress. */
export const ImageField = ({
  slot,
  url,
  state,
  errors,
  subject,
  isLive,
  onChoose,
  onRemove,
}: {
  readonly slot: ImageSlot
  readonly url: string
  readonly state: ImageState
  readonly errors: ReadonlyArray<string>
  /** The item of the image; undefined for a new one. */
  readonly subject: Subject | undefined
  /** Whether readers see the image, so that a new one in its place is asked for (M12). */
  readonly isLive: boolean
  readonly onChoose: (blob: Blob) => void
  /** Absent where the image can only be replaced. */
  readonly onRemove?: () => void
}) => {
  const messages = useMessages()
  const { images } = messages
  const [cropping, setCropping] = useState<ImageBitmap>()
  const [asked, setAsked] = useState<Blob>()
  const shown = state.chosen?.url ?? url
  const name = images.names[slot.name]
  const choose = (blob: Blob) => {
    if (isLive && shown !== '') setAsked(blob)
    else onChoose(blob)
  }
  const take = async (file: Blob | undefined) => {
    if (file === undefined) return
    const image = await readImage(file)
    if (image === undefined) choose(file)
    else if (slot.size === undefined) choose(await fitImage(file, image))
    else setCropping(image)
  }
  const texts = [...errors, ...(state.failure === undefined ? [] : errorTexts(state.failure, messages))]
  const id = `field-${slot.name}`
  return (
    <fieldset className="image-field" id={id} tabIndex={-1} aria-describedby={`${id}-errors`}>
      <legend className="label">{name}</legend>
      <DropZone
        className={`drop-zone${slot.size === undefined ? '' : ' portrait'}`}
        aria-label={images.dropLabel(name)}
        onDrop={(event) => {
          const file = event.items.find((item) => item.kind === 'file')
          void file?.getFile().then(take)
        }}
      >
        {shown === '' ? (
          <span className="drop-hint">
            <Icon name="image" />
            {slot.size === undefined ? images.drop : images.dropSized(slot.size.width, slot.size.height)}
          </span>
        ) : (
          <img src={shown} alt={images.alt(name)} />
        )}
      </DropZone>
      {state.progress !== undefined && (
        <progress value={state.progress} max={1} aria-label={images.uploading(name)} />
      )}
      <div className="image-actions">
        <FileTrigger acceptedFileTypes={ACCEPTED} onSelect={(files) => void take(files?.[0] ?? undefined)}>
          <Button>
            {shown === '' ? images.choose : images.replace}
            <span className="visually-hidden">{name}</span>
          </Button>
        </FileTrigger>
        {shown !== '' && onRemove !== undefined && (
          <Button kind="quiet" onPress={onRemove}>
            {images.remove}
            <span className="visually-hidden">{name}</span>
          </Button>
        )}
      </div>
      <div id={`${id}-errors`} className="field-errors">
        {texts.map((text) => (
          <p key={text}>{text}</p>
        ))}
        <Conflict error={state.failure} subject={subject} />
      </div>
      {cropping !== undefined && slot.size !== undefined && (
        <CropDialog
          image={cropping}
          frame={slot.size}
          onCancel={() => setCropping(undefined)}
          onDone={(blob) => {
            setCropping(undefined)
            choose(blob)
          }}
        />
      )}
      {asked !== undefined && (
        <ConfirmDialog
          title={images.askReplace(name)}
          confirm={images.confirmReplace(name)}
          keep={images.keepPresent}
          onCancel={() => setAsked(undefined)}
          onConfirm={() => {
            setAsked(undefined)
            onChoose(asked)
          }}
        >
          <p>{images.askReplaceText}</p>
          <Chosen blob={asked} alt={images.chosen(name)} />
        </ConfirmDialog>
      )}
    </fieldset>
  )
}
