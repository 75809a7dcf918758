/** Names of tables before `0018-plain-names`, with those of now. Exports of that time have them. */
export const EARLIER_TABLES: Readonly<Record<string, string>> = {
  media_use: 'media_reference',
  portion: 'batch',
  pin: 'recipient_snapshot',
}

/** Names of columns before `0018-plain-names`, by the table's name now. */
export const EARLIER_COLUMNS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  media_reference: { shelf: 'content_type' },
  retry: { portion: 'batch' },
  notification: { taken_up: 'started' },
  delivery: { next_portion: 'next_batch', taken_up_at: 'started_at' },
  provider: { believed_until: 'override_until' },
}
