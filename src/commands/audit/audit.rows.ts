import type { AuditRecord } from '../../contract/audit.ts';
import { rows } from '../../runtime/rows.ts';

interface Named {
  readonly extensionNumber?: string | undefined;
  readonly name?: string | undefined;
}

/** Number and name of a user or a target: `201 Support`. */
function named(one: Named | undefined, id: string | undefined): string {
  const text = [one?.extensionNumber, one?.name].filter((part) => part).join(' ');
  return text === '' ? (id ?? '') : text;
}

/** The details of a change: `name=Support, status=Disabled`. */
function detailsText({ details, comment }: AuditRecord): string {
  const parameters = (details?.parameters ?? []).map(({ key, value }) => `${key}=${value}`);
  return [...parameters, ...(comment ? [comment] : [])].join(', ');
}

/** Records of the audit trail. */
export const auditRows = rows(
  { of: 'AuditRecord', empty: 'No changes.' },
  {
    eventTime: { title: 'TIME', kind: 'time', priority: 9 },
    initiator: { title: 'BY', priority: 8, cell: (row) => named(row.initiator, row.initiator?.extensionId) },
    actionId: { title: 'ACTION', priority: 7 },
    target: { title: 'TARGET', priority: 8, cell: (row) => named(row.target, row.target?.objectId) },
    details: { title: 'DETAILS', priority: 5, folds: 2, cell: detailsText },
    clientIp: { title: 'ADDRESS', priority: 1 },
    id: { title: 'ID', kind: 'id', priority: 0 },
  },
);
