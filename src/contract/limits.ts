/** Limits of the service (specification, Limits; facts 1.1). Imports nothing: the client counts with it before sending. */

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
/** Time in which a webhook must answer, by the specification. */
export const webhookResponseMilliseconds = 1000;
/** Whole reply to a handshake, headers included. */
export const webhookResponseBytes = 1024;
export const webhookSubscriptionSeconds = { default: 604_800, max: 315_360_000 } as const;
export const channelSubscriptionSeconds = { default: 900, max: 604_800 } as const;
/** Per user and app (SUB-505). */
export const subscriptionsPerUser = 20;
/** Renew this long before the end (specification, Limits: 1 to 2 minutes). */
export const renewBeforeExpirySeconds = 90;
/** Requests a minute by usage group (facts 1.7). */
export const requestsPerMinute = { Light: 50, Medium: 40, Heavy: 10, Auth: 5 } as const;
/** Ids in one path, and in one body with `*` in the path. */
export const idsPerPath = 50;
/** Ids in one body, with `*` in the path. */
export const idsPerBody = 1000;
/** Content type of a request or reply about several ids as one JSON array. */
export const batchContentType = 'application/vnd.ringcentral.multipart+json';
/** Files of one text together, and how many (facts 1.2). */
export const mmsBytes = 1_500_000;
/** A whole request with files: these, and room for the rest. */
export const mmsRequestBytes = 2_000_000;
export const mmsFiles = 10;
export const faxBytes = 50 * 1024 * 1024;
export const faxPages = 200;
export const faxCoverTextCharacters = 1024;
export const faxCoverIndexMax = 13;
/** Records changed this long before the last sync are given again (specification, Limits). */
export const syncOverlapSeconds = 5;
/** A sync without dateFrom covers this much (specification, Message sync). */
export const syncDefaultSeconds = 7 * 86_400;
/** A list without dateFrom covers this much (facts 1.1). */
export const listDefaultSeconds = 86_400;
/** Deleted messages become Purged, purged ones vanish, after this. */
export const deletedSeconds = 5 * 86_400;
export const purgedSeconds = 5 * 86_400;
/** Messages of one kind in one mailbox before the oldest go (facts 1.1, L463). */
export const mailboxMessages = 5000;
/** Unread voicemails, and unread faxes, in one mailbox; a further one takes the place of the oldest (facts 1.1, L463). */
export const unreadMessages = 200;
/** Sent faxes are kept so long (facts 1.1, L463). */
export const sentFaxDays = 30;
/** An ended call appears among the active ones after 3 to 10 s and stays this long. */
export const activeCallLatencySeconds = { min: 3, max: 10 } as const;
export const activeCallRetentionSeconds = 120;
/** Shorter calls leave no recording (facts 1.1, L123). */
export const recordingMinSeconds = 30;
export const chatFieldBytes = 300;
/** All attachments of a post together. */
export const chatPostBytes = 1_500_000;
/** A whole post: attachments, and room for the rest. */
export const chatRequestBytes = 2_000_000;
export const authorizationCodeSeconds = 60;
/** Sessions of one user and app; a further one ends the oldest (facts 1.1, L363). */
export const sessionsPerUser = 5;
