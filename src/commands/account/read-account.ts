import type { Client } from '../../client/index.ts';
import type { AnsweringRule } from '../../contract/answering-rule.ts';
import type { Extension } from '../../contract/extension.ts';
import { partNames, type AccountItem, type PartName } from '../../features/account-files/index.ts';
import {
  openRules,
  ruleDefaults,
  ruleItem,
  ruleKey,
  givenValuesOf as ruleValues,
} from '../../features/answering-rules/index.ts';
import { readMembershipWithProgress } from '../../features/assignment/index.ts';
import { announceTime, progressText } from '../../features/bulk/index.ts';
import type { Directory } from '../../features/directory/index.ts';
import { company } from '../../runtime/lookup.ts';
import { fileDays, fileItem, hoursKind } from '../../features/hours/index.ts';
import { fileValuesOf, omittedOf, openPeople, personItem } from '../../features/people/index.ts';
import { hasNewCallHandling } from '../../features/presence/index.ts';
import { queueFileForm, readQueueSettings } from '../../features/queue-settings/index.ts';
import { fileValues, nestValues, omittedValues, type Values } from '../../features/resource-plan/index.ts';
import { compareNumbers } from '../../platform/number-order.ts';
import type { Context } from '../../runtime/context.ts';
import { titleOf } from '../../runtime/with-number.ts';

/** One part of the account: the content of its file, and its items for a comparison. */
export interface AccountPart {
  readonly part: PartName;
  /** The content of the file: one list. */
  readonly document: Readonly<Record<string, readonly object[]>>;
  readonly items: ReadonlyMap<string, AccountItem>;
  /** The published defaults of settings that the service may omit. */
  readonly defaults?: Values;
}

/** The parts of an account, as they are now. */
export interface Account {
  readonly parts: readonly AccountPart[];
  /** Returns the rules of an extension, as read for the part `rules`. */
  rulesOf(extensionId: string): readonly AnsweringRule[];
}

/** The parts of an account to read. */
export interface AccountScope {
  readonly parts: readonly PartName[];
  /** Whether to read the hours and rules of people, besides the hours and rules of the company and the queues. */
  readonly personal: boolean;
}

interface Source {
  readonly ctx: Context;
  readonly api: Client;
  readonly directory: Directory;
  readonly queues: readonly Extension[];
  readonly people: readonly Extension[];
  /** The extensions whose hours and rules are read. */
  readonly owners: readonly Extension[];
  readonly rules: Map<string, readonly AnsweringRule[]>;
}

/** Reports the estimated time, then reads the selected parts of the account sequentially. */
export async function readAccount(
  ctx: Context,
  api: Client,
  directory: Directory,
  { parts, personal }: AccountScope,
): Promise<Account> {
  const all = await directory.all();
  const queues = inOrder(all.filter(({ type }) => type === 'Department'));
  const people = inOrder(await openPeople(ctx, api, () => directory.all()).all());
  const owners = personal ? [...queues, ...people] : queues;
  const reads = (part: PartName, count: number): number => (parts.includes(part) ? count : 0);
  announceTime(ctx, 'Reading the account', {
    Medium: 1 + reads('rules', owners.length),
    Light: reads('queues', queues.length * 2) + reads('hours', owners.length + 1),
  });
  const source = { ctx, api, directory, queues, people, owners, rules: new Map() };
  const found: AccountPart[] = [];
  for (const part of partNames.filter((name) => parts.includes(name)))
    found.push(await readers[part](source));
  return { parts: found, rulesOf: (id) => source.rules.get(id) ?? [] };
}

/** Sorts extensions by number, so that the files of two exports can be compared. */
function inOrder(extensions: readonly Extension[]): readonly Extension[] {
  const orderOf = ({ extensionNumber, id }: Extension): string => extensionNumber ?? String(id);
  return extensions.toSorted((one, other) => compareNumbers(orderOf(one), orderOf(other)));
}

const readers: Readonly<Record<PartName, (source: Source) => Promise<AccountPart>>> = {
  queues: readQueues,
  people: readPeople,
  hours: readHours,
  rules: readRules,
};

