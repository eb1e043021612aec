import type { AnsweringRuleRequest, AnsweringRuleUpdate } from '../../contract/answering-rule.ts';
import { auditActions, detailsOf, noteChange } from '../audit/note.ts';
import { extensionsChanged } from '../directory/events.ts';
import type { ExtensionRow } from '../directory/extension-store.ts';
import { readableExtension } from '../request/access.ts';
import { extensionOf, type Authorized, type Guard, type Handler } from '../request/call.ts';
import { invalidParameter, notFound, userNotAllowed } from '../request/errors.ts';
import { listReply, pageOf } from '../request/paging.ts';
import { addressOf, extensionPath } from '../request/uris.ts';
import type { World } from '../world/world.ts';
import { mayChangeExtension } from './hours-routes.ts';
import type { RuleRow } from './store.ts';

/** The rules that every extension has (RULE-2). */
const standardRules: readonly Omit<RuleRow, 'extensionId'>[] = [
  {
    id: 'business-hours-rule',
    type: 'BusinessHours',
    body: JSON.stringify({ name: 'Business hours', enabled: true, callHandlingAction: 'ForwardCalls' }),
  },
  {
    id: 'after-hours-rule',
    type: 'AfterHours',
    body: JSON.stringify({ name: 'After hours', enabled: true, callHandlingAction: 'TakeMessagesOnly' }),
  },
];

/** Serves GET .../answering-rule: custom rules by default. The view Simple contains only the names of rules. */
export const listAnsweringRules: Handler<'listAnsweringRules'> = (call) => {
  const { world, query } = call;
  const extension = readableExtension(call);
  const types = query.type ?? ['Custom'];
  const rows = rulesOf(world, extension.id).filter(
    (row) =>
      types.includes(row.type as 'Custom') && (query.enabledOnly !== true || bodyOf(row)['enabled'] === true),
  );
  const page = pageOf(query);
  const { limit, offset } = page.window;
  const slice = { rows: rows.slice(offset, offset + limit), total: rows.length };
  const path = `${extensionPath(extension)}/answering-rule`;
  const filters = { type: query.type, view: query.view, enabledOnly: query.enabledOnly };
  const isSimple = query.view !== 'Detailed';
  return {
    json: listReply({ world, path, filters, page }, slice, (row) => toRule(world, extension, row, isSimple)),
  };
};

/** Serves GET .../answering-rule/{ruleId}. */
export const readAnsweringRule: Handler<'readAnsweringRule'> = (call) => {
  const extension = readableExtension(call);
  return { json: toRule(call.world, extension, ruleOf(call, extension)) };
};

/** Serves POST .../answering-rule: creates a custom rule. */
export const createAnsweringRule: Handler<'createAnsweringRule'> = (call) => {
  const { world, caller } = call;
  const { type, ...body }: AnsweringRuleRequest = call.body;
  const extension = extensionOf(call);
  if (type !== 'Custom') throw invalidParameter('type', 'you can create only custom rules');
  requireFreeName(world, extension.id, body.name);
  const id = String(world.nextId('answeringRule', 6_500_000));
  const row = { extensionId: extension.id, id, type, body: JSON.stringify({ enabled: true, ...body }) };
  world.hours.saveRule(row);
  noteChange(world, caller.extension, auditActions.ruleCreated, extension, detailsOf(body));
  extensionsChanged(world, extension.accountId, [extension.id], 'AnsweringRules');
  return { json: toRule(world, extension, row) };
};

/** Serves PUT .../answering-rule/{ruleId}: changes the members in the request. */
export const updateAnsweringRule: Handler<'updateAnsweringRule'> = (call) => {
  const { world, caller } = call;
  const { id = call.params['ruleId'], type, ...update }: AnsweringRuleUpdate = call.body;
  const extension = extensionOf(call);
  const before = ruleOf(call, extension);
  if (id !== before.id) throw invalidParameter('id', 'the ID of a rule cannot change');
  if (type !== undefined && type !== before.type)
    throw invalidParameter('type', 'the type of a rule cannot change');
  if (update.name !== undefined) requireFreeName(world, extension.id, update.name, before.id);
  const row = { ...before, body: JSON.stringify({ ...bodyOf(before), ...update }) };
  world.hours.saveRule(row);
  noteChange(world, caller.extension, auditActions.rule, extension, { rule: row.id, ...detailsOf(update) });
  if (row.body !== before.body)
    extensionsChanged(world, extension.accountId, [extension.id], 'AnsweringRules');
  return { json: toRule(world, extension, row) };
};

/** Serves DELETE .../answering-rule/{ruleId}, only for custom rules. */
export const deleteAnsweringRule: Handler<'deleteAnsweringRule'> = (call) => {
  const { world, caller } = call;
  const extension = extensionOf(call);
  const row = ruleOf(call, extension);
  if (row.type !== 'Custom') throw invalidParameter('ruleId', 'you can delete only custom rules');
  world.hours.removeRule(extension.id, row.id);
  noteChange(world, caller.extension, auditActions.ruleDeleted, extension, { rule: row.id });
  extensionsChanged(world, extension.accountId, [extension.id], 'AnsweringRules');
  return {};
};

/**
 * Rejects changes by users who may not make them, and on accounts whose rules this interface cannot change (RULE-7).
 */
export const mayChangeRules: Guard = (call) => {
  mayChangeExtension(call);
  if (!call.world.settings.newCallHandling) return;
  throw userNotAllowed('CMN-408', 'The account has new call handling, so answering rules are read-only');
};

/** Returns the rules of an extension: the standard rules, changed or not, and the custom rules. */
function rulesOf(world: World, extensionId: number): readonly RuleRow[] {
  const stored = world.hours.rules(extensionId);
  const standard = standardRules.map(({ id, type, body }) => {
    const changed = stored.find((row) => row.id === id);
    return changed ?? { id, type, body, extensionId };
  });
  return [...standard, ...stored.filter(({ type }) => type === 'Custom')];
}

function ruleOf({ world, params }: Authorized, { id }: ExtensionRow): RuleRow {
  const row = rulesOf(world, id).find((rule) => rule.id === params['ruleId']);
  if (!row) throw notFound('ruleId');
  return row;
}

function requireFreeName(world: World, extensionId: number, name: string, own?: string): void {
  const other = rulesOf(world, extensionId).find((row) => row.id !== own && bodyOf(row)['name'] === name);
  if (other) throw invalidParameter('name', 'another rule already has this name');
}

function bodyOf({ body }: RuleRow): Readonly<Record<string, unknown>> {
  return JSON.parse(body) as Record<string, unknown>;
}

function toRule(world: World, extension: ExtensionRow, row: RuleRow, isSimple = false) {
  const { id, type } = row;
  const uri = addressOf(world, `${extensionPath(extension)}/answering-rule/${id}`);
  const { name, enabled, ...rest } = bodyOf(row);
  return { uri, id, type, name, enabled, ...(!isSimple && rest) };
}
