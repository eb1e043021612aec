import type { AuditRecord } from '../../contract/audit.ts';
import { rows } from '../../runtime/rows.ts';
import { withNumber } from '../../runtime/with-number.ts';

interface Named {
  readonly extensionNumber?: string | undefined;
  readonly name?: string | undefined;
}

/** Returns the number and name of a user or a target for programs: `201 Support`. */
function named(one: Named | undefined, id: string | undefined): string {
  const text = [one?.extensionNumber, one?.name].filter((part) => part).join(' ');
  return text === '' ? (id ?? '') : text;
}

/** Returns the name and number for people, as in all tables: `Support (201)`. */
function shown(one: Named | undefined, id: string | undefined): string {
  return withNumber(one?.name, one?.extensionNumber) || (id ?? '');
}

/** Returns the details of a change: `name=Support, status=Disabled`. */
function detailsText({ details, comment }: AuditRecord): string {
  const parameters = (details?.parameters ?? []).map(({ key, value }) => `${key}=${value}`);
  return [...parameters, ...(comment ? [comment] : [])].join(', ');
}

export const auditRows = rows(
  { of: 'AuditRecord', empty: 'No changes.' },
  {
    eventTime: { title: 'TIME', kind: 'time', priority: 9 },
    initiator: {
      title: 'BY',
      priority: 8,
      least: 24,
      cell: (row) => named(row.initiator, row.initiator?.extensionId),
      shown: (row) => shown(row.initiator, row.initiator?.extensionId),
    },
    actionId: { title: 'ACTION', priority: 7, below: '' },
    target: {
      title: 'TARGET',
      priority: 8,
      least: 24,
      below: '',
      cell: (row) => named(row.target, row.target?.objectId),
      shown: (row) => shown(row.target, row.target?.objectId),
    },
    details: { title: 'DETAILS', priority: 5, folds: 2, below: '', cell: detailsText },
    clientIp: { title: 'ADDRESS', priority: 1 },
    id: { title: 'ID', kind: 'id', priority: 0 },
  },
);
