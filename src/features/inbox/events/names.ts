/** Short names of event filters, beside `reminder:THRESHOLD,INTERVAL` and raw paths. */
export const EVENT_NAMES = [
  'messages',
  'presence',
  'presence:detailed',
  'presence:sip',
  'lines',
  'extensions',
] as const;
export type EventName = (typeof EVENT_NAMES)[number];

/** What follows an extension's path, or the account's for `extensions` (specification, Event filters). */
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
  return (EVENT_NAMES as readonly string[]).includes(text);
}
