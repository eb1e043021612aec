import { describe, expect, it } from 'vitest';
import { temporaryPaths } from '../../support/temporary.ts';
import { openOffice, type Office } from '../office.ts';

const members = async (office: Office): Promise<readonly string[]> =>
  (
    JSON.parse((await office.run('queue members Support -o json')).stdout) as { extensionNumber: string }[]
  ).map(({ extensionNumber }) => extensionNumber);
const operation = 'bulkAssignDepartmentMembers';

describe('a change whose outcome is not known', () => {
  it('is made by --resume when the service is available again', async () => {
    const office = await openOffice();
    const here = { paths: temporaryPaths() };
    await office.sandbox.control('POST', '/faults', { kind: 'status', operation, status: 503, times: 0 });
    const broken = await office.run('queue assign --queue Support --add 106 --yes --retry 0', here);
    expect(broken.exit).toBe(14);
    expect(office.requests().filter((line) => line.startsWith('POST'))).toHaveLength(1);
    expect(await members(office)).not.toContain('106');
    await office.sandbox.control('DELETE', '/faults');
    const shown = await office.run('queue apply --resume last --dry-run -o json', here);
    expect(JSON.parse(shown.stdout)).toMatchObject([{ method: 'POST' }]);
    const unconfirmed = await office.run('queue apply --resume last', here);
    expect([unconfirmed.exit, await members(office)]).toEqual([9, ['102', '103', '104']]);
    const resumed = await office.run('queue apply --resume last --yes', here);
    expect(resumed.exit).toBe(0);
    expect(await members(office)).toContain('106');
  });

  it('is reported if the change was sent, and only reading it back fails', async () => {
    let isSent = false;
    const office: Office = await openOffice('administrator', (send) => async (request) => {
      const reply = await send(request);
      if (request.method === 'POST' && !isSent) {
        isSent = true;
        const fault = { kind: 'status', operation: 'listDepartmentMembers', status: 404, times: 1 };
        await office.sandbox.control('POST', '/faults', fault);
      }
      return reply;
    });
    const here = { paths: temporaryPaths() };
    const { exit, stderr } = await office.run('queue assign --queue Support --add 106 --yes --retry 0', here);
    expect([exit, stderr]).toEqual([
      14,
      expect.stringMatching(
        /1 of 1 change was sent, but ucctl could not read the result: .*\n.*ucctl queue apply --resume \S+/,
      ),
    ]);
    expect(await members(office)).toContain('106');
    const resumed = await office.run('queue apply --resume last --yes', here);
    expect([resumed.exit, resumed.stderr]).toEqual([0, expect.any(String)]);
    expect(office.requests().filter((line) => line.startsWith('POST'))).toHaveLength(1);
  });

  it('is undone if it was made after all', async () => {
    const office = await openOffice();
    const here = { paths: temporaryPaths() };
    const before = await members(office);
    await office.sandbox.control('POST', '/faults', { kind: 'status', operation, status: 503, times: 0 });
    expect((await office.run('queue assign --queue Support --add 106 --yes --retry 0', here)).exit).toBe(14);
    await office.sandbox.control('DELETE', '/faults');
    // As the request that was under way would do it in the end; from another machine.
    expect((await office.run('queue assign --queue Support --add 106 --yes')).exit).toBe(0);
    expect(await members(office)).toContain('106');
    expect((await office.run('history undo last --yes', here)).exit).toBe(0);
    expect(await members(office)).toEqual(before);
  });
});
