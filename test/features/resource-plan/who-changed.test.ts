import { expect, test } from 'vitest';
import type { Client } from '../../../src/client/index.ts';
import type { AuditFilter, AuditRecord } from '../../../src/contract/audit.ts';
import type { Context } from '../../../src/runtime/context.ts';
import { whoChanged, whoChangedCompany } from '../../../src/features/resource-plan/who-changed.ts';

type Wanted = Pick<Context, 'settings' | 'signal' | 'now'>;

const context = {
  settings: { dialect: { value: 'current' } },
  signal: new AbortController().signal,
  now: () => Date.UTC(2026, 0, 5, 9),
} as Wanted;

/** An audit trail with these records, newest first. */
function trail(records: readonly Omit<AuditRecord, 'id'>[]): Pick<Client, 'auditTrail'> {
  const search = async function* ({ targetIds }: AuditFilter) {
    for (const [index, record] of records.entries())
      if (targetIds?.includes(record.target?.objectId ?? '') ?? true) yield { id: String(index), ...record };
  };
  return { auditTrail: { search } } as unknown as Pick<Client, 'auditTrail'>;
}

const avery = { extensionId: '100', extensionNumber: '100', name: 'Avery Quinn' };
const dana = { extensionId: '102', extensionNumber: '102', name: 'Dana Okafor' };
const target = { objectId: '7', objectType: 'Extension' } as const;

test('names the user of the only changes', async () => {
  const records = [
    { initiator: avery, actionId: 'B', eventTime: '2026-01-05T08:50:00.000Z', target },
    { initiator: avery, actionId: 'A', eventTime: '2026-01-05T08:40:00.000Z', target },
  ];
  const who = await whoChanged(context, trail(records), ['7']);
  expect(who.get('7')).toBe('changed by 100 Avery Quinn at 2026-01-05T08:50:00.000Z');
});

test('lists the users and their actions if several changed the target', async () => {
  const company = { objectId: '1', objectType: 'Company' } as const;
  const recordsOf = (target: AuditRecord['target']) => [
    { initiator: avery, actionId: 'EXTENSION_UPDATE', eventTime: '2026-01-05T08:50:00.000Z', target },
    { initiator: dana, actionId: 'BUSINESS_HOURS_UPDATE', eventTime: '2026-01-05T08:40:00.000Z', target },
    { initiator: avery, actionId: 'EXTENSION_UPDATE', eventTime: '2026-01-05T08:30:00.000Z', target },
  ];
  const text =
    'last changes by 100 Avery Quinn (EXTENSION_UPDATE at 2026-01-05T08:50:00.000Z), 102 Dana Okafor (BUSINESS_HOURS_UPDATE at 2026-01-05T08:40:00.000Z)';
  expect((await whoChanged(context, trail(recordsOf(target)), ['7'])).get('7')).toBe(text);
  expect(await whoChangedCompany(context, trail(recordsOf(company)))).toBe(text);
});

test('names no user if no record is about the target', async () => {
  expect(await whoChanged(context, trail([{ initiator: avery, target }]), ['8'])).toEqual(new Map());
  expect(await whoChangedCompany(context, trail([{ initiator: avery, target }]))).toBeUndefined();
});
