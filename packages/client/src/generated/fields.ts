// Made from the definition of fields of the domain: pnpm client:types

/** The fields of publications that a form asks for and an update repeats, in their order. */
export const LIBRARY_FIELDS = {
  "itemTitle": {
    "kind": "text",
    "maxLength": 100
  },
  "itemDescription": {
    "kind": "text",
    "maxLength": 1000
  },
  "coverImgAlt": {
    "kind": "text",
    "maxLength": 300,
    "describes": "cover"
  },
  "notificationImgAlt": {
    "kind": "text",
    "maxLength": 300,
    "describes": "notification"
  },
  "link": {
    "kind": "url",
    "maxLength": 2048
  },
  "lang": {
    "kind": "language"
  },
  "itemPublicationDate": {
    "kind": "day"
  },
  "isDonorRestricted": {
    "kind": "flag"
  }
} as const

/** Those of posts. */
export const FEED_FIELDS = {
  "itemType": {
    "kind": "choice",
    "options": [
      "photo",
      "link",
      "vlink"
    ]
  },
  "itemTitle": {
    "kind": "text",
    "maxLength": 100
  },
  "itemDescription": {
    "kind": "text",
    "maxLength": 1000
  },
  "imgAlt": {
    "kind": "text",
    "maxLength": 300,
    "describes": "image"
  },
  "link": {
    "kind": "url",
    "maxLength": 2048
  },
  "vlink": {
    "kind": "url",
    "maxLength": 2048
  },
  "lang": {
    "kind": "language"
  },
  "isDonorRestricted": {
    "kind": "flag"
  }
} as const
