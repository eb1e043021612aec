import { describe, expect, test } from 'vitest';
import { CompleteCallLogRecord } from '../../../src/contract/index.ts';
import { rejection, userClient } from '../request.ts';
import { partsOf, quietSandbox } from './office.ts';

const own = '/account/~/extension/~/call-log';
const company = '/account/~/call-log';
const ringout = '/account/~/extension/~/ringout';

/** 102 calls 103, then a busy number outside; both calls are over. */
async function afternoon() {
  const sandbox = await quietSandbox();
  const user = await userClient(sandbox, '102');
  const internal = await user.post(ringout, { to: { phoneNumber: '+16505550113' } });
  await sandbox.clock.advance(60_000);
  await user.post(ringout, { to: { phoneNumber: '+12025550101' } });
  await sandbox.clock.advance(60_000);
  const admin = await userClient(sandbox, 'administrator');
  return { sandbox, user, admin, sessionId: String(internal.body.id) };
}

describe('records', () => {
  test('spec:CALL-23 a two-legged call is logged as RingOut Web, Call connected, and rings an own user as an inbound call', async () => {
    const { sandbox, user, sessionId } = await afternoon();
    const { body } = await user.get(own);
    expect(
      body.records.map(({ action, result, direction, type }) => [action, result, direction, type]),
    ).toEqual([
      ['RingOut Web', 'Busy', 'Outbound', 'Voice'],
      ['RingOut Web', 'Call connected', 'Outbound', 'Voice'],
    ]);
    expect(body.records[1]).toMatchObject({
      sessionId,
      duration: 14,
      from: { phoneNumber: '+16505550142', name: 'Dana Okafor' },
      to: { phoneNumber: '+16505550113', extensionNumber: '103', name: 'José Álvarez' },
    });
    const callee = await userClient(sandbox, '103');
    expect((await callee.get(own)).body.records).toMatchObject([
      { sessionId, direction: 'Inbound', action: 'Phone Call', result: 'Accepted' },
    ]);
    await sandbox.close();
  });

  test('spec:CALL-12, CALL-4 to CALL-6 the Detailed view adds transport, lastModifiedTime and legs; Simple is the default', async () => {
    const { sandbox, user } = await afternoon();
    const [simple] = (await user.get(own)).body.records;
    for (const member of ['legs', 'transport', 'lastModifiedTime']) expect(simple).not.toHaveProperty(member);
    const [, detailed] = (await user.get(`${own}?view=Detailed`)).body.records;
    expect(detailed).toMatchObject({
      transport: 'VoIP',
      legs: [
        { legType: 'RingOutWebToSubscriber', master: true, extension: { id: 171857102 } },
        { legType: 'RingOutWebToCaller' },
      ],
    });
    expect(rejection(await user.get(`${own}?view=Wide`))).toBe('400 CMN-101');
    await sandbox.close();
  });

  test('spec:CALL-7 records of one call share one sessionId on the account level', async () => {
    const { sandbox, admin, sessionId } = await afternoon();
    const { body } = await admin.get(`${company}?sessionId=${sessionId}`);
    expect(body.records.map(({ sessionId: id }) => id)).toEqual([sessionId, sessionId]);
    await sandbox.close();
  });
});

describe('who may read', () => {
  test('spec:ERROR-8, CALL-3, CALL-1, ACTIVE-1 the account level needs an administrator and names ReadCompanyCallLog', async () => {
    const { sandbox, user, admin } = await afternoon();
    const { status, body } = await user.get(company);
    expect([status, body.errorCode, body['permissionName']]).toEqual([
      403,
      'InsufficientPermissions',
      'ReadCompanyCallLog',
    ]);
    expect((await admin.get(company)).body.records).toHaveLength(3);
    expect((await user.get('/account/~/active-calls')).body['permissionName']).toBe('ReadCompanyCallLog');
    await sandbox.close();
  });

  test("spec:CALL-2 only the authenticated user's records", async () => {
    const { sandbox, user, admin } = await afternoon();
    const foreign = '/account/~/extension/171857103/call-log';
    expect(rejection(await user.get(foreign))).toBe('403 CMN-404');
    expect(rejection(await admin.get(foreign))).toBe('403 CMN-404');
    const reader = await userClient(sandbox, '102', 'sandbox-reader');
    expect(rejection(await reader.get(own))).toBe('403 CMN-401');
    await sandbox.close();
  });
});

