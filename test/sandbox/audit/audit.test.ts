import { expect, test } from 'vitest';
import { AuditPage } from '../../../src/contract/audit.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { rejection, userClient } from '../request.ts';

const search = '/account/~/audit-trail/search';
const assign = '/account/~/department/bulk-assign';
const add = (agent: string) => ({ items: [{ departmentId: '171857201', addedExtensionIds: [agent] }] });

test('spec:AUDIT-1, AUDIT-4, AUDIT-5, AUDIT-6 a change is recorded with initiator, target and details', async () => {
  await using sandbox = await startSandbox({ listen: false, dialect: 'current' });
  const admin = await userClient(sandbox, 'administrator');
  await admin.post(assign, add('171857105'));
  const { status, body } = await admin.post(search, {});
  expect(status).toBe(200);
  const { records, paging } = AuditPage.parse(body);
  expect(paging).toEqual({ page: 1, perPage: 100, total: 1, totalFound: 1 });
  expect(records).toEqual([
    {
      id: '1',
      eventTime: new Date(sandbox.clock.now()).toISOString(),
      initiator: {
        extensionId: '171857100',
        extensionNumber: '100',
        name: 'Avery Quinn',
        role: 'Super Admin',
      },
      actionId: 'CALL_QUEUE_MEMBERS_UPDATE',
      eventType: 'Changed',
      accountId: '400131426',
      target: { objectId: '171857201', objectType: 'Extension', name: 'Support', extensionNumber: '201' },
      details: {
        parameters: [
          { key: 'added', value: '171857105' },
          { key: 'removed', value: '' },
        ],
      },
    },
  ]);
});

test('spec:AUDIT-2 filters and pages are in the body, which is optional', async () => {
  await using sandbox = await startSandbox({ listen: false, dialect: 'current' });
  const admin = await userClient(sandbox, 'administrator');
  const start = sandbox.clock.now();
  for (const agent of ['171857105', '171857106', '171857107']) {
    await admin.post(assign, add(agent));
    await sandbox.clock.advance(60_000);
  }
  const found = async (filter?: object): Promise<readonly unknown[]> => {
    const { body } = await admin.post(search, filter);
    return AuditPage.parse(body).records.map(({ id }) => id);
  };
  expect(await found()).toEqual(['3', '2', '1']);
  expect(await found({ page: 2, perPage: 2 })).toEqual(['1']);
  for (const wrong of [{ page: '2' }, { perPage: true }, { perPage: 0 }]) {
    expect(rejection(await admin.post(search, wrong))).toBe('400 CMN-101');
  }
  expect(await found({ eventTimeFrom: new Date(start + 60_000).toISOString() })).toEqual(['3', '2']);
  expect(await found({ eventTimeTo: new Date(start + 1000).toISOString() })).toEqual(['1']);
  expect(await found({ initiatorIds: ['171857102'] })).toEqual([]);
  expect(await found({ targetIds: ['171857201'], actionIds: ['CALL_QUEUE_MEMBERS_UPDATE'] })).toHaveLength(3);
  expect(await found({ excludeActionIds: ['CALL_QUEUE_MEMBERS_UPDATE'] })).toEqual([]);
  expect(await found({ searchString: '171857106' })).toEqual(['2']);
  expect(await found({ searchString: 'SUPP' })).toHaveLength(3);
});

test('spec:AUDIT-3 records older than 180 days are not found', async () => {
  await using sandbox = await startSandbox({ listen: false, dialect: 'current' });
  const admin = await userClient(sandbox, 'administrator');
  await admin.post(assign, add('171857105'));
  await sandbox.clock.advance(181 * 86_400_000);
  const later = await userClient(sandbox, 'administrator');
  const { body } = await later.post(search, { eventTimeFrom: '2020-01-01T00:00:00Z' });
  expect(AuditPage.parse(body).records).toEqual([]);
});
