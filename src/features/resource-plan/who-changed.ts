import { dayMilliseconds } from '../../platform/day.ts';
import type { Client } from '../../client/index.ts';
import type { AuditRecord } from '../../contract/audit.ts';
import type { Context } from '../../runtime/context.ts';
import { timeIn } from '../../platform/moment.ts';

/** Age in milliseconds of the oldest change that is looked up. */
const longestAge = 30 * dayMilliseconds;
const mostRecords = 200;
/**
 * Number of the newest records among which a change of the company is looked up, because no published ID selects its
 * records.
 */
const mostCompanyRecords = 400;
/** Number of users whose changes of one target are named. */
const mostUsers = 3;
/** Types of the target of a change of the company (AUDIT-5). */
const companyTypes: ReadonlySet<string> = new Set(['Company', 'Account']);

/**
 * Returns the users who last changed these targets, as texts by ID, such as
 * `changed by 100 Avery Quinn at 2026-01-05T09:00:00.000Z`. If several users changed a target, the text lists the last
 * change of each user, because no published document says which action changes which setting. Empty if the audit trail
 * may not be read or the dialect has no audit trail, because the names are only additional information in an error.
 */
export async function whoChanged(
  { settings, signal, now }: Pick<Context, 'settings' | 'signal' | 'now'>,
  api: Pick<Client, 'auditTrail'>,
  targetIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, AuditRecord[]>();
  if (settings.dialect.value !== 'current' || targetIds.length === 0) return new Map();
  const eventTimeFrom = new Date(now() - longestAge).toISOString();
  try {
    const records = api.auditTrail.search({ targetIds, eventTimeFrom }, { signal, limit: mostRecords });
    for await (const record of records) {
      const id = record.target?.objectId;
      if (id !== undefined) found.set(id, [...(found.get(id) ?? []), record]);
    }
  } catch {
    signal.throwIfAborted();
  }
  return new Map([...found].map(([id, records]) => [id, textOf(records)]));
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
    const ofCompany: AuditRecord[] = [];
    for await (const record of records) if (isChangeOfCompany(record)) ofCompany.push(record);
    return ofCompany.length === 0 ? undefined : textOf(ofCompany);
  } catch {
    signal.throwIfAborted();
  }
  return undefined;
}

/** Whether a record of the audit trail is a change of the company, not of an extension (AUDIT-5). */
export function isChangeOfCompany({ target }: AuditRecord): boolean {
  return companyTypes.has(target?.objectType ?? '');
}

/** Names the users of the records of one target, newest first. */
function textOf(records: readonly AuditRecord[]): string {
  const last = new Map<string, AuditRecord>();
  for (const record of records) {
    const user = userOf(record);
    if (!last.has(user)) last.set(user, record);
  }
  const changes = [...last].slice(0, mostUsers);
  const [only] = changes;
  if (only && changes.length === 1) return `changed by ${only[0]}${timeOf(only[1])}`;
  return `last changes by ${changes.map(([user, record]) => `${user} (${actionOf(record)}${timeOf(record)})`).join(', ')}`;
}

function userOf({ initiator }: AuditRecord): string {
  const who = [initiator?.extensionNumber, initiator?.name].filter((part) => part).join(' ');
  return who === '' ? `extension ${initiator?.extensionId ?? 'unknown'}` : who;
}

function actionOf({ actionId }: AuditRecord): string {
  return actionId ?? 'unknown action';
}

function timeOf({ eventTime }: AuditRecord): string {
  return eventTime === undefined ? '' : ` at ${timeIn(eventTime)}`;
}