describe('filters', () => {
  test('spec:CALL-15, CALL-17 direction, type, transport, phoneNumber, extensionNumber, telephonySessionId; spec:CALL-10, CALL-11', async () => {
    const { sandbox, user, admin } = await afternoon();
    const count = async (query: string) => (await user.get(`${own}?${query}`)).body.records.length;
    expect(await count('direction=Outbound')).toBe(2);
    expect(await count('direction=Inbound')).toBe(0);
    expect(await count('direction=Inbound&direction=Outbound')).toBe(2);
    expect(await count('type=Voice,Fax')).toBe(2);
    expect(await count('type=Fax')).toBe(0);
    expect(await count('type=SMS')).toBe(0);
    expect(await count('transport=VoIP')).toBe(1);
    expect(await count('phoneNumber=12025550101')).toBe(1);
    expect(rejection(await user.get(`${own}?phoneNumber=%2B12025550101`))).toBe('400 CMN-101');
    expect(await count('extensionNumber=103')).toBe(1);
    const [record] = (await admin.get(company)).body.records;
    expect(await count(`telephonySessionId=${String(record?.['telephonySessionId'])}`)).toBe(1);
    const all = (await admin.get(company)).body.records;
    expect((await admin.get(`${company}?transport=VoIP&showBlocked=false`)).body.records).toEqual(all);
    expect(rejection(await user.get(`${own}?phoneNumber=1&extensionNumber=103`))).toBe('400 CMN-101');
    expect(rejection(await user.get(`${own}?direction=Sideways`))).toBe('400 CMN-101');
    await sandbox.close();
  });

  test('spec:CALL-13, CALL-16 the default period is one day, also for a telephony session, but not for a session', async () => {
    const { sandbox, sessionId, user } = await afternoon();
    const { telephonySessionId } = (await user.get(own)).body.records[0] ?? {};
    await sandbox.clock.advance(2 * 86_400_000);
    const later = await userClient(sandbox, '102');
    const count = async (query: string) => (await later.get(`${own}?${query}`)).body.records.length;
    expect(await count(`telephonySessionId=${String(telephonySessionId)}`)).toBe(0);
    expect(await count(`telephonySessionId=${String(telephonySessionId)}&dateFrom=2026-01-01`)).toBe(1);
    expect(await count(`sessionId=${sessionId}`)).toBe(1);
    await sandbox.close();
  });

  test('spec:CALL-4 records of type SMS, where texts are logged', async () => {
    const sandbox = await quietSandbox({ logTexts: true });
    const user = await userClient(sandbox, '102');
    const numbers = { from: { phoneNumber: '+16505550112' }, to: [{ phoneNumber: '+16505550113' }] };
    await user.post('/account/~/extension/~/sms', { ...numbers, text: 'logged' });
    await sandbox.clock.advance(5000);
    await sandbox.control('POST', '/triggers/sms', { to: '102' });
    const { records } = (await user.get(`${own}?type=SMS&view=Detailed`)).body;
    expect(records.map(({ type, direction, result }) => [type, direction, result])).toEqual([
      ['SMS', 'Inbound', 'Received'],
      ['SMS', 'Outbound', 'Sent'],
    ]);
    expect(records[1]).toMatchObject({
      duration: 0,
      message: { type: 'SMS', id: String(sandbox.messages()[0]?.id) },
      to: { phoneNumber: '+16505550113' },
    });
    expect((await user.get(`${own}?type=Voice`)).body.records).toEqual([]);
    await sandbox.close();
  });

  test('spec:CALL-16, ERROR-36 sessionId with another filter gives CLG-110, with view or a page it does not', async () => {
    const { sandbox, user, sessionId } = await afternoon();
    expect(rejection(await user.get(`${own}?sessionId=${sessionId}&direction=Inbound`))).toBe('400 CLG-110');
    const { body } = await user.get(`${own}?sessionId=${sessionId}&view=Detailed&perPage=5`);
    expect(body.records).toHaveLength(1);
    await sandbox.close();
  });

  test('spec:CALL-13, CALL-14, CALL-18 dates have a time-zone offset; the default window is the last 24 hours', async () => {
    const { sandbox, user } = await afternoon();
    const count = async (query: string) => (await user.get(`${own}${query}`)).body.records.length;
    expect(await count('?dateFrom=2026-01-05T10:00:30%2B01:00')).toBe(1);
    expect(await count('?dateFrom=2026-01-05T03:59:00-05:00&dateTo=2026-01-05T04:00:30-05:00')).toBe(1);
    expect(rejection(await user.get(`${own}?dateFrom=yesterday`))).toBe('400 CMN-101');
    await sandbox.clock.advance(2 * 86_400_000);
    const later = await userClient(sandbox, '102');
    expect((await later.get(own)).body.records).toEqual([]);
    expect((await later.get(`${own}?dateFrom=2026-01-05`)).body.records).toHaveLength(2);
    await sandbox.close();
  });

  test('spec:BASE-34, BASE-35 pages have no totals and no last page; perPage=max is 1000; the address has the filters in effect', async () => {
    const { sandbox, user } = await afternoon();
    const { body } = await user.get(`${own}?perPage=1&direction=Outbound`);
    expect(body.paging).toEqual({ page: 1, perPage: 1, pageStart: 0, pageEnd: 0 });
    expect(Object.keys(body.navigation).toSorted()).toEqual(['firstPage', 'nextPage']);
    const query = new URL(body.uri).searchParams;
    expect(['view', 'direction', 'dateFrom'].map((name) => query.get(name))).toEqual([
      'Simple',
      'Outbound',
      '2026-01-04T09:02:00.000Z',
    ]);
    const last = await user.get(
      new URL(body.navigation['nextPage']?.uri ?? '').href.replace(sandbox.url, ''),
    );
    expect(Object.keys(last.body.navigation).toSorted()).toEqual(['firstPage', 'previousPage']);
    expect((await user.get(`${own}?perPage=max`)).body.paging).toMatchObject({ perPage: 1000 });
    expect((await user.get(`${own}?perPage=5000`)).body.paging).toMatchObject({ perPage: 1000 });
    expect(rejection(await user.get(`${own}?perPage=0`))).toBe('400 CMN-101');
    await sandbox.close();
  });
});

