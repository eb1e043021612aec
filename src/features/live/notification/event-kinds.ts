/** A kind of event that users select with a short name. */
interface EventKind {
  /** Whether the filter starts with the path of an extension or with the path of the account. */
  readonly owner: 'extension' | 'account';
  /** End of the path of the filter (EVENT-5 to EVENT-9). */
  readonly path: string;
  /** Query parameters of the filter. */
  readonly query?: Readonly<Record<string, string>>;
  /**
   * How ucctl recovers missed events: it reads new messages, it reads the current state, or it cannot recover
   * them.
   */
  readonly recovery: 'messages' | 'presence' | 'none';
}

/**
 * The kinds of events by short name. Commands also accept `reminder:THRESHOLD,INTERVAL` and raw paths. Samples of the
 * kinds are in `sample.ts`, and their descriptions in `../describe`.
 */
export const eventKinds = {
  messages: { owner: 'extension', path: '/message-store', recovery: 'messages' },
  presence: { owner: 'extension', path: '/presence', recovery: 'presence' },
  'presence:detailed': {
    owner: 'extension',
    path: '/presence',
    query: { detailedTelephonyState: 'true' },
    recovery: 'presence',
  },
  'presence:sip': {
    owner: 'extension',
    path: '/presence',
    query: { detailedTelephonyState: 'true', sipData: 'true' },
    recovery: 'presence',
  },
  lines: { owner: 'extension', path: '/presence/line', recovery: 'none' },
  extensions: { owner: 'account', path: '/extension', recovery: 'none' },
} as const satisfies Readonly<Record<string, EventKind>>;

/** Short name of an event kind. */
export type EventName = keyof typeof eventKinds;

/** The short names, in the order of help and messages. */
export const eventNames = Object.keys(eventKinds) as readonly EventName[];

/** Whether a text is a short name of an event kind. */
export function isEventName(text: string): text is EventName {
  return Object.hasOwn(eventKinds, text);
}

/** Returns the end of the filter: the part of the path after the extension or account, and the query. */
export function filterTail(name: EventName): string {
  const { path, query = {} }: EventKind = eventKinds[name];
  const parameters = new URLSearchParams(query).toString();
  return parameters === '' ? path : `${path}?${parameters}`;
}

/** Returns the query parameters of a filter that its event kind does not define, such as `type=SMS`. */
export function conditionsOf(name: EventName, filter: string): string {
  const { query = {} }: EventKind = eventKinds[name];
  const parameters = new URLSearchParams(filter.split('?', 2)[1]);
  for (const defined of Object.keys(query)) parameters.delete(defined);
  return parameters.toString();
}

/**
 * Returns the filter of an event kind, or the event of its notifications.
 * @param account the path of the account
 */
export function filterPath(name: EventName, account: string, extensionId: string | number): string {
  const owner = eventKinds[name].owner === 'account' ? account : `${account}/extension/${extensionId}`;
  return owner + filterTail(name);
}

/**
 * Returns the event kind that matches a filter; undefined if none matches. The filter may have parameters that the
 * kind does not define. If several kinds match, returns the kind with the most parameters.
 */
export function kindOfFilter(
  { owner, path }: Pick<EventKind, 'owner' | 'path'>,
  parameters: URLSearchParams,
): EventName | undefined {
  const found = eventNames.filter((name) => {
    const kind: EventKind = eventKinds[name];
    return (
      kind.owner === owner &&
      kind.path === path &&
      Object.entries(kind.query ?? {}).every(([key, value]) => parameters.get(key) === value)
    );
  });
  const parametersOf = (name: EventName): number =>
    Object.keys((eventKinds[name] as EventKind).query ?? {}).length;
  return found.toSorted((a, b) => parametersOf(b) - parametersOf(a))[0];
}

/**
 * Returns how ucctl recovers missed events of a filter with this name; `none` for a name that is not an event
 * kind.
 */
export function recoveryOf(name: string): EventKind['recovery'] {
  return isEventName(name) ? eventKinds[name].recovery : 'none';
}
