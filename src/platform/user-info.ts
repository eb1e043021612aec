/**
 * Masks the user name and password of a URL that may be invalid, for messages. In an invalid URL, they can end at any
 * `@`, so everything before the last `@` is masked, except the scheme and the prefix `EVENT=` of a target before it.
 */
export function maskUserInfo(text: string): string {
  return text.replace(/^((?:(?:[a-z:]+=)?[a-z][a-z0-9+.-]*:(?=[/\\]))?[/\\]*).*@/is, '$1***@');
}

/**
 * The key in the address of a chat webhook, with which anyone can post (CHAT-5). Its first characters remain readable,
 * because other receivers have addresses of the older form, and targets must be distinguishable.
 */
const chatKey = /(\/webhook\/(?:v2\/)?[0-9a-f]{4})[0-9a-f]{4}-[0-9a-f-]{27}/gi;

/** Whether the path of a URL is the address of a chat webhook in its present form (CHAT-5). */
export function isChatWebhook(path: string): boolean {
  return /^\/webhook\/v2\/[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(path);
}

/** Masks the user names and passwords of all valid URLs in a text, such as a command, and the keys in addresses of chat webhooks. */
export function maskUserInfoIn(text: string): string {
  return text.replaceAll(/([a-z][a-z0-9+.-]*:\/\/)[^/\s]*@/gi, '$1***@').replaceAll(chatKey, '$1***');
}
