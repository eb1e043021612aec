import type { OptionSpec } from '../runtime/command-description.ts';
import { valueName } from './flags.ts';

/** The kind of a value that completion offers, or a list on a terminal. */
export type ValueKind = ListedKind | 'files' | 'folders' | 'commands';

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

/** Messages of a mailbox: of any type, or only of the types that a command accepts. */
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

/** Returns the kind of a value, by its placeholder in help. An ID in a flag can belong to an object of another kind. */
export function valueKind(path: readonly string[], key: string, option: OptionSpec): ValueKind | undefined {
  const [noun, verb] = path;
  const word = valueName(key, option);
  const isNewName = verb === 'create' || verb === 'add';
  if (noun === 'schema' && word === 'COMMAND') return 'commands';
  if (key === 'profile' || (noun === 'profile' && word === 'NAME' && !isNewName)) return 'profiles';
  if (isNewName && word === 'QUEUE') return undefined;
  if (word.startsWith('ID')) return option.positional ? kindOfId(noun, verb) : undefined;
  return byName.find(([pattern]) => pattern.test(word))?.[1];
}

/** Returns the kind of object that the IDs of a command identify. */
function kindOfId(noun: string | undefined, verb: string | undefined): ListedKind | undefined {
  if (noun === 'subscribe') return 'subscriptions';
  if (noun === 'webhook') return 'chat-webhooks';
  // Dead letters and events have different IDs.
  if (noun === 'events') return verb === 'dlq' ? undefined : 'events';
  if (noun === 'pager') return 'received-pagers';
  if (noun === 'fax') return 'sent-faxes';
  if (noun !== 'message') return undefined;
  return verb === 'restore' ? 'deleted-messages' : 'messages';
}

/** Returns whether a terminal offers the values of this kind as a list. */
export function isListed(kind: ValueKind | undefined): kind is ListedKind {
  return kind !== undefined && kind !== 'files' && kind !== 'folders' && kind !== 'commands';
}
