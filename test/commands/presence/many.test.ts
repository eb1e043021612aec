import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { signInAs } from '../../support/sandbox.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

const desk = (text = '') => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'list.csv'), text);
  return { cwd, paths: temporaryPaths() };
};

describe('presence of many', () => {
  it('is shown for a queue and for several people', async () => {
    const { run } = await openOffice();
    const queue = await run('presence show --queue Support --fields number,name,dndStatus');
    expect(queue.stdout).toBe(
      '102\tDana Okafor\tTakeAllCalls\n103\tJosé Álvarez\tTakeAllCalls\n104\tChris Smith\tTakeAllCalls\n',
    );
    expect(JSON.parse((await run('presence show 102 103 -o json')).stdout)).toHaveLength(2);
    expect((await run('presence show 102 --queue Support')).exit).toBe(2);
  });

  it('spec:CLIENT-17 is changed once for a whole queue, and can be undone', async () => {
    const office = await openOffice();
    const at = desk();
    await office.run('presence set 103 --dnd-status TakeDepartmentCallsOnly');
    const { exit, stdout } = await office.run(
      'presence set --queue Support --queue-calls off --yes --fields who,change,status',
      at,
    );
    expect([exit, stdout]).toEqual([
      0,
      'Dana Okafor (102)\tdndStatus TakeAllCalls -> DoNotAcceptDepartmentCalls\tchanged\n' +
        'José Álvarez (103)\tdndStatus TakeDepartmentCallsOnly -> DoNotAcceptAnyCalls\tchanged\n' +
        'Chris Smith (104)\tdndStatus TakeAllCalls -> DoNotAcceptDepartmentCalls\tchanged\n',
    ]);
    office.requests();
    expect((await office.run('presence set --queue Support --queue-calls off --yes', at)).exit).toBe(0);
    expect(office.requests().filter((line) => line.startsWith('PUT'))).toEqual([]);
    const undone = await office.run('history undo last --yes', at);
    expect([undone.exit, undone.stderr]).toEqual([0, expect.stringMatching(/\(10\d\): dndStatus Take/u)]);
    const list = JSON.parse((await office.run('history list -o json', at)).stdout) as { id: string }[];
    const resumed = await office.run(`presence set --resume ${list[1]?.id}`, at);
    expect([resumed.exit, resumed.stdout]).toEqual([11, '']);
    const after = await office.run('presence show --queue Support --fields dndStatus');
    expect(after.stdout).toBe('TakeAllCalls\nTakeDepartmentCallsOnly\nTakeAllCalls\n');
  });

  it('is shown on a terminal in the words of the options', async () => {
    const office = await openOffice();
    const at = { ...desk(), terminal: 120, env: { NO_COLOR: '1' } };
    const words = 'presence set 102 103 --queue-calls off --message lunch --no-allow-see-my-presence --yes';
    const { exit, stdout, stderr } = await office.run(words, at);
    const changes = 'message: (none) → lunch, allow see my presence: yes → no, queue calls: on → off';
    expect([exit, stderr]).toEqual([0, expect.stringContaining(`  Dana Okafor (102): ${changes}\n`)]);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('message: (none) → lunch, allow');
    const on = await office.run('presence set 102 --queue-calls on --dry-run', at);
    expect(on.stderr).toContain('Dana Okafor (102): queue calls: off → on\n');
  });

  it('cannot be undone when someone has changed it since', async () => {
    const office = await openOffice();
    const at = desk();
    await office.run('presence set 102 103 --user-status Busy --yes', at);
    const dry = await office.run('history undo last --dry-run -o json', at);
    expect([dry.exit, (JSON.parse(dry.stdout) as { method: string }[]).map(({ method }) => method)]).toEqual([
      0,
      ['PUT', 'PUT'],
    ]);
    await office.run('presence set 102 --user-status Offline');
    const moved = await office.run('history undo last --yes', at);
    expect([moved.exit, moved.stderr]).toEqual([
      11,
      expect.stringContaining('Dana Okafor (102) has changed'),
    ]);
    expect((await office.run('history undo last --yes --force', at)).exit).toBe(0);
    expect((await office.run('presence show 102 103 --fields userStatus')).stdout).toBe(
      'Offline\nAvailable\n',
    );
  });

  it('cannot be undone when none of its changes still applies; with --force nothing is changed', async () => {
    const office = await openOffice();
    const at = desk();
    await office.run('presence set 102 103 --user-status Busy --yes', at);
    await office.run('presence set 102 103 --user-status Offline --yes', { ...at, paths: temporaryPaths() });
    const moved = await office.run('history undo last --yes -o json', at);
    expect([moved.exit, moved.stdout]).toEqual([11, '']);
    const forced = await office.run('history undo last --yes --force -o json', at);
    expect([forced.exit, JSON.parse(forced.stdout)]).toEqual([0, []]);
  });

  it('reads a spreadsheet with all fields, and writes its results file', async () => {
    const office = await openOffice();
    const at = desk(
      '\uFEFFExtension;User status;Queue calls;Message;Allow see my presence\r\n102;busy;off;"=At; lunch";no\r\n103;;;Back soon;\r\n104;Available;on;;\r\n',
    );
    const { exit } = await office.run('presence set -f list.csv --yes --results out.csv', at);
    expect(exit).toBe(0);
    expect(JSON.parse((await office.run('presence show 102 -o json')).stdout)).toMatchObject({
      userStatus: 'Busy',
      dndStatus: 'DoNotAcceptDepartmentCalls',
      message: '=At; lunch',
      allowSeeMyPresence: false,
    });
    const out = readFileSync(join(at.cwd, 'out.csv'), 'utf8').split('\r\n');
    expect(out[0]).toMatch(/^\uFEFFExtension;User status;/);
    expect(out[1]).toContain(`;"'=At; lunch";`);
    expect(out.slice(1, 4).map((line) => /;(changed|unchanged);/.exec(line)?.[1])).toEqual([
      'changed',
      'changed',
      'unchanged',
    ]);
  });

  it('writes a results file that can be run again with the message of the list, not of the service', async () => {
    let spoil = true;
    const office = await openOffice('administrator', (send) => (request) => {
      const bad = spoil && request.method === 'PUT' && request.url.pathname.includes('171857103');
      return send(bad ? { ...request, body: '{"userStatus":"Gone"}' } : request);
    });
    const at = desk(
      'extension,userStatus,message,status,code\n102,Busy,At lunch,vip,A1\n103,Busy,"Back, soon",,A2\n',
    );
    const first = await office.run('presence set -f list.csv --yes --results list.csv', at);
    expect(first.exit).toBe(8);
    const [head, good, bad] = readFileSync(join(at.cwd, 'list.csv'), 'utf8').split('\n');
    expect(head).toMatch(/^extension,userStatus,message,status,code,result status,result action,/);
    expect(good).toMatch(/^102,Busy,At lunch,vip,A1,changed,set,/);
    expect(bad).toMatch(/^103,Busy,"Back, soon",,A2,failed,set,CMN-101,/);
    spoil = false;
    expect((await office.run('presence set -f list.csv --yes', at)).exit).toBe(0);
    expect((await office.run('presence show 102 103 --fields userStatus,message')).stdout).toBe(
      'Busy\tAt lunch\nBusy\tBack, soon\n',
    );
  });

  it('reads the column DND, and warns about columns that are not fields of a presence', async () => {
    const office = await openOffice();
    const at = desk(
      'extension,Name,User Status,DND,Status,User Staus,result status\n102,Dana,Busy,DoNotAcceptAnyCalls,vip,x,\n',
    );
    const { exit, stderr } = await office.run('presence set -f list.csv --yes', at);
    expect([exit, stderr.split('\n').filter((line) => line.startsWith('warning:'))]).toEqual([
      0,
      [
        'warning: list.csv: column "Status" is not a presence field; ucctl ignores the column',
        'warning: list.csv: column "User Staus" is not a presence field; did you mean "userStatus"?; ucctl ignores the column',
      ],
    ]);
    const shown = await office.run('presence show 102 --fields userStatus,dndStatus');
    expect(shown.stdout).toBe('Busy\tDoNotAcceptAnyCalls\n');
    const empty = await office.run('presence set -f - --yes', {
      ...at,
      stdin: 'extension,mesage\n102,lunch\n',
    });
    expect([empty.exit, empty.stderr]).toEqual([
      2,
      expect.stringContaining(
        'warning: stdin: column "mesage" is not a presence field; did you mean "message"?',
      ),
    ]);
  });

  it('sends nothing if a person is unknown or has no queue calls; --skip-invalid skips these rows (exit 8)', async () => {
    const office = await openOffice('administrator', (send) => async (request) => {
      const reply = await send(request);
      const isQueue = request.method === 'GET' && request.url.pathname.includes('171857103/presence');
      if (!isQueue) return reply;
      const { dndStatus: _, ...presence } = JSON.parse(await reply.text()) as Record<string, unknown>;
      return { ...reply, text: () => Promise.resolve(JSON.stringify(presence)) };
    });
    const at = desk('extension,queueCalls\n102,off\n999,off\n103,off\n');
    office.requests();
    const strict = await office.run('presence set -f list.csv --yes', at);
    expect([strict.exit, strict.stderr]).toEqual([2, expect.stringContaining('"999" not found')]);
    const stdin = 'extension,queueCalls\n102,off\n103,off\n';
    const switched = await office.run('presence set -f - --yes', { ...at, stdin });
    expect([switched.exit, switched.stderr]).toEqual([2, expect.stringContaining('--skip-invalid')]);
    expect(office.requests().filter((line) => line.startsWith('PUT'))).toEqual([]);
    const argv = 'presence set -f list.csv --yes --skip-invalid --results out.csv -o json';
    const first = await office.run(argv, at);
    expect(first.exit).toBe(8);
    expect(JSON.parse(first.stdout)).toEqual([
      {
        extensionId: '171857102',
        who: 'Dana Okafor (102)',
        changes: { dndStatus: { from: 'TakeAllCalls', to: 'DoNotAcceptDepartmentCalls' } },
        status: 'changed',
      },
      expect.objectContaining({ extensionId: null, who: '999', status: 'skipped' }),
      expect.objectContaining({ extensionId: null, who: 'José Álvarez (103)', status: 'skipped' }),
    ]);
    expect(first.stderr).toContain('  ! list.csv, line 3, column extension: extension "999" not found');
    expect(first.stderr).toContain('"message":"2 of 3 changes were not made"');
    const lines = readFileSync(join(at.cwd, 'out.csv'), 'utf8').split('\n');
    expect(lines.slice(1, 4).map((line) => line.split(',').slice(0, 5).join())).toEqual([
      '102,off,changed,set,',
      '999,off,skipped,set,not_found',
      '103,off,skipped,set,not_possible',
    ]);
    office.requests();
    expect((await office.run(argv, at)).exit).toBe(8);
    expect((await office.run(`${argv} --fail-fast`, at)).exit).toBe(2);
    expect(office.requests().filter((line) => line.startsWith('PUT'))).toEqual([]);
    const list = { ...at, ...desk('extension,queueCalls\n104,off\n999,off\n') };
    const dry = await office.run('presence set -f list.csv --skip-invalid --dry-run', list);
    expect([dry.exit, dry.stderr]).toEqual([8, expect.stringContaining('1 row would be skipped')]);
    expect(dry.stdout).toContain('DoNotAcceptDepartmentCalls');
    expect(office.requests().filter((line) => line.startsWith('PUT'))).toEqual([]);
  });

  it('continues after a rejection that concerns one person', async () => {
    const office = await openOffice('administrator', (send) => (request) => {
      const foreign = request.method === 'PUT' && request.url.pathname.includes('171857102');
      if (!foreign) return send(request);
      const headers = { ...request.headers, authorization: `Bearer ${agentToken}` };
      return send({ ...request, headers });
    });
    const agentToken = await signInAs(office.sandbox, '105');
    const { exit, stdout, stderr } = await office.run(
      'presence set 102 103 104 --user-status Busy --yes --fields who,status',
      desk(),
    );
    expect([exit, stdout]).toEqual([
      8,
      'Dana Okafor (102)\tfailed\nJosé Álvarez (103)\tchanged\nChris Smith (104)\tchanged\n',
    ]);
    expect(stderr).toContain('1 of 3 changes was not made');
  });

  it('reads a list in another encoding than UTF-8, and names it', async () => {
    const office = await openOffice();
    const at = desk();
    const messageOf = async (): Promise<string> =>
      (await office.run('presence show 102 --fields message')).stdout;
    writeFileSync(join(at.cwd, 'list.csv'), 'extension,message\n102,Zurück\n', 'latin1');
    const { exit, stderr } = await office.run('presence set -f list.csv --yes --results out.csv', at);
    expect([exit, stderr]).toEqual([0, expect.stringContaining('ucctl reads list.csv as Windows-1252')]);
    expect(await messageOf()).toBe('Zurück\n');
    expect(readFileSync(join(at.cwd, 'out.csv'), 'utf8')).toMatch(/^\uFEFFextension,message,.*\n102,Zurück,/);
    const stdin = Buffer.from('\uFEFFextension,message\n102,Später\n', 'utf16le');
    const piped = await office.run('presence set -f - --yes', { ...at, stdin });
    expect([piped.exit, piped.stderr]).toEqual([
      0,
      expect.stringContaining('ucctl reads standard input as UTF-16 (little endian).'),
    ]);
    expect(await messageOf()).toBe('Später\n');
    const said = 'sep=;\r\nextension;message\r\n102;Zurück\r\n';
    expect((await office.run('presence set -f - --yes', { ...at, stdin: said })).exit).toBe(0);
  });

  it('reports all invalid cells and sends nothing', async () => {
    const office = await openOffice();
    office.requests();
    const at = desk(
      'extension,userStatus,queueCalls,dndStatus\n102,Gone,off,\n1E+5,Busy,maybe,\n103,,on,TakeAllCalls\n104,,,\n999,Busy,,\n',
    );
    const { exit, stderr } = await office.run('presence set -f list.csv --yes', at);
    expect(exit).toBe(2);
    expect(stderr).toContain(
      'list.csv, line 2, column userStatus: "Gone" is not a valid value; use one of Available, Busy, Offline',
    );
    expect(stderr).toContain(
      'list.csv, line 3, column extension: "1E+5" was probably changed by a spreadsheet',
    );
    expect(stderr).toContain(
      'list.csv, line 3, column queueCalls: "maybe" is not a valid value; use one of on, off',
    );
    expect(stderr).toContain(
      'list.csv, line 4, column queueCalls: queueCalls and dndStatus cannot be used together',
    );
    expect(stderr).toContain('list.csv, line 5, column extension: the row has no values to set');
    expect(stderr).toContain('list.csv, line 6, column extension: extension "999" not found');
    expect(office.requests().filter((line) => !line.startsWith('GET'))).toEqual([]);
  });

  it('checks the message of --message for a list, too', async () => {
    const office = await openOffice();
    const words = ['presence', 'set', '-f', 'list.csv', '--message', 'x'.repeat(76), '--yes'];
    const { exit, stderr } = await office.run(words, desk('extension\n102\n'));
    expect([exit, stderr]).toEqual([2, expect.stringContaining('the message has 76 characters')]);
    expect(office.requests().filter((line) => !line.startsWith('GET'))).toEqual([]);
  });

  it('undoes only fields whose earlier value is known', async () => {
    let isOmitted = true;
    const office = await openOffice('administrator', (send) => async (request) => {
      const reply = await send(request);
      if (request.method !== 'GET' || !request.url.pathname.endsWith('/presence')) return reply;
      const body = JSON.parse(await reply.text()) as Record<string, unknown>;
      if (isOmitted) delete body['dndStatus'];
      return { ...reply, text: () => Promise.resolve(JSON.stringify(body)) };
    });
    const at = desk();
    const change = 'presence set 102 103 --user-status Busy --dnd-status DoNotAcceptAnyCalls --yes -o json';
    const set = await office.run(change, { ...at, onStderr: () => void (isOmitted = false) });
    expect([set.exit, set.stdout]).toEqual([
      0,
      expect.stringMatching(/"from": null,\s+"to": "DoNotAcceptAnyCalls"/),
    ]);
    const undone = await office.run('history undo last --yes', at);
    expect([undone.exit, undone.stderr]).toEqual([0, expect.not.stringContaining('dndStatus')]);
    const after = await office.run('presence show 102 103 --fields userStatus');
    expect(after.stdout).toBe('Available\nAvailable\n');
  });

  it('reports contradicting rows of one person, and counts repeated rows once', async () => {
    const office = await openOffice();
    const at = desk(
      'extension,userStatus\n102,Busy\n103,Busy\ndana.okafor@example.com,Available\n999,Busy\n103,Busy\n',
    );
    const both = await office.run('presence set -f list.csv --yes', at);
    expect([both.exit, both.stderr.split('\n').slice(0, 3)]).toEqual([
      2,
      [
        'error: 2 problems in the list',
        '  list.csv, line 4, column extension: Dana Okafor also appears on line 2, with other values',
        expect.stringContaining('  list.csv, line 5, column extension: extension "999" not found'),
      ],
    ]);
    const stdin = 'extension,userStatus\n103,Busy\n103,Busy\n';
    office.requests();
    expect((await office.run('presence set -f - --yes', { ...at, stdin })).exit).toBe(0);
    expect(office.requests().filter((line) => line.startsWith('PUT'))).toHaveLength(1);
  });

  it('lists all names that are not found', async () => {
    const office = await openOffice();
    const { exit, stderr } = await office.run('presence set 102 998 999 --user-status Busy --yes', desk());
    expect([exit, stderr]).toEqual([
      3,
      expect.stringMatching(/2 names not found\n.*"998" not found\n.*"999" not found/),
    ]);
    expect((await office.run('presence show 998 "Chris Smith"')).exit).toBe(2);
  });

  it('counts a person who is named in two ways once', async () => {
    const office = await openOffice();
    office.requests();
    const named = 'presence set 102 dana.okafor@example.com 103 --user-status Busy --yes';
    expect((await office.run(named, desk())).exit).toBe(0);
    expect(office.requests().filter((line) => line.startsWith('PUT'))).toHaveLength(2);
  });

  it('shows the requests under --dry-run and sends none', async () => {
    const office = await openOffice();
    const { exit, stdout } = await office.run('presence set 102 103 --user-status Busy -n -o json', desk());
    expect([exit, (JSON.parse(stdout) as unknown[]).length]).toEqual([0, 2]);
    const none = await office.run('presence set 102 103 --user-status Available -n -o json', desk());
    expect([none.exit, none.stdout]).toEqual([0, '[]\n']);
    expect(office.requests().filter((line) => line.startsWith('PUT'))).toEqual([]);
  });
});
