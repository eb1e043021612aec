/** Returns at most three names that are most similar to a mistyped name, best first. */
export function suggest(typed: string, names: readonly string[]): readonly string[] {
  const limit = Math.max(1, Math.floor(typed.length / 3));
  return names
    .map((name) => ({
      name,
      distance: name.startsWith(typed) && typed.length > 2 ? 0.5 : distance(typed, name),
    }))
    .filter((one) => one.distance <= limit)
    .sort((a, b) => a.distance - b.distance || a.name.localeCompare(b.name))
    .slice(0, 3)
    .map((one) => one.name);
}

/** Names with the same meaning: other commands, or other programs, use another name of the group. */
const sameMeaning = {
  nouns: [
    ['agent', 'extension', 'extensions', 'user', 'users', 'person', 'people'],
    ['calllog', 'ringout', 'call', 'calls'],
    ['sms', 'text', 'texts', 'mms'],
    ['voicemail', 'vm'],
    ['message', 'inbox', 'mailbox'],
    ['download', 'recording', 'recordings', 'attachment'],
    ['subscribe', 'subscription', 'subscriptions', 'notification', 'notifications'],
    ['login', 'signin', 'auth'],
    ['logout', 'signout'],
    ['status', 'whoami'],
    ['history', 'undo'],
    ['hours', 'rule', 'holiday', 'holidays'],
    ['queue', 'member', 'members'],
    ['queue', 'account', 'export'],
  ],
  flags: [
    ['--phone', '--phone-number', '--number'],
    ['--forward-to', '--to'],
    ['--output', '--format'],
    ['--fields', '--columns'],
  ],
  verbs: [
    ['show', 'get'],
    ['list', 'ls'],
    ['remove', 'delete', 'rm'],
  ],
} as const;

/** Returns the names that have the same meaning as a typed name. */
function withSameMeaning(
  kind: keyof typeof sameMeaning,
  typed: string,
  names: readonly string[],
): readonly string[] {
  const groups: readonly (readonly string[])[] = sameMeaning[kind];
  return groups
    .filter((group) => group.includes(typed))
    .flatMap((group) => names.filter((name) => group.includes(name)));
}

/** Returns the first words of commands that have the same meaning as a typed word, or else the most similar words. */
export function suggestNoun(typed: string, names: readonly string[]): readonly string[] {
  const same = withSameMeaning('nouns', typed, names);
  return same.length > 0 ? same : suggest(typed, names);
}

/** Returns the verbs that have the same meaning as a typed verb, or else the most similar verbs. */
export function suggestVerb(typed: string, verbs: readonly string[]): readonly string[] {
  const same = withSameMeaning('verbs', typed, verbs);
  return same.length > 0 ? same : suggest(typed, verbs);
}

/**
 * Returns the flags that a mistyped flag most likely means. Flags of the command come before global flags, and flags
 * with the same meaning before similar flags. A flag with the typed word as one of its parts is similar: `--out` means
 * `--plan-out`, not `--output`.
 */
export function suggestFlag(
  typed: string,
  own: readonly string[],
  all: readonly string[],
): readonly string[] {
  const [flag = ''] = typed.split('=', 1);
  const word = flag.replace(/^--/, '');
  const withPart = own.filter((one) => word.length > 2 && one.slice(2).split('-').includes(word));
  const meant = [...new Set([...withSameMeaning('flags', flag, own), ...withPart])];
  const same = meant.length > 0 ? meant : withSameMeaning('flags', flag, all);
  const near = same.length > 0 ? same : suggest(flag, own);
  return near.length > 0 ? near.slice(0, 3) : suggest(flag, all);
}

/**
 * Edit distance of two words; an insertion, a deletion, a replacement and a swap of adjacent letters count as one edit
 * each.
 * @param limit the greatest distance that is of interest; for a greater distance, the result can be infinite
 */
export function distance(a: string, b: string, limit = Infinity): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  let leastOfLast = 0;
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (areSwapped(a, i, b, j)) best = Math.min(best, (beforeLast[j - 2] ?? 0) + 1);
      row.push(best);
      least = Math.min(least, best);
    }
    // The next row continues from this row, or with one more edit from the last row.
    if (least > limit && leastOfLast >= limit) return Infinity;
    leastOfLast = least;
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}

/** Whether the two letters of `a` before index `i` are the two letters of `b` before index `j` in the other order. */
function areSwapped(a: string, i: number, b: string, j: number): boolean {
  return i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
}
