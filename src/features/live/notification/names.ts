/** Short names of event filters, beside `reminder:THRESHOLD,INTERVAL` and raw paths. */
export const eventNames = [
  'messages',
  'presence',
  'presence:detailed',
  'presence:sip',
  'lines',
  'extensions',
] as const;
export type EventName = (typeof eventNames)[number];

/** What follows an extension's path, or the account's for `extensions` (EVENT-5 to EVENT-9). */
export const filterTails: Readonly<Record<EventName, string>> = {
  messages: '/message-store',
  presence: '/presence',
  'presence:detailed': '/presence?detailedTelephonyState=true',
  'presence:sip': '/presence?detailedTelephonyState=true&sipData=true',
  lines: '/presence/line',
  extensions: '/extension',
};

/** Whether a word is the name of a kind of events. */
export function isEventName(text: string): text is EventName {
  return (eventNames as readonly string[]).includes(text);
}
