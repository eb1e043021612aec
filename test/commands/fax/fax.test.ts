import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faxErrorCodes } from '../../../src/contract/enums.ts';
import { fakeReply } from '../../support/fake-service.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { signInAs } from '../../support/sandbox.ts';
import { openLiveOffice } from '../live-office.ts';
import { openOffice } from '../office.ts';

const outside = '+14155550100';
let folder = '';
const files: Readonly<Record<string, Uint8Array>> = {
  'offer.pdf': Buffer.concat([
    Buffer.from('%PDF-1.4\n1 0 obj<</Type /Page>>endobj\n'),
    Buffer.from('\r\n--ucctl-\r\n'),
    Buffer.alloc(300_000, 7),
  ]),
  'plan "ä".txt': Buffer.from('Hällo\r\n\r\nline\r\n'),
  'table.xlsx': Buffer.from(Array.from({ length: 5000 }, (_, index) => index % 256)),
  'empty.txt': Buffer.alloc(0),
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ucctl-fax-'));
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

interface Fax {
  readonly id: number;
  readonly messageStatus: string;
  readonly faxPageCount: number;
  readonly attachments: readonly {
    readonly type: string;
    readonly uri: string;
    readonly contentType: string;
    readonly fileName: string;
  }[];
}

describe('fax send', () => {
  it('spec:CLIENT-38 three documents arrive unchanged, and are listed with their pages', async () => {
    const { run, sandbox } = await openLiveOffice();
    const names = ['offer.pdf', 'plan "ä".txt', 'table.xlsx'];
    const { exit, stdout, stderr } = await run(
      ['fax', 'send', '--to', outside, ...names, '--resolution', 'Low', '--yes', '-o', 'json'],
      { cwd: folder },
    );
    expect(exit).toBe(0);
    expect(stderr).toContain(
      `to ${outside} (1), Low resolution:\n  offer.pdf, ${files['offer.pdf']?.length} bytes`,
    );
    const fax = JSON.parse(stdout) as Fax;
    const sources = fax.attachments.filter(({ type }) => type === 'SourceDocument');
    expect(sources.map(({ fileName }) => fileName)).toEqual(['offer.pdf', 'plan _ä_.txt', 'table.xlsx']);
    expect(sources.map(({ contentType }) => contentType)).toEqual([
      'application/pdf',
      'text/plain',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ]);
    const token = await signInAs(sandbox, 'administrator');
    for (const [index, { uri }] of sources.entries()) {
      const reply = await sandbox.fetch(new Request(uri, { headers: { authorization: `Bearer ${token}` } }));
      const sent = files[names[index] ?? ''] ?? randomBytes(1);
      expect(sha256(new Uint8Array(await reply.arrayBuffer()))).toBe(sha256(sent));
    }
    const listed = JSON.parse((await run('fax list -o json')).stdout) as Fax[];
    expect(listed).toMatchObject([{ id: fax.id, faxPageCount: fax.faxPageCount, faxResolution: 'Low' }]);
    expect(fax.faxPageCount).toBeGreaterThan(2);
  });

  it('spec:MESSAGE-33, MESSAGE-34: --wait exits with 0 when the fax is sent', async () => {
    const { run } = await openLiveOffice();
    const { exit, stdout } = await run(
      ['fax', 'send', '--to', outside, 'table.xlsx', '--yes', '--wait', '-o', 'json'],
      { cwd: folder },
    );
    expect([exit, JSON.parse(stdout)]).toMatchObject([0, { messageStatus: 'Sent' }]);
  });

  it.each(
    faxErrorCodes.slice(0, 16).map((code, index) => [code, `+165055503${String(index).padStart(2, '0')}`]),
  )('spec:FAX-10, FAX-11 %s is explained, with exit code 13', async (code, to) => {
    const { run } = await openLiveOffice();
    const { exit, stdout, stderr } = await run(
      ['fax', 'send', '--to', to, 'table.xlsx', '--yes', '--wait', '-o', 'json'],
      { cwd: folder },
    );
    expect([exit, JSON.parse(stdout)]).toMatchObject([
      13,
      { messageStatus: 'SendingFailed', to: [{ faxErrorCode: code }] },
    ]);
    expect(stderr).toContain('could not be sent; ');
  });

  it('sends to several numbers, with a cover page, and later', async () => {
    const { run, sandbox } = await openLiveOffice();
    const to = `${outside},+1 (415) 555-0101`;
    const cover = ['--cover', '3', '--cover-text', 'For you'];
    const { exit, stdout, stderr } = await run(
      ['fax', 'send', '--to', to, ...cover, '--at', '20m', 'table.xlsx', '--yes', '-o', 'json'],
      { cwd: folder },
    );
    expect(exit).toBe(0);
    expect(stderr).toContain(
      `to ${outside}, +14155550101 (US) (2), at 2026-01-05T09:20:00.000Z:\n  cover page 3: For you\n  table.xlsx, `,
    );
    const { id } = JSON.parse(stdout) as Fax;
    await sandbox.clock.advance(600_000);
    expect(JSON.parse((await run(`fax status ${id} -o json`)).stdout)).toMatchObject({
      messageStatus: 'Queued',
    });
    const cancelled = await run(`fax cancel ${id} -o json`);
    expect([cancelled.exit, JSON.parse(cancelled.stdout)]).toMatchObject([0, { status: 'deleted' }]);
    const gone = await run(`fax status ${id}`);
    expect([gone.exit, gone.stderr]).toEqual([
      3,
      expect.stringContaining(`fax ${id} not found: it may have been canceled or deleted`),
    ]);
    const twice = await run(`fax cancel ${id}`);
    expect([twice.exit, twice.stderr]).toEqual([
      3,
      expect.stringContaining(`ucctl message show ${id} --availability Alive,Deleted,Purged`),
    ]);
    await sandbox.clock.advance(1_200_000);
    const { stdout: after } = await run(`message show ${id} --availability Deleted -o json`);
    expect(JSON.parse(after)).toMatchObject({ messageStatus: 'Queued', availability: 'Deleted' });
  });

  it('that only some recipients received exits with 8 and reports the others with the reason', async () => {
    const { run } = await openLiveOffice();
    const { exit, stdout, stderr } = await run(
      ['fax', 'send', '--to', `${outside},+16505550305`, 'table.xlsx', '--yes', '--wait', '-o', 'json'],
      { cwd: folder },
    );
    expect([exit, JSON.parse(stdout)]).toMatchObject([8, { messageStatus: 'Sent' }]);
    expect(stderr).toContain(
      '1 of 2 recipients did not receive the fax: sent; +16505550305: nobody answered',
    );
  });

  it('reads --at in the zone of --tz, and shows it there', async () => {
    const { run } = await openLiveOffice();
    const words = 'fax send table.xlsx --resolution Low --tz Europe/Berlin -n -o json';
    const { stdout, stderr } = await run([...words.split(' '), '--to', outside, '--at', '2026-01-05 14:00'], {
      cwd: folder,
    });
    expect(JSON.parse(stdout)).toMatchObject({ body: { sendTime: '2026-01-05T13:00:00.000Z' } });
    expect(stderr).toContain('(1), Low resolution, at 2026-01-05T14:00:00.000+01:00:');
  });

  it.each(['now', '0m'])('--at %s sends the fax at once', async (at) => {
    const { run } = await openLiveOffice();
    const words = ['fax', 'send', '--to', outside, 'table.xlsx', '--at', at, '-n', '-o', 'json'];
    const { exit, stdout } = await run(words, { cwd: folder });
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ body: { to: [{ phoneNumber: outside }] } });
    expect(stdout).not.toContain('sendTime');
  });

  it('is sent again after it failed, and can no longer be canceled', async () => {
    const { run, sandbox } = await openLiveOffice();
    const { stdout } = await run(
      ['fax', 'send', '--to', '+16505550306', 'table.xlsx', '--yes', '-o', 'json'],
      { cwd: folder },
    );
    const { id } = JSON.parse(stdout) as Fax;
    const early = await run(`fax resend ${id} --yes`);
    expect([early.exit, early.stderr]).toEqual([
      1,
      expect.stringContaining('wait until the service has sent the fax'),
    ]);
    await sandbox.clock.advance(60_000);
    const late = await run(`fax cancel ${id}`);
    expect([late.exit, late.stderr]).toEqual([11, expect.stringContaining('the line was busy')]);
    const again = await run(`fax resend ${id} --to ${outside} --yes --wait -o json`);
    expect([again.exit, JSON.parse(again.stdout)]).toMatchObject([0, { messageStatus: 'Sent' }]);
  });

  it('is sent again only after a confirmation, and once with the same key', async () => {
    const { run, requests } = await openLiveOffice();
    const at = { cwd: folder, paths: temporaryPaths() };
    const { stdout } = await run(`fax send --to ${outside} table.xlsx --yes --wait -o json`, at);
    const { id } = JSON.parse(stdout) as Fax;
    const posts = () => requests().filter((line) => line.startsWith('POST')).length;
    posts();
    expect([(await run(`fax resend ${id}`, at)).exit, posts()]).toEqual([9, 0]);
    const keyed = `fax resend ${id} --yes --dedupe-key k`;
    expect([(await run(keyed, at)).exit, posts()]).toEqual([0, 1]);
    expect([(await run(keyed, at)).exit, posts()]).toEqual([11, 0]);
  });

  it.each([
    ['is rejected', 403, 5],
    ['gets no clear reply', 503, 14],
  ])('is not reported as canceled if its deletion %s', async (_, status, code) => {
    const { run, sandbox } = await openLiveOffice('administrator', {}, (inner) => (request) => {
      if (request.method !== 'DELETE') return inner(request);
      return Promise.resolve(fakeReply({ status, body: { errorCode: 'CMN-401', message: 'no' } }));
    });
    const words = ['fax', 'send', '--to', outside, 'table.xlsx', '--yes', '-o', 'json'];
    const { id } = JSON.parse((await run(words, { cwd: folder })).stdout) as Fax;
    expect((await run(`fax cancel ${id}`)).exit).toBe(code);
    await sandbox.clock.advance(60_000);
    const shown = await run(`fax status ${id} -o json`);
    expect(JSON.parse(shown.stdout)).toMatchObject({ messageStatus: 'Sent' });
  });

  it.each(['status', 'cancel', 'resend'])('fax %s rejects a message that is not a fax', async (verb) => {
    const { run, requests } = await openLiveOffice();
    const sent = await run('sms send --to +16505550112 Hello --yes -o json');
    const { id } = JSON.parse(sent.stdout) as Fax;
    requests();
    const { exit, stderr } = await run(`fax ${verb} ${id}${verb === 'resend' ? ' --yes' : ''}`);
    expect([exit, stderr]).toEqual([3, expect.stringContaining('is not a fax; its type is SMS')]);
    expect(requests().filter((line) => !line.startsWith('GET'))).toEqual([]);
  });

  it('a canceled fax is not found in dialect current, which returns deleted messages', async () => {
    const office = await openOffice('administrator', undefined, ':memory:', { dialect: 'current' });
    const run = (line: string) =>
      office.run(line, {
        cwd: folder,
        now: () => office.sandbox.clock.now(),
        env: { UCCTL_DIALECT: 'current' },
      });
    const { stdout } = await run(`fax send --to ${outside} table.xlsx --at 20m --yes -o json`);
    const { id } = JSON.parse(stdout) as Fax;
    expect((await run(`fax cancel ${id}`)).exit).toBe(0);
    expect((await run(`fax status ${id}`)).exit).toBe(3);
  });

  it('has no cover page with --cover 0', async () => {
    const { run } = await openLiveOffice();
    const words = ['fax', 'send', '--to', outside, 'table.xlsx', '--cover', '0', '-n', '-o', 'json'];
    const { exit, stdout } = await run(words, { cwd: folder });
    expect([exit, JSON.parse(stdout)]).toMatchObject([0, { body: { coverIndex: 0 } }]);
  });

  it('is not sent again without --to if the service returns no recipients', async () => {
    const { run, requests } = await openLiveOffice('administrator', {}, (inner) => async (request) => {
      const reply = await inner(request);
      if (request.method !== 'GET' || !/message-store\/\d+$/.test(request.url.pathname)) return reply;
      return fakeReply({ status: 200, body: { ...JSON.parse(await reply.text()), to: [] } });
    });
    const words = ['fax', 'send', '--to', outside, 'table.xlsx', '--yes', '-o', 'json'];
    const { id } = JSON.parse((await run(words, { cwd: folder })).stdout) as Fax;
    requests();
    const { exit } = await run(`fax resend ${id} --yes`);
    expect([exit, requests().filter((line) => line.startsWith('POST'))]).toEqual([2, []]);
  });

  it('is not sent again without --to if the service omits the number of a recipient', async () => {
    const { run, requests } = await openLiveOffice('administrator', {}, (inner) => async (request) => {
      const reply = await inner(request);
      if (request.method !== 'GET' || !/message-store\/\d+$/.test(request.url.pathname)) return reply;
      const fax = JSON.parse(await reply.text()) as { readonly to: readonly object[] };
      const body = { ...fax, to: [fax.to[0], { name: 'Bob', messageStatus: 'Sent' }] };
      return fakeReply({ status: 200, body });
    });
    const words = ['fax', 'send', '--to', `${outside},+14155550101`, 'table.xlsx', '--yes', '--wait'];
    const { stdout } = await run([...words, '-o', 'json'], { cwd: folder });
    const { id } = JSON.parse(stdout) as Fax;
    requests();
    const { exit, stderr } = await run(`fax resend ${id} --yes`);
    expect([exit, requests().filter((line) => line.startsWith('POST'))]).toEqual([2, []]);
    expect(stderr).toContain(`the service returns the number of 1 of the 2 recipients of fax ${id}`);
    expect((await run(`fax resend ${id} --to ${outside},+14155550101 --yes`)).exit).toBe(0);
  });

  it('is not reported as canceled if the service sends it just before the deletion', async () => {
    let beforeDelete = (): Promise<unknown> => Promise.resolve();
    const { run, sandbox } = await openLiveOffice('administrator', {}, (inner) => async (request) => {
      if (request.method === 'DELETE') await beforeDelete();
      return inner(request);
    });
    const words = ['fax', 'send', '--to', outside, 'table.xlsx', '--yes', '-o', 'json'];
    const { id } = JSON.parse((await run(words, { cwd: folder })).stdout) as Fax;
    beforeDelete = () => sandbox.clock.advance(60_000);
    const { exit, stderr } = await run(`fax cancel ${id}`);
    expect([exit, stderr]).toEqual([11, expect.stringContaining(`cannot cancel fax ${id}: its status is`)]);
    expect(stderr).toContain(`ucctl message restore ${id}`);
  });

  it('spec:CURRENT-18 a wait in dialect current ends if the fax is canceled', async () => {
    const { run, sandbox } = await openOffice('administrator', undefined, ':memory:', {
      dialect: 'current',
      settings: { messageProgression: 'manual' },
    });
    const env = { UCCTL_DIALECT: 'current' };
    const now = () => sandbox.clock.now();
    const sleep = async (milliseconds: number): Promise<void> => {
      await sandbox.clock.advance(milliseconds);
      const [fax] = sandbox.messages();
      if (fax?.availability === 'Alive') await run(`fax cancel ${fax.id}`, { env });
    };
    const words = ['fax', 'send', '--to', outside, 'table.xlsx', '--yes', '--wait'];
    const { exit, stderr } = await run(words, { cwd: folder, env, now, sleep });
    expect([exit, stderr]).toEqual([
      13,
      expect.stringContaining('it was deleted before the service sent it'),
    ]);
  });

  it.each([
    [['empty.txt'], 'empty.txt is empty'],
    [['missing.pdf'], 'cannot read missing.pdf'],
    [[], 'the fax has no document'],
    [['--cover', '1', '--cover-text', 'x'], 'the fax has no document'],
    [['table.xlsx', '--cover-text', 'x'], 'needs a cover page'],
    [['table.xlsx', '--cover', '0', '--cover-text', 'x'], 'needs a cover page'],
    [['table.xlsx', '--cover', '1', '--cover-text', 'x'.repeat(1025)], 'the maximum is 1024'],
    [['table.xlsx', '--cover', '1', '--cover-text', ' \n'], '--cover-text: the value is empty'],
    [['table.xlsx', '--at', '2020-01-01'], 'in the past'],
    [['table.xlsx', '--at', 'soon'], '--at: "soon" is not a valid time'],
    [['table.xlsx', '--at', '2h', '--wait'], '--wait would end before the fax is sent'],
    [['table.xlsx', '--at', '2h', '--tz', 'Nowhere/Land'], 'Nowhere/Land'],
  ])('with %j exits with 2 and sends nothing', async (words, text) => {
    const { run, requests } = await openLiveOffice();
    requests();
    const { exit, stderr } = await run(['fax', 'send', '--to', outside, ...words, '--yes'], { cwd: folder });
    expect([exit, requests()]).toEqual([2, []]);
    expect(stderr).toContain(text);
  });

  it.each([
    ['2h', '"hint":"increase the limit: --wait-timeout 135m; or remove --wait'],
    ['1425m', '"hint":"increase the limit: --wait-timeout 1440m; or remove --wait'],
    ['1426m', '"hint":"remove --wait'],
    ['48h', '"hint":"remove --wait'],
  ])('--at %s with --wait offers only a timeout that ucctl accepts', async (at, hint) => {
    const { run } = await openLiveOffice();
    const words = ['fax', 'send', '--to', outside, 'table.xlsx', '--at', at, '--wait', '--yes', '-o', 'json'];
    const { exit, stderr } = await run(words, { cwd: folder });
    expect([exit, stderr]).toEqual([2, expect.stringContaining(hint)]);
    const [, timeout] = /--wait-timeout (\d+m)/.exec(stderr) ?? [];
    if (timeout === undefined) return;
    const queued = await run([...words, '--wait-timeout', timeout, '--dry-run'], { cwd: folder });
    expect(queued.exit).toBe(0);
  });

  it('shows the whole request under --dry-run, and asks without --yes', async () => {
    const { run, requests } = await openLiveOffice();
    requests();
    const { exit, stdout } = await run(['fax', 'send', '--to', outside, 'table.xlsx', '-n', '-o', 'json'], {
      cwd: folder,
    });
    expect([exit, JSON.parse(stdout)]).toMatchObject([
      0,
      {
        method: 'POST',
        body: { to: [{ phoneNumber: outside }], attachments: [{ fileName: 'table.xlsx', size: 5000 }] },
      },
    ]);
    const shown = await run(['fax', 'send', '--to', outside, 'table.xlsx', '-n'], { cwd: folder });
    const boundary = /boundary=(\S+)/.exec(shown.stdout)?.[1] ?? '';
    expect(shown.stdout.split('\n').slice(1)).toEqual([
      `Content-Type: multipart/form-data; boundary=${boundary}`,
      '',
      `--${boundary}`,
      'Content-Disposition: form-data; name="json"; filename="request.json"',
      'Content-Type: application/json',
      '',
      expect.stringContaining(`"to":[{"phoneNumber":"${outside}"}]`),
      `--${boundary}`,
      'Content-Disposition: form-data; name="attachment"; filename="table.xlsx"',
      'Content-Type: application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      '',
      '(5000 bytes)',
      `--${boundary}--`,
      '',
    ]);
    expect((await run(['fax', 'send', '--to', outside, 'table.xlsx'], { cwd: folder })).exit).toBe(9);
    expect(requests()).toEqual([]);
  });
});