describe('by key', () => {
  test('spec:CALL-19 one id gives a record, several a 207 multipart/mixed with the fate of each first', async () => {
    const { sandbox, user } = await afternoon();
    const ids = (await user.get(own)).body.records.map(({ id }) => String(id));
    const one = await user.get(`${own}/${ids[0]}?view=Detailed`);
    expect(one.body).toMatchObject({ id: ids[0], legs: [{}, {}] });
    const many = await user.get(`${own}/${ids.join(',')},999`);
    expect([many.status, many.headers.get('content-type')]).toEqual([
      207,
      expect.stringContaining('multipart/mixed; boundary='),
    ]);
    const [summary, ...parts] = partsOf(many);
    expect((summary?.['response'] as { status: number }[] | undefined)?.map(({ status }) => status)).toEqual([
      200, 200, 404,
    ]);
    expect(parts.slice(0, 2).map((part) => CompleteCallLogRecord.safeParse(part).success)).toEqual([
      true,
      true,
    ]);
    expect(parts[2]).toMatchObject({ errorCode: 'CMN-102' });
    await sandbox.close();
  });

  test("spec:CALL-19, ERROR-14 at most 50 ids; another's record is unknown", async () => {
    const { sandbox, user, admin } = await afternoon();
    const ids = Array.from({ length: 51 }, (_, index) => index + 1).join(',');
    expect(rejection(await user.get(`${own}/${ids}`))).toBe('400 CMN-106');
    const [mine] = (await user.get(own)).body.records;
    expect(rejection(await (await userClient(sandbox, '103')).get(`${own}/${String(mine?.['id'])}`))).toBe(
      '404 CMN-102',
    );
    expect((await admin.get(`${company}/${String(mine?.['id'])}`)).status).toBe(200);
    expect(rejection(await user.get(`${own}/*`))).toBe('400 CMN-101');
    // Ids are opaque: one that no record has is not found, whatever it looks like.
    for (const id of ['AAAA', 'XYqB_atHFKbNQA', '1e3', '0x10', '%20']) {
      expect(rejection(await user.get(`${own}/${id}`))).toBe('404 CMN-102');
    }
    const two = await user.get(`${own}/${String(mine?.['id'])},AAAA`);
    expect(partsOf(two)[0]).toMatchObject({ response: [{ status: 200 }, { status: 404 }] });
    await sandbox.close();
  });
});
