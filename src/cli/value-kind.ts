/** The kind of a value that completion offers, or a list on a terminal. */
export type ValueKind = ListedKind | 'files' | 'folders';

/** Kinds of values that a terminal offers as a list if an argument is missing. Only queues, agents and subscriptions are cached for completion. */
export type ListedKind =
  | 'profiles'
  | 'queues'
  | 'agents'
  | 'subscriptions'
  | 'runs'
  | 'calls'
  | 'chat-webhooks'
  | 'events'
  | MessageKind;

/** Messages of a mailbox: of any type, or only those that a command accepts. */
export type MessageKind = 'messages' | 'deleted-messages' | 'received-pagers' | 'sent-faxes';

const byName: readonly (readonly [RegExp, ValueKind])[] = [
  [/^FILE/, 'files'],
  [/^FOLDER/, 'folders'],
  [/^QUEUE/, 'queues'],
  [/^(AGENT|EXT)/, 'agents'],
  [/^RUN/, 'runs'],
  [/^SESSION\|ID/, 'calls'],
  [/^MESSAGE/, 'messages'],
];

/** The kind of a value, by its placeholder in help. */
export function valueKind(path: readonly string[], key: string, word: string): ValueKind | undefined {
  const [noun, verb] = path;
  const isNewName = verb === 'create' || verb === 'add';
  if (key === 'profile' || (noun === 'profile' && word === 'NAME' && !isNewName)) return 'profiles';
  if (noun === 'subscribe' && word.startsWith('ID')) return 'subscriptions';
  if (isNewName && word === 'QUEUE') return undefined;
  if (word.startsWith('ID')) return key === 'conversation' ? undefined : kindOfId(noun, verb);
  return byName.find(([pattern]) => pattern.test(word))?.[1];
}

/** What the ids of a command identify. */
function kindOfId(noun: string | undefined, verb: string | undefined): ListedKind | undefined {
  if (noun === 'webhook') return 'chat-webhooks';
  // The ids of dead letters are not those of events.
  if (noun === 'events') return verb === 'dlq' ? undefined : 'events';
  if (noun === 'pager') return 'received-pagers';
  if (noun === 'fax') return 'sent-faxes';
  if (noun !== 'message') return undefined;
  return verb === 'restore' ? 'deleted-messages' : 'messages';
}

/** Whether a terminal offers the values of this kind as a list. */
export function isListed(kind: ValueKind | undefined): kind is ListedKind {
  return kind !== undefined && kind !== 'files' && kind !== 'folders';
}
