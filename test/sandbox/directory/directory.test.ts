import { describe, expect, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { rejection, userClient } from '../request.ts';

describe('extension list', () => {
  test('spec:QUEUE-4, QUEUE-1, EXT-1 to EXT-9 type=Department lists the call queues', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    const { body } = await user.get('/account/~/extension?type=Department');
    expect(body.records.map(({ name, extensionNumber, type }) => [name, extensionNumber, type])).toEqual([
      ['Support', '201', 'Department'],
      ['Sales', '202', 'Department'],
      ['Billing', '203', 'Department'],
    ]);
    expect(body.uri).toContain(
      `/restapi/v1.0/account/${sandbox.ready.accountId}/extension?type=Department&page=1`,
    );
  });

  test('spec:EXT-12 filters by number, e-mail, status and type; repeated keys and commas', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    const numbers = async (query: string) => {
      const { body } = await user.get(`/account/~/extension?${query}`);
      return body.records.map(({ extensionNumber }) => extensionNumber);
    };
    expect(await numbers('extensionNumber=103')).toEqual(['103']);
    expect(await numbers('email=MEI.LIN@example.com&email=reception@example.com')).toEqual(['101', '106']);
    expect(await numbers('status=Disabled,Frozen')).toEqual(['108', '109']);
    expect(await numbers('type=Take%20Messages%20Only')).toEqual(['120']);
    for (const unknown of ['type=Departmnt', 'status=Enable'])
      expect(rejection(await user.get(`/account/~/extension?${unknown}`))).toBe('400 CMN-101');
  });

  test('two people share a name', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    const { body } = await user.get('/account/~/extension');
    expect(body.records.filter(({ name }) => name === 'Chris Smith')).toHaveLength(2);
    expect(body.records.map(({ name }) => name)).toContain('José Álvarez');
  });

  test('spec:BASE-33, BASE-34, BASE-29 to BASE-32 positions, links, the last page, a page beyond', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    const first = (await user.get('/account/~/extension?perPage=5')).body;
    expect(first.paging).toEqual({
      page: 1,
      perPage: 5,
      pageStart: 0,
      pageEnd: 4,
      totalPages: 3,
      totalElements: 14,
    });
    expect(Object.keys(first.navigation).sort()).toEqual(['firstPage', 'lastPage', 'nextPage']);
    const last = (await user.get('/account/~/extension?perPage=5&page=3')).body;
    expect(last.paging).toMatchObject({ pageStart: 10, pageEnd: 13 });
    expect(Object.keys(last.navigation).sort()).toEqual(['firstPage', 'lastPage', 'previousPage']);
    const beyond = (await user.get('/account/~/extension?perPage=5&page=9')).body;
    expect(beyond.records).toEqual([]);
  });

  test('spec:ERROR-11 a large perPage is clamped, a wrong one rejected', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    for (const size of ['5000', '99999999999999999999']) {
      const { body } = await user.get(`/account/~/extension?perPage=${size}`);
      expect(body.paging['perPage']).toBe(1000);
    }
    for (const value of ['0', '-1', '1.5', 'many', '', '1e2', '0x10', '1.0', '%205']) {
      const rejected = await user.get(`/account/~/extension?perPage=${value}`);
      expect(rejected.body).toMatchObject({
        errorCode: 'CMN-101',
        message: 'Parameter [perPage] value is invalid',
        parameterName: 'perPage',
      });
    }
  });
});

describe('numbers', () => {
  test('spec:NUMBER-1, NUMBER-2, SMS-4 own and company numbers; only the operator may text from the main number', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const senders = async (who: string) => {
      const { body } = await (await userClient(sandbox, who)).get('/account/~/extension/~/phone-number');
      return body.records
        .filter(({ features }) => (features as string[]).includes('SmsSender'))
        .map(({ phoneNumber }) => phoneNumber);
    };
    expect(await senders('102')).toEqual(['+16505550112']);
    expect(await senders('105')).toEqual([]);
    expect(await senders('operator')).toEqual(['+16505550100']);
  });

  test('spec:RINGOUT-11, NUMBER-4 forwarding numbers; one user has none that calls can be forwarded to', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const usable = async (who: string) => {
      const { body } = await (await userClient(sandbox, who)).get('/account/~/extension/~/forwarding-number');
      return body.records.filter(({ features }) => (features as string[]).includes('CallForwarding')).length;
    };
    expect(await usable('102')).toBe(2);
    expect(await usable('106')).toBe(0);
  });

  test("another's numbers are for administrators", async () => {
    await using sandbox = await startSandbox({ listen: false });
    const path = '/account/~/extension/171857103/phone-number';
    expect(rejection(await (await userClient(sandbox, '102')).get(path))).toBe('403 CMN-419');
    expect((await (await userClient(sandbox, 'administrator')).get(path)).status).toBe(200);
  });
});
