import { dayMilliseconds } from '../../platform/day.ts';
import type { AuditSearch } from '../../contract/audit.ts';
import { auditTrail } from '../../contract/limits.ts';
import type { z } from 'zod';
import { requireAdministrator } from '../request/access.ts';
import { accountOf, numberOf, type Handler, type Routes } from '../request/call.ts';
import { invalidParameter } from '../request/errors.ts';
import { pageOf } from '../request/paging.ts';
import type { World } from '../world/world.ts';
import type { AuditConditions, AuditRow } from './store.ts';

/** Serves POST account/{accountId}/audit-trail/search (AUDIT-1 to AUDIT-6). */
const searchAuditTrail: Handler<'searchAuditTrail'> = (call) => {
  const { world } = call;
  const body: z.infer<typeof AuditSearch> = call.body ?? {};
  const page = pageOf(body);
  const conditions = conditionsOf(world, accountOf(call).id, body);
  const { rows, total } = world.audit.search(conditions, auditTrail.records, page.window);
  return {
    json: {
      records: rows.map((row) => toRecord(world, row)),
      paging: {
        page: page.page,
        perPage: page.perPage,
        total: Math.min(total, auditTrail.records),
        totalFound: total,
      },
    },
  };
};

function conditionsOf(world: World, accountId: number, body: z.infer<typeof AuditSearch>): AuditConditions {
  const now = world.clock.now();
  const oldest = now - auditTrail.days * dayMilliseconds;
  const from = body.eventTimeFrom === undefined ? oldest : Date.parse(body.eventTimeFrom);
  const to = body.eventTimeTo === undefined ? now : Date.parse(body.eventTimeTo);
  if (from > to) throw invalidParameter('eventTimeFrom', 'eventTimeFrom is later than eventTimeTo');
  return {
    accountId,
    from: Math.max(from, oldest),
    to,
    initiatorIds: body.initiatorIds?.map(numberOf),
    targetIds: body.targetIds,
    actionIds: body.actionIds,
    excludeActionIds: body.excludeActionIds,
    siteId: body.siteId,
    searchString: body.searchString,
  };
}

function toRecord(world: World, row: AuditRow) {
  const initiator = world.extensions.byId(row.initiatorId);
  return {
    id: String(row.id),
    eventTime: world.clock.iso(row.time),
    initiator: {
      extensionId: String(row.initiatorId),
      ...(initiator && {
        ...(initiator.extensionNumber !== null && { extensionNumber: initiator.extensionNumber }),
        name: initiator.name,
        role: initiator.admin === 1 ? 'Super Admin' : 'Standard',
      }),
    },
    actionId: row.actionId,
    eventType: 'Changed',
    accountId: String(row.accountId),
    target: {
      objectId: row.targetId,
      objectType: row.targetType,
      name: row.targetName,
      ...(row.targetNumber !== null && { extensionNumber: row.targetNumber }),
      ...(row.siteId !== null && { siteId: row.siteId }),
    },
    details: { parameters: JSON.parse(row.parameters) as unknown },
  };
}

/** The route of the search in the audit trail. */
export const auditRoutes = {
  searchAuditTrail: { guard: requireAdministrator, handler: searchAuditTrail },
} satisfies Routes;
