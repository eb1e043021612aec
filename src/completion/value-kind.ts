/** What a value is, where more than a fixed list can be offered for it. */
export type ValueKind = 'profiles' | 'queues' | 'agents' | 'subscriptions' | 'files' | 'folders';

const byName: readonly (readonly [RegExp, ValueKind])[] = [
  [/^FILE/, 'files'],
  [/^FOLDER/, 'folders'],
  [/^QUEUE/, 'queues'],
  [/^(AGENT|EXT)/, 'agents'],
];

/** The kind of a value, by the word that help shows for it. */
export function valueKind(path: readonly string[], key: string, word: string): ValueKind | undefined {
  const [noun, verb] = path;
  const isNewName = verb === 'create' || verb === 'add';
  if (key === 'profile' || (noun === 'profile' && word === 'NAME' && !isNewName)) return 'profiles';
  if (noun === 'subscribe' && word.startsWith('ID')) return 'subscriptions';
  if (isNewName && word === 'QUEUE') return undefined;
  return byName.find(([pattern]) => pattern.test(word))?.[1];
}
