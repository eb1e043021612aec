import type { ExtensionRow } from '../directory/extension-store.ts';
import type { Caller } from '../request/call.ts';
import type { World } from '../world/world.ts';

/** The changes of the configuration that the sandbox records. The documents name no values (docs/internals/service-gaps.md). */
export const auditActions = {
  queueMembers: 'CALL_QUEUE_MEMBERS_UPDATE',
  extension: 'EXTENSION_UPDATE',
  companyHours: 'COMPANY_BUSINESS_HOURS_UPDATE',
  hours: 'BUSINESS_HOURS_UPDATE',
  ruleCreated: 'ANSWERING_RULE_CREATE',
  rule: 'ANSWERING_RULE_UPDATE',
  ruleDeleted: 'ANSWERING_RULE_DELETE',
} as const;
type AuditAction = (typeof auditActions)[keyof typeof auditActions];

/** Records that the caller changed an extension. `details` names what was changed and the new values. */
export function noteChange(
  { world, caller }: { readonly world: World; readonly caller: Caller },
  actionId: AuditAction,
  target: ExtensionRow,
  details: Readonly<Record<string, string>>,
): void {
  world.audit.add({
    ...recordOf(world, caller, actionId, details),
    targetType: 'Extension',
    targetId: String(target.id),
    targetName: target.name,
    targetNumber: target.extensionNumber,
  });
}

/** Records that the caller changed the company. */
export function noteCompanyChange(
  { world, caller }: { readonly world: World; readonly caller: Caller },
  actionId: AuditAction,
  details: Readonly<Record<string, string>>,
): void {
  const { accountId } = caller.extension;
  world.audit.add({
    ...recordOf(world, caller, actionId, details),
    targetType: 'Company',
    targetId: String(accountId),
    targetName: 'Company',
    targetNumber: null,
  });
}

function recordOf(
  world: World,
  { extension }: Caller,
  actionId: AuditAction,
  details: Readonly<Record<string, string>>,
) {
  return {
    accountId: extension.accountId,
    time: world.clock.now(),
    actionId,
    initiatorId: extension.id,
    siteId: null,
    parameters: JSON.stringify(Object.entries(details).map(([key, value]) => ({ key, value }))),
  };
}
