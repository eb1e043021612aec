import type { ExtensionRow } from '../directory/extension-store.ts';
import type { World } from '../world/world.ts';

/**
 * The changes of the configuration that the sandbox records. The published documents list no values
 * (docs/internals/service-gaps.md).
 */
export const auditActions = {
  queueMembers: 'CALL_QUEUE_MEMBERS_UPDATE',
  queue: 'CALL_QUEUE_UPDATE',
  queueCreated: 'CALL_QUEUE_CREATE',
  extension: 'EXTENSION_UPDATE',
  companyHours: 'COMPANY_BUSINESS_HOURS_UPDATE',
  hours: 'BUSINESS_HOURS_UPDATE',
  ruleCreated: 'ANSWERING_RULE_CREATE',
  rule: 'ANSWERING_RULE_UPDATE',
  ruleDeleted: 'ANSWERING_RULE_DELETE',
} as const;
type AuditAction = (typeof auditActions)[keyof typeof auditActions];

/** Records that a user changed an extension. `details` contains the changed members and their new values. */
export function noteChange(
  world: World,
  by: ExtensionRow,
  actionId: AuditAction,
  target: ExtensionRow,
  details: Readonly<Record<string, string>>,
): void {
  world.audit.add({
    ...recordOf(world, by, actionId, details),
    targetType: 'Extension',
    targetId: String(target.id),
    targetName: target.name,
    targetNumber: target.extensionNumber,
  });
}

/** Records that a user changed the company. */
export function noteCompanyChange(
  world: World,
  by: ExtensionRow,
  actionId: AuditAction,
  details: Readonly<Record<string, string>>,
): void {
  world.audit.add({
    ...recordOf(world, by, actionId, details),
    targetType: 'Company',
    targetId: String(by.accountId),
    targetName: 'Company',
    targetNumber: null,
  });
}

function recordOf(
  world: World,
  by: ExtensionRow,
  actionId: AuditAction,
  details: Readonly<Record<string, string>>,
) {
  return {
    accountId: by.accountId,
    time: world.clock.now(),
    actionId,
    initiatorId: by.id,
    siteId: null,
    parameters: JSON.stringify(Object.entries(details).map(([key, value]) => ({ key, value }))),
  };
}

/** Returns the members of a request as details: texts unchanged, other values as JSON. */
export function detailsOf(body: object): Readonly<Record<string, string>> {
  const given = Object.entries(body).filter(([, value]) => value !== undefined) as readonly (readonly [
    string,
    unknown,
  ])[];
  return Object.fromEntries(
    given.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}
