import type { Client } from '../../client/index.ts';
import type { AuditRecord } from '../../contract/audit.ts';
import type { Context } from '../../runtime/context.ts';
import { timeIn } from '../../platform/moment.ts';

/** Age in milliseconds of the oldest change that is looked up. */
const longestAge = 30 * 86_400_000;
const mostRecords = 200;
/**
 * Number of the newest records among which a change of the company is looked up, because no published ID selects its
 * records.
 */
const mostCompanyRecords = 1000;
/** Types of the target of a change of the company (AUDIT-5). */
const companyTypes: ReadonlySet<string> = new Set(['Company', 'Account']);

/**
 * Returns the users who last changed these targets, as texts by ID, such as
 * `changed by 100 Avery Quinn at 2026-01-05 09:00:00Z`. Empty if the audit trail may not be read or the dialect has no
 * audit trail, because the names are only additional information in an error.
 */
export async function whoChanged(
  { settings, signal, now }: Pick<Context, 'settings' | 'signal' | 'now'>,
  api: Pick<Client, 'auditTrail'>,
  targetIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  if (settings.dialect.value !== 'current' || targetIds.length === 0) return found;
  const eventTimeFrom = new Date(now() - longestAge).toISOString();
  try {
    const records = api.auditTrail.search({ targetIds, eventTimeFrom }, { signal, limit: mostRecords });
    for await (const record of records) {
      const id = record.target?.objectId;
      if (id !== undefined && !found.has(id)) found.set(id, textOf(record));
    }
  } catch {
    signal.throwIfAborted();
  }
  return found;
}

/** Returns the user who last changed the company, in the form of `whoChanged`; undefined if the user is unknown. */
export async function whoChangedCompany(
  { settings, signal, now }: Pick<Context, 'settings' | 'signal' | 'now'>,
  api: Pick<Client, 'auditTrail'>,
): Promise<string | undefined> {
  if (settings.dialect.value !== 'current') return undefined;
  const eventTimeFrom = new Date(now() - longestAge).toISOString();
  try {
    const records = api.auditTrail.search({ eventTimeFrom }, { signal, limit: mostCompanyRecords });
    for await (const record of records) {
      if (companyTypes.has(record.target?.objectType ?? '')) return textOf(record);
    }
  } catch {
    signal.throwIfAborted();
  }
  return undefined;
}

function textOf({ initiator, eventTime }: AuditRecord): string {
  const who = [initiator?.extensionNumber, initiator?.name].filter((part) => part).join(' ');
  const time = eventTime === undefined ? '' : ` at ${timeIn(eventTime)}`;
  return `changed by ${who === '' ? `extension ${initiator?.extensionId ?? 'unknown'}` : who}${time}`;
}
