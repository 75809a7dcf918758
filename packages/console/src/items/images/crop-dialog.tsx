import { useEffect, useRef, useState } from 'react'
import { useMessages } from '../../session/session.tsx'
import { Button } from '../../ui/controls.tsx'
import { toJpeg } from './canvas.ts'
import { CENTRED, type Crop, keepInside, MOST_ZOOM, type Size } from './crop.ts'
import { CropFrame } from './crop-frame.tsx'

/** Crops an image to the size that the service takes. The frame shows exactly what will be uploaded. */
export const CropDialog = ({
  image,
  frame,
  onDone,
  onCancel,
}: {
  readonly image: ImageBitmap
  readonly frame: Size
  readonly onDone: (blob: Blob) => void
  readonly onCancel: () => void
}) => {
  const { images, cancel } = useMessages()
  const dialog = useRef<HTMLDialogElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [crop, setCrop] = useState<Crop>(CENTRED)
  useEffect(() => dialog.current?.showModal(), [])
  const accept = async () => {
    if (canvas.current !== null) onDone(await toJpeg(canvas.current))
  }
  const isSmall = image.width < frame.width || image.height < frame.height
  return (
    <dialog ref={dialog} className="dialog crop" aria-labelledby="crop-title" onCancel={onCancel}>
      <h2 id="crop-title">{images.cropTitle}</h2>
      <p className="hint">{images.cropHint(frame.width, frame.height)}</p>
      <CropFrame
        canvas={canvas}
        image={image}
        frame={frame}
        crop={crop}
        onChange={setCrop}
        label={images.cropLabel}
      />
      <label className="zoom">
        <span className="label">{images.zoom}</span>
        <input
          type="range"
          min={1}
          max={MOST_ZOOM}
          step={0.05}
          value={crop.zoom}
          onChange={(event) =>
            setCrop(keepInside(image, frame, { ...crop, zoom: Number(event.target.value) }))
          }
        />
      </label>
      {isSmall && <p className="notice">{images.small}</p>}
      <div className="actions">
        <Button onPress={onCancel}>{cancel}</Button>
        <Button kind="primary" onPress={() => void accept()}>
          {images.use}
        </Button>
      </div>
    </dialog>
  )
}
