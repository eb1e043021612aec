/** Short names of event filters. Commands also accept `reminder:THRESHOLD,INTERVAL` and raw paths. */
export const eventNames = [
  'messages',
  'presence',
  'presence:detailed',
  'presence:sip',
  'lines',
  'extensions',
] as const;
export type EventName = (typeof eventNames)[number];

/**
 * End of the filter path for each name. It follows the path of the extension, or of the account for `extensions`
 * (EVENT-5 to EVENT-9).
 */
export const filterTails: Readonly<Record<EventName, string>> = {
  messages: '/message-store',
  presence: '/presence',
  'presence:detailed': '/presence?detailedTelephonyState=true',
  'presence:sip': '/presence?detailedTelephonyState=true&sipData=true',
  lines: '/presence/line',
  extensions: '/extension',
};

/** Whether a text is a short name of an event filter. */
export function isEventName(text: string): text is EventName {
  return (eventNames as readonly string[]).includes(text);
}
