import type { Client } from '../../client/index.ts';
import type { AnsweringRule, AnsweringRuleRequest } from '../../contract/answering-rule.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { ucctl } from '../../errors/hint.ts';
import { isMissingResource } from '../../errors/service-codes.ts';
import type { Context } from '../../runtime/context.ts';
import { titleOf, type Named } from '../../runtime/with-number.ts';
import type { Receipt } from '../bulk/index.ts';
import {
  whoChanged,
  type PresentResource,
  type ResourceChange,
  type ResourceKind,
} from '../resource-plan/index.ts';
import { bodyOf, canRemove, ruleDefaults, valuesOf } from './values.ts';

/** Kind of the runs that change answering rules, in the journal. */
export const rulesRunKind = 'rule.settings';

/** The rules of the account as resources. */
export interface Rules {
  readonly kind: ResourceKind;
  /** Returns the rules of an extension with all settings. Reads them at the first call. */
  of(extensionId: string): Promise<readonly AnsweringRule[]>;
  /** @throws {CommandError} `read_only_rules` (exit 9) if the account has new call handling (RULE-7). */
  requireWritable(): Promise<void>;
  /** Returns the reason why the rules cannot be changed; undefined if they can. */
  readOnlyReason(): Promise<string | undefined>;
}

/** Returns the key of an existing rule. */
export function ruleKey(extensionId: string, ruleId: string): string {
  return `${extensionId}/${ruleId}`;
}

/** Returns the key of a rule that does not exist yet, and is found by its name after its creation. */
export function newRuleKey(extensionId: string, name: string): string {
  return `${extensionId}/${newMark}${name}`;
}
const newMark = 'new:';

/** Returns the title of a rule for people, with the number of its owner, because several people can have the same name. */
export function ruleTitle(name: string, owner: Named): string {
  return `${name} of ${titleOf(owner)}`;
}

export function splitKey(key: string): { readonly extensionId: string; readonly rule: string } {
  const at = key.indexOf('/');
  return { extensionId: key.slice(0, at), rule: key.slice(at + 1) };
}

/**
 * @param hasNewCallHandling whether the account has new call handling, whose rules this interface cannot change
 * (RULE-7)
 */
export function openRules(ctx: Context, api: Client, hasNewCallHandling: () => Promise<boolean>): Rules {
  const known = new Map<string, Promise<readonly AnsweringRule[]>>();
  let reason: Promise<string | undefined> | undefined;
  const readOnlyReason = (): Promise<string | undefined> =>
    (reason ??= hasNewCallHandling().then((isNew) => (isNew ? newCallHandlingReason : undefined)));
  const requireWritable = async (): Promise<void> => rejectReadOnly(await readOnlyReason());
  const kind: ResourceKind = {
    run: rulesRunKind,
    noun: 'rule',
    what: 'change of answering rules',
    label: 'Changing answering rules',
    resume: ucctl('rule apply --resume'),
    maxItems: 1,
    canRemove,
    defaults: ruleDefaults,
    groups: {
      read: 'Medium',
      readItems: 1,
      update: 'Medium',
      // Searches for the name before the creation.
      creation: () => ({ Medium: 3 }),
    },
    undoCreation: { enabled: false },
    creationNote: 'Undo disables created rules; it does not delete them.',
    read: (refs, signal) => readPresent(api, refs, signal),
    async send([change]) {
      if (!change) return {};
      await requireWritable();
      const taken = change.action === 'create' ? await nameTaken(api, change, ctx.signal) : undefined;
      return taken ? { rejected: new Map([[0, taken]]) } : sendChange(api, change);
    },
    async whoChanged(refs) {
      const ids = refs.map(({ key }) => splitKey(key).extensionId);
      const who = await whoChanged(ctx, api, [...new Set(ids)]);
      return new Map(
        refs.flatMap(({ key }) => {
          const text = who.get(splitKey(key).extensionId);
          return text === undefined ? [] : [[key, text] as const];
        }),
      );
    },
  };
  const of = (extensionId: string): Promise<readonly AnsweringRule[]> => {
    const rules = known.get(extensionId) ?? readAll(api, extensionId, ctx.signal);
    known.set(extensionId, rules);
    return rules;
  };
  return { kind, of, requireWritable, readOnlyReason };
}

async function readAll(
  api: Client,
  extensionId: string,
  signal: AbortSignal | undefined,
): Promise<readonly AnsweringRule[]> {
  const all: AnsweringRule[] = [];
  const rules = api.answeringRules.list(extensionId, 'Detailed', { signal });
  for await (const rule of rules) all.push(rule);
  return all;
}

/** Reads the rules that exist. Reads the list of each extension once. */
async function readPresent(
  api: Client,
  refs: readonly { readonly key: string }[],
  signal: AbortSignal | undefined,
): Promise<Map<string, PresentResource>> {
  const found = new Map<string, PresentResource>();
  const lists = new Map<string, readonly AnsweringRule[]>();
  for (const { key } of refs) {
    const { extensionId, rule } = splitKey(key);
    const list = lists.get(extensionId) ?? (await readAll(api, extensionId, signal).catch(none));
    lists.set(extensionId, list);
    const present = list.find(({ id, name }) => id === rule || isNamed(name, rule));
    if (present) found.set(key, { id: present.id, values: valuesOf(present) });
  }
  return found;
}

/**
 * Rejects a creation if a rule has the name. A creation without a reply may have been made. Names are not unique on the
 * service, so a second creation would make a second rule.
 */
async function nameTaken(
  api: Client,
  { key }: ResourceChange,
  signal: AbortSignal | undefined,
): Promise<Receipt | undefined> {
  const { extensionId, rule } = splitKey(key);
  const found = (await readAll(api, extensionId, signal)).find(({ name }) => isNamed(name, rule));
  if (!found) return undefined;
  return { code: 'exists', message: `a rule with this name exists (ID ${found.id}), with other settings` };
}

/** Whether the key of a new rule names this rule. */
function isNamed(name: string | undefined, rule: string): boolean {
  return `${newMark}${name}` === rule;
}

async function sendChange(
  { answeringRules }: Pick<Client, 'answeringRules'>,
  { action, key, id, after }: ResourceChange,
): Promise<{ readonly requestId: string | undefined }> {
  const { extensionId } = splitKey(key);
  let requestId: string | undefined;
  const options = {
    onReply: (reply: { readonly requestId: string | undefined }): void => {
      requestId = reply.requestId;
    },
  };
  const body = bodyOf(after);
  if (action === 'create') {
    const rule = { type: 'Custom', ...body } as unknown as AnsweringRuleRequest;
    await answeringRules.create(extensionId, rule, options);
  } else await answeringRules.update(extensionId, id ?? '', body, options);
  return { requestId };
}

const newCallHandlingReason =
  'answering rules are read-only: the account has new call handling (feature NewCallHandlingAndForwarding)';

function rejectReadOnly(reason: string | undefined): void {
  if (reason === undefined) return;
  throw new CommandError('read_only_rules', Exit.blocked, reason, {
    hint: 'nothing was sent; change the call handling in the account portal',
  });
}

/** An extension that no longer exists has no rules. */
function none(error: unknown): readonly AnsweringRule[] {
  if (!isMissingResource(error)) throw error;
  return [];
}
