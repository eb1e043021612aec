/** Limits of the service (specification, Limits; facts 1.1). Imports nothing: the client counts with it before sending. */

/** UTF-16 code units in one SMS. */
export const SMS_TEXT_UNITS = 1000;
/** UTF-16 code units in one page. */
export const PAGER_TEXT_UNITS = 1024;
export const ACCESS_TOKEN_SECONDS = { min: 600, max: 3600, default: 3600 } as const;
export const REFRESH_TOKEN_SECONDS = 604_800;
export const DEFAULT_PER_PAGE = 100;
/** A larger perPage is clamped to this. */
export const MAX_PER_PAGE = 1000;
export const PRESENCE_MESSAGE_CHARACTERS = 75;
/** Time in which a webhook must answer, by the specification. */
export const WEBHOOK_RESPONSE_MILLISECONDS = 1000;
/** Whole reply to a handshake, headers included. */
export const WEBHOOK_RESPONSE_BYTES = 1024;
export const WEBHOOK_SUBSCRIPTION_SECONDS = { default: 604_800, max: 315_360_000 } as const;
export const CHANNEL_SUBSCRIPTION_SECONDS = { default: 900, max: 604_800 } as const;
/** Per user and app (SUB-505). */
export const SUBSCRIPTIONS_PER_USER = 20;
/** Renew this long before the end (specification, Limits: 1 to 2 minutes). */
export const RENEW_BEFORE_EXPIRY_SECONDS = 90;
/** Requests a minute by usage group (facts 1.7). */
export const REQUESTS_PER_MINUTE = { Light: 50, Medium: 40, Heavy: 10, Auth: 5 } as const;
/** Ids in one path, and in one body with `*` in the path. */
export const IDS_PER_PATH = 50;
/** Ids in one body, with `*` in the path. */
export const IDS_PER_BODY = 1000;
/** Files of one text together, and how many (facts 1.2). */
export const MMS_BYTES = 1_500_000;
/** A whole request with files: these, and room for the rest. */
export const MMS_REQUEST_BYTES = 2_000_000;
export const MMS_FILES = 10;
export const FAX_BYTES = 50 * 1024 * 1024;
export const FAX_PAGES = 200;
export const FAX_COVER_TEXT_CHARACTERS = 1024;
export const FAX_COVER_INDEX_MAX = 13;
/** Records changed this long before the last sync are given again (specification, Limits). */
export const SYNC_OVERLAP_SECONDS = 5;
/** A sync without dateFrom covers this much (specification, Message sync). */
export const SYNC_DEFAULT_SECONDS = 7 * 86_400;
/** A list without dateFrom covers this much (facts 1.1). */
export const LIST_DEFAULT_SECONDS = 86_400;
/** Deleted messages become Purged, purged ones vanish, after this. */
export const DELETED_SECONDS = 5 * 86_400;
export const PURGED_SECONDS = 5 * 86_400;
/** Messages of one kind in one mailbox before the oldest go (facts 1.1, L463). */
export const MAILBOX_MESSAGES = 5000;
/** Unread voicemails, and unread faxes, in one mailbox; a further one takes the place of the oldest (facts 1.1, L463). */
export const UNREAD_MESSAGES = 200;
/** Sent faxes are kept so long (facts 1.1, L463). */
export const SENT_FAX_DAYS = 30;
/** An ended call appears among the active ones after 3 to 10 s and stays this long. */
export const ACTIVE_CALL_LATENCY_SECONDS = { min: 3, max: 10 } as const;
export const ACTIVE_CALL_RETENTION_SECONDS = 120;
/** Shorter calls leave no recording (facts 1.1, L123). */
export const RECORDING_MIN_SECONDS = 30;
export const CHAT_FIELD_BYTES = 300;
/** All attachments of a post together. */
export const CHAT_POST_BYTES = 1_500_000;
/** A whole post: attachments, and room for the rest. */
export const CHAT_REQUEST_BYTES = 2_000_000;
export const AUTHORIZATION_CODE_SECONDS = 60;
/** Sessions of one user and app; a further one ends the oldest (facts 1.1, L363). */
export const SESSIONS_PER_USER = 5;
