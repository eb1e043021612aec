import { isAsDesired, isTrimmedText, type Value, type Values } from '../resource-plan/index.ts';

/** A queue, a person, a schedule or a rule. */
export interface AccountItem {
  /** The key, which is unique in its part of the account, and equal in folder and account. */
  readonly key: string;
  /** Name for people, such as `Support (201)`. */
  readonly title: string;
  readonly values: Values;
  /** Those values of the account that no file can contain. */
  readonly omitted?: Values;
  /** IDs of the members of a queue with their names; absent if the file does not list them. */
  readonly members?: ReadonlyMap<string, string>;
}

/** One difference between a folder and the account. */
export interface Difference {
  readonly key: string;
  readonly title: string;
  readonly kind: 'missing' | 'setting' | 'agent';
  /** Name of the setting or of the agent; or the title of an item that exists on only one side. */
  readonly name: string;
  /** The value in the folder; for agents and missing items, whether the folder contains them. */
  readonly inFolder: Value;
  readonly inAccount: Value;
  /** Whether a plan of the file changes the account. A plan does not change values that only the account has. */
  readonly isPlanned: boolean;
  /** Whether no file can contain the value of the account. */
  readonly isOmitted?: boolean;
}

/**
 * Compares one part of the account: missing items, different settings, and members.
 * @param defaults the published defaults of settings that the service may omit
 */
export function compareItems(
  folder: ReadonlyMap<string, AccountItem>,
  account: ReadonlyMap<string, AccountItem>,
  defaults: Values = {},
): readonly Difference[] {
  const listed = [...folder.values()].flatMap((item) => {
    const present = account.get(item.key);
    return present ? differencesOf(item, present, defaults) : [missing(item, { inFolder: true })];
  });
  const unlisted = [...account.values()].filter(({ key }) => !folder.has(key));
  return [...listed, ...unlisted.map((item) => missing(item, { inFolder: false }))];
}

function missing({ key, title }: AccountItem, { inFolder }: { readonly inFolder: boolean }): Difference {
  return { key, title, kind: 'missing', name: title, inFolder, inAccount: !inFolder, isPlanned: inFolder };
}

function differencesOf(item: AccountItem, present: AccountItem, defaults: Values): readonly Difference[] {
  const { key } = item;
  const { title } = present;
  const names = new Set([...Object.keys(item.values), ...Object.keys(present.values)]);
  const settings = [...names].flatMap((name): readonly Difference[] => {
    const [inFolder, inAccount] = [item.values[name] ?? null, present.values[name] ?? null];
    const isDesired = isAsDesired(inAccount, inFolder, defaults[name]);
    if (isDesired && (isAsDesired(inFolder, inAccount, defaults[name]) || isTrimmedText(inAccount, inFolder)))
      return [];
    const isPlanned = name in item.values && !isDesired;
    const isOmitted = name in (present.omitted ?? {});
    return [{ key, title, kind: 'setting', name, inFolder, inAccount, isPlanned, isOmitted }];
  });
  return [...settings, ...memberDifferences(item, present)];
}

function memberDifferences({ key, members: own }: AccountItem, present: AccountItem): readonly Difference[] {
  const { title, members: theirs } = present;
  if (!own || !theirs) return [];
  const agent = (name: string, inFolder: boolean): Difference => ({
    key,
    title,
    kind: 'agent',
    name,
    inFolder,
    inAccount: !inFolder,
    isPlanned: true,
  });
  return [
    ...[...own].filter(([id]) => !theirs.has(id)).map(([, name]) => agent(name, true)),
    ...[...theirs].filter(([id]) => !own.has(id)).map(([, name]) => agent(name, false)),
  ];
}
