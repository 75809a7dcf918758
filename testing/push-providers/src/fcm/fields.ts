/**
 * The fields of a message and of what it holds (https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages). As in all
 * JSON of protocol buffers, `camelCase` stands for `snake_case`, and a name that is not there is an error
 * (https://protobuf.dev/programming-guides/json).
 */
export const FIELDS = {
  request: ['validate_only', 'message'],
  message: [
    'name',
    'data',
    'notification',
    'android',
    'webpush',
    'apns',
    'fcm_options',
    'fid',
    'token',
    'topic',
    'condition',
  ],
  notification: ['title', 'body', 'image'],
  android: [
    'collapse_key',
    'priority',
    'ttl',
    'restricted_package_name',
    'data',
    'notification',
    'fcm_options',
    'direct_boot_ok',
    'bandwidth_constrained_ok',
    'restricted_satellite_ok',
  ],
  androidNotification: [
    'title',
    'body',
    'icon',
    'color',
    'sound',
    'tag',
    'click_action',
    'body_loc_key',
    'body_loc_args',
    'title_loc_key',
    'title_loc_args',
    'channel_id',
    'ticker',
    'sticky',
    'event_time',
    'local_only',
    'notification_priority',
    'default_sound',
    'default_vibrate_timings',
    'default_light_settings',
    'vibrate_timings',
    'visibility',
    'notification_count',
    'light_settings',
    'image',
    'bypass_proxy_notification',
    'proxy',
  ],
  apns: ['headers', 'payload', 'fcm_options', 'live_activity_token'],
  webpush: ['headers', 'data', 'notification', 'fcm_options'],
} as const satisfies Readonly<Record<string, ReadonlyArray<string>>>

/**
 * Who a message is for: exactly one of these. "Send a message to specified target (a Firebase Installation ID (FID), registration
 * token, topic, or condition)" (https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages/send); all of Google's own
 * libraries have `fid` beside `token` since mid-2026 (https://github.com/firebase/firebase-admin-java/pull/1211).
 */
export const TARGETS = ['fid', 'token', 'topic', 'condition'] as const
