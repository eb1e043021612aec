/** Limits of the service. Imports nothing: the client counts with them before sending. */

/** UTF-16 code units in one SMS. */
export const smsTextUnits = 1000;
/** UTF-16 code units in one page. */
export const pagerTextUnits = 1024;
export const accessTokenSeconds = { min: 600, max: 3600, default: 3600 } as const;
export const refreshTokenSeconds = 604_800;
export const defaultPerPage = 100;
/** A larger perPage is clamped to this. */
export const maxPerPage = 1000;
export const presenceMessageCharacters = 75;
/** Time in which a webhook must answer in dialect `spec`: WEBHOOK-2. */
export const webhookResponseMilliseconds = 1000;
/** Whole reply to a handshake, headers included. */
export const webhookResponseBytes = 1024;
export const webhookSubscriptionSeconds = { default: 604_800, max: 315_360_000 } as const;
export const channelSubscriptionSeconds = { default: 900, max: 604_800 } as const;
/** Per user and app (SUB-505). */
export const subscriptionsPerUser = 20;
/** Renewal this long before the end, within the one to two minutes of SUBSCRIPTION-23. */
export const renewBeforeExpirySeconds = 90;
/** Requests a minute by usage group: RATE-1 to RATE-4. */
export const requestsPerMinute = { Light: 50, Medium: 40, Heavy: 10, Auth: 5 } as const;
/** Ids in one path, and in one body with `*` in the path. */
export const idsPerPath = 50;
/** Ids in one body, with `*` in the path. */
export const idsPerBody = 1000;
/** Content type of a request or reply about several ids as one JSON array. */
export const batchContentType = 'application/vnd.ringcentral.multipart+json';
/** Bytes of all files of one text, and their number: SMS-9. */
export const mmsBytes = 1_500_000;
/** A whole request with files: these, and room for the rest. */
export const mmsRequestBytes = 2_000_000;
export const mmsFiles = 10;
export const faxBytes = 50 * 1024 * 1024;
export const faxPages = 200;
export const faxCoverTextCharacters = 1024;
export const faxCoverIndexMax = 13;
/** A sync returns again what changed this long before the previous one: SYNC-14. */
export const syncOverlapSeconds = 5;
/** A sync without dateFrom covers this much: SYNC-5. */
export const syncDefaultSeconds = 7 * 86_400;
/** A list without dateFrom covers this much: MESSAGE-43. */
export const listDefaultSeconds = 86_400;
/** Deleted messages become Purged, purged ones vanish, after this. */
export const deletedSeconds = 5 * 86_400;
export const purgedSeconds = 5 * 86_400;
/** Messages of one kind in one mailbox before the oldest are deleted: MESSAGE-31. */
export const mailboxMessages = 5000;
/** Unread voicemails, and unread faxes, in one mailbox; the next one replaces the oldest: MESSAGE-31. */
export const unreadMessages = 200;
/** Sent faxes are stored this long: MESSAGE-31. */
export const sentFaxDays = 30;
/** An ended call appears among the active ones after 3 to 10 s and stays this long. */
export const activeCallLatencySeconds = { min: 3, max: 10 } as const;
export const activeCallRetentionSeconds = 120;
/** Shorter calls leave no recording: MEDIA-6. */
export const recordingMinSeconds = 30;
export const chatFieldBytes = 300;
/** All attachments of a post together. */
export const chatPostBytes = 1_500_000;
/** A whole post: attachments, and room for the rest. */
export const chatRequestBytes = 2_000_000;
export const authorizationCodeSeconds = 60;
/** Sessions of one user and application; the next one ends the oldest: OAUTH-50. */
export const sessionsPerUser = 5;
