import type { AuditRecord } from '../../contract/audit.ts';
import { rows } from '../../runtime/rows.ts';
import { withNumber } from '../../runtime/with-number.ts';

interface Named {
  readonly extensionNumber?: string | undefined;
  readonly name?: string | undefined;
}

/** Numbers in a value that can be the IDs of extensions. Shorter numbers are extension numbers or settings. */
export const extensionIdPattern = /(?<![\d+.-])\d{6,}(?![\d.-])/g;

/** Returns the number and name of a user or a target for programs: `201 Support`. */
function named(one: Named | undefined, id: string | undefined): string {
  const text = [one?.extensionNumber, one?.name].filter((part) => part).join(' ');
  return text === '' ? (id ?? '') : text;
}

/** Returns the name and number for people, as in all tables: `Support (201)`. */
function shown(one: Named | undefined, id: string | undefined): string {
  return withNumber(one?.name, one?.extensionNumber) || (id ?? '');
}

/**
 * Returns the details of a change for programs: `name=Support, added=171857106 Mei Lin (106)`.
 * @param names the name of each known extension by its ID, which follows the ID in a value
 */
export function detailsText({ details, comment }: AuditRecord, names?: ReadonlyMap<string, string>): string {
  const named = (id: string): string => [id, names?.get(id)].filter((part) => part).join(' ');
  const parameters = (details?.parameters ?? []).map(
    ({ key, value }) => `${key}=${value.replaceAll(extensionIdPattern, named)}`,
  );
  return [...parameters, ...(comment ? [comment] : [])].join(', ');
}

/**
 * Returns the details of a change for people: `added: Mei Lin (106), Priya Nair (107); removed: (none)`.
 * @param names the name of each extension by its ID, which replaces the ID in a value
 */
export function shownDetails({ details, comment }: AuditRecord, names: ReadonlyMap<string, string>): string {
  const parameters = (details?.parameters ?? []).map(({ key, value }) => {
    const text = value.replaceAll(extensionIdPattern, (id) => names.get(id) ?? id);
    return `${key}: ${text || '(none)'}`;
  });
  return [...parameters, ...(comment ? [comment] : [])].join('; ');
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
    details: { title: 'DETAILS', priority: 5, folds: true, below: '', cell: (row) => detailsText(row) },
    clientIp: { title: 'ADDRESS', priority: 1 },
    id: { title: 'ID', kind: 'id', priority: 0 },
  },
);