/** A queue with the settings that its file contains. */
type QueueItem = Required<AccountItem> & { readonly ofFile: Values };

async function readQueues({ ctx, api, directory, queues }: Source): Promise<AccountPart> {
  const ids = queues.map(({ id }) => String(id));
  const settings = await readQueueSettings(ctx, api, ids);
  const membership = await readMembershipWithProgress(ctx, api, ids);
  const known = new Map((await directory.all()).map((one) => [String(one.id), titleOf(one)]));
  const items = queues.map((queue): QueueItem => {
    const key = String(queue.id);
    const members = [...(membership.get(key) ?? [])]
      .map((id) => [id, known.get(id) ?? `extension ${id}`] as const)
      .toSorted(([, one], [, other]) => compareNumbers(one, other));
    const present = settings.get(key)?.values ?? {};
    const ofFile = fileValues(queueFileForm.settings, present);
    const item = itemOf(key, titleOf(queue), ofFile, omittedValues(present, ofFile));
    return { ...item, ofFile, members: new Map(members) };
  });
  const list = items.map(({ key, title, ofFile, members }) => ({
    queue: key,
    name: title,
    settings: nestValues(ofFile),
    agents: [...members].map(([agent, name]) => ({ agent, name })),
  }));
  return { part: 'queues', document: { queues: list }, items: byKey(items) };
}

function readPeople({ people }: Source): Promise<AccountPart> {
  const items = people.map((person) =>
    itemOf(String(person.id), titleOf(person), fileValuesOf(person), omittedOf(person)),
  );
  const agents = people.map(personItem);
  return Promise.resolve({ part: 'people', document: { agents }, items: byKey(items) });
}

async function readHours({ ctx, api, owners }: Source): Promise<AccountPart> {
  const refs = [
    { id: company, key: company, title: 'Company' },
    ...owners.map((owner) => ({ id: String(owner.id), key: String(owner.id), title: titleOf(owner) })),
  ];
  const kind = hoursKind(ctx, api);
  const items = await ctx.out.progress('Reading business hours', async (update) => {
    const found: { readonly item: AccountItem; readonly ofFile: ReturnType<typeof fileItem> }[] = [];
    for (const [done, ref] of refs.entries()) {
      update(progressText({ done, failed: 0, total: refs.length }));
      const { values } = (await kind.read([ref], ctx.signal)).get(ref.key) ?? {};
      if (!values) continue;
      const { key, title } = ref;
      const ofFile = fileDays(values);
      const item = itemOf(key, title, ofFile, omittedValues(values, ofFile));
      found.push({ item, ofFile: fileItem(key, title, values) });
    }
    return found;
  });
  const hours = items.map(({ ofFile }) => ofFile);
  return { part: 'hours', document: { hours }, items: byKey(items.map(({ item }) => item)) };
}

async function readRules({ ctx, api, owners, rules }: Source): Promise<AccountPart> {
  const reader = openRules(ctx, api, () => hasNewCallHandling(ctx, api));
  const items: AccountItem[] = [];
  const list: object[] = [];
  await ctx.out.progress('Reading answering rules', async (update) => {
    for (const [done, owner] of owners.entries()) {
      update(progressText({ done, failed: 0, total: owners.length }));
      const id = String(owner.id);
      const own = await reader.of(id);
      rules.set(id, own);
      for (const rule of own) {
        const title = `${rule.name ?? rule.id} of ${titleOf(owner)}`;
        items.push({ key: ruleKey(id, rule.id), title, values: ruleValues(rule) });
        list.push(ruleItem(id, rule));
      }
    }
  });
  return { part: 'rules', document: { rules: list }, items: byKey(items), defaults: ruleDefaults };
}

/** Returns an item. A comparison also shows the values that no file can contain. */
function itemOf(
  key: string,
  title: string,
  ofFile: Values,
  omitted: Values,
): AccountItem & { readonly omitted: Values } {
  return { key, title, values: { ...ofFile, ...omitted }, omitted };
}

function byKey<T extends AccountItem>(items: readonly T[]): ReadonlyMap<string, T> {
  return new Map(items.map((item) => [item.key, item]));
}
