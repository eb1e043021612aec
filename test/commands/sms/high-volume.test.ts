import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { buildClient, type HttpSend } from '../../../src/client/index.ts';
import { OutcomeUnknownError } from '../../../src/errors/service.ts';
import { send as request } from '../../sandbox/request.ts';
import { openDatabase } from '../../../src/platform/sqlite.ts';
import { plainSettings } from '../../support/fake-service.ts';
import { clockStore, postgresMissing } from '../../support/postgres.ts';
import { sandboxHttp, signInAs } from '../../support/sandbox.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import type { RunResult } from '../../support/run-ucctl.ts';
import { openOffice } from '../office.ts';

const main = '+16505550100';
const send = 'sms send --high-volume -f list.csv --template Hello{{name}} --yes';

async function open(rows: readonly string[], around?: (send: HttpSend) => HttpSend) {
  const office = await openOffice('administrator', around, ':memory:', { dialect: 'current' });
  const cwd = temporaryFolder();
  const paths = temporaryPaths();
  writeFileSync(join(cwd, 'list.csv'), ['to,name', ...rows, ''].join('\n'));
  const env = { UCCTL_BASE_URL: office.sandbox.url, UCCTL_DIALECT: 'current', UCCTL_DEFAULT_COUNTRY: 'US' };
  const run = (argv: string, more: Readonly<Record<string, string>> = {}): Promise<RunResult> =>
    office.run(argv, { cwd, paths, now: () => office.sandbox.clock.now(), env: { ...env, ...more } });
  const json = async (argv: string): Promise<readonly Readonly<Record<string, unknown>>[]> => {
    const { exit, stdout, stderr } = await run(`${argv} -o json`);
    expect([exit, stderr]).toEqual([0, expect.any(String)]);
    return JSON.parse(stdout) as never;
  };
  const read = (name: string): string => readFileSync(join(cwd, name), 'utf8');
  /** The texts of all batches at the service, read without ucctl. */
  const sent = async (): Promise<readonly string[]> => {
    const token = await signInAs(office.sandbox, 'administrator');
    const { body } = await request(office.sandbox, 'GET', '/account/~/a2p-sms/messages?view=Detailed', {
      token,
    });
    return body.records.map(({ to, text }) => `${String(to)} ${String(text)}`);
  };
  return { ...office, run, json, read, sent, paths };
}

const people = Array.from({ length: 120 }, (_, at) => `+1650556${String(1000 + at)},${at}`);

describe('sms send --high-volume', () => {
  test('spec:TEXTBATCH-1 spec:TEXTBATCH-4 spec:TEXTBATCH-6 sends a list in batches, whose texts are shown with their statuses', async () => {
    const { run, json, read, sent, requests, sandbox } = await open([...people, '+16505550191,failing']);
    requests();
    const { exit, stderr } = await run(`${send} --results done.csv`);
    expect([exit, stderr]).toEqual([0, expect.stringContaining(`121 texts from ${main} to 121 numbers`)]);
    expect(requests().filter((line) => line.startsWith('POST'))).toEqual([
      'POST /account/~/a2p-sms/batches',
      'POST /account/~/a2p-sms/batches',
    ]);
    expect(await sent()).toHaveLength(121);
    expect(read('done.csv').split('\n')[1]).toMatch(/^'?\+16505561000,0,sent,/);
    const batches = await json('sms batches');
    expect(batches).toMatchObject([
      { id: '2', from: main, status: 'Processing', size: 21, processed: 0 },
      { id: '1', status: 'Processing', size: 100 },
    ]);
    await sandbox.clock.advance(10_000);
    const receivers = await json('sms batch 2');
    expect(receivers).toHaveLength(21);
    expect(receivers[0]).toMatchObject({ to: '+16505561100', status: 'Delivered', errorCode: null });
    expect(receivers[20]).toMatchObject({
      to: '+16505550191',
      status: 'DeliveryFailed',
      errorCode: 'SMS-CAR-411',
    });
    expect((await run('sms batch 2')).stderr).toContain('Batch 2: Completed, 21 of 21 processed');
    expect(await run('sms batch 77')).toMatchObject({ exit: 3 });
  });

  test('spec:TEXTBATCH-3 reports each text that the service rejects, and sends the others', async () => {
    const { run, sent } = await open(
      ['+16505561000,a', '+16505561001,b', '+16505561002,c'],
      (real) => (asked) => {
        // A number that ucctl accepts and the service rejects.
        if (asked.method !== 'POST' || !asked.url.pathname.endsWith('/batches')) return real(asked);
        const body = String(asked.body).replace('+16505561001', '5561001');
        return real({ ...asked, body });
      },
    );
    const { exit, stdout, stderr } = await run(`${send} -o json`);
    expect(exit).toBe(8);
    expect(JSON.parse(stdout)).toMatchObject([
      { to: '+16505561000', status: 'sent', message: 'batch 1' },
      { to: '+16505561001', status: 'failed', message: 'The recipient is not an E.164 number' },
      { to: '+16505561002', status: 'sent' },
    ]);
    expect(stderr).toContain('1 of 3');
    expect(await sent()).toEqual(['+16505561000 Helloa', '+16505561002 Helloc']);
  });

  test('never sends a batch again whose reply was lost; outcome resolve finds it among the batches', async () => {
    let lost = 0;
    const { run, sent, sandbox } = await open(people, (real) => async (asked) => {
      const reply = await real(asked);
      if (asked.method !== 'POST' || !asked.url.pathname.endsWith('/batches') || lost > 0) return reply;
      lost += 1;
      throw new OutcomeUnknownError({ method: 'POST', path: asked.url.pathname }, new Error('no reply'));
    });
    const first = await run(send);
    expect([first.exit, first.stderr]).toEqual([
      14,
      expect.stringContaining('the outcome of 100 of 120 texts'),
    ]);
    expect(await sent()).toHaveLength(120);
    const again = await run(send);
    expect([again.exit, again.stderr]).toEqual([
      11,
      expect.stringContaining('may already have sent 100 of 120 texts'),
    ]);
    await sandbox.clock.advance(20_000);
    const resolved = await run('outcome resolve --all --sole-sender -o json');
    expect([resolved.exit, resolved.stderr]).toEqual([0, '']);
    expect(JSON.parse(resolved.stdout)).toMatchObject([{ state: 'sent', serviceId: '1' }]);
    expect((await run('sms batches -o json')).stdout.match(/"id"/g)).toHaveLength(2);
    // A text has no ID of its own, and the ID of its batch is not the ID of a message.
    const resumed = await run('sms send --resume last --yes -o json');
    const texts = JSON.parse(resumed.stdout) as readonly { status: string; id?: unknown }[];
    expect([resumed.exit, new Set(texts.map(({ status, id }) => `${status} ${String(id)}`))]).toEqual([
      0,
      new Set(['sent undefined']),
    ]);
  });

  test.each(['this machine', ...(postgresMissing() ? [] : ['the store'])])(
    'a list is sent again after the outcome of its batch was resolved, with the journal of %s',
    async (place) => {
      let lost = 0;
      const { run, sent, sandbox } = await open(['+16505561000,a', '+16505561001,b'], (real) => (asked) => {
        const isBatch = asked.method === 'POST' && asked.url.pathname.endsWith('/batches');
        if (!isBatch || (lost += 1) > 1) return real(asked);
        throw new OutcomeUnknownError({ method: 'POST', path: asked.url.pathname }, new Error('no reply'));
      });
      const store = place === 'the store' ? await clockStore(sandbox.clock.now()) : undefined;
      const at = store ? { UCCTL_STORE: store.url } : {};
      expect((await run(send, at)).exit).toBe(14);
      expect((await run(send, at)).exit).toBe(11);
      const [id = ''] = (await run('outcome list --state unknown --fields id', at)).stdout.trim().split('\n');
      expect((await run(`outcome resolve ${id} --as not-sent`, at)).exit).toBe(0);
      expect([(await run(send, at)).exit, (await sent()).length]).toEqual([0, 2]);
    },
  );

  test('a batch that the service did not get stays unknown, and is not sent again', async () => {
    const { run, sent, sandbox } = await open(['+16505561000,a'], (real) => (asked) => {
      if (asked.method !== 'POST' || !asked.url.pathname.endsWith('/batches')) return real(asked);
      return Promise.reject(
        new OutcomeUnknownError({ method: 'POST', path: asked.url.pathname }, new Error('no reply')),
      );
    });
    expect(await run(send)).toMatchObject({ exit: 14 });
    await sandbox.clock.advance(20_000);
    const resolved = await run('outcome resolve --all --sole-sender');
    expect([resolved.exit, resolved.stderr]).toEqual([
      14,
      expect.stringContaining('the service does not list a batch with these texts yet'),
    ]);
    expect(await run('sms send --resume last --yes')).toMatchObject({ exit: expect.any(Number) as number });
    expect(await sent()).toEqual([]);
  });

  /** Removes the outcomes without a reply, as if the process was killed before it recorded its request. */
  function forget(paths: { readonly state: string }): void {
    const runs = openDatabase(join(paths.state, 'runs.db'));
    runs.exec("UPDATE item SET status = 'sent' WHERE status = 'unknown'; UPDATE run SET state = 'open'");
    runs.close();
    const outcomes = openDatabase(join(paths.state, 'outcomes.db'));
    outcomes.exec("DELETE FROM outcome WHERE state = 'unknown'");
    outcomes.close();
  }

  test('a batch whose process was killed before it was in the journal can be resolved, and is sent by --resume', async () => {
    let posts = 0;
    const { run, json, sent, paths } = await open(people, (real) => (asked) => {
      if (asked.method !== 'POST' || !asked.url.pathname.endsWith('/batches')) return real(asked);
      // The first batch does not reach the service.
      if ((posts += 1) > 1) return real(asked);
      throw new OutcomeUnknownError({ method: 'POST', path: asked.url.pathname }, new Error('no reply'));
    });
    expect((await run(send)).exit).toBe(14);
    expect(await sent()).toHaveLength(20);
    forget(paths);
    const resume = 'sms send --resume last --yes';
    for (let time = 0; time < 2; time += 1) {
      const resumed = await run(resume);
      expect([resumed.exit, resumed.stderr]).toEqual([
        14,
        expect.stringContaining('then, to resume the run'),
      ]);
    }
    const [outcome, ...others] = await json('outcome list --state unknown');
    expect([outcome, others]).toMatchObject([{ kind: 'sms' }, []]);
    expect((await run(`outcome resolve ${String(outcome?.['id'])} --as not-sent`)).exit).toBe(0);
    for (let time = 0; time < 2; time += 1) {
      expect((await run(resume)).exit).toBe(0);
      expect(new Set(await sent()).size).toBe(120);
      expect(await sent()).toHaveLength(120);
    }
  });

  test('spec:TEXTBATCH-3 a batch that was sent counts its rejected texts not as sent when the run is resumed', async () => {
    const rows = ['+16505561000,a', '+16505561001,b'];
    const { run, json, sent, paths } = await open(rows, (real) => (asked) => {
      if (asked.method !== 'POST' || !asked.url.pathname.endsWith('/batches')) return real(asked);
      return real({ ...asked, body: String(asked.body).replace('+16505561001', '5561001') });
    });
    expect((await run(send)).exit).toBe(8);
    // The process was killed after it had recorded the reply in the journal of sends, but not in the run.
    const runs = openDatabase(join(paths.state, 'runs.db'));
    runs.exec("UPDATE item SET status = 'sent'; UPDATE run SET state = 'open'");
    runs.close();
    expect(await json('outcome list')).toMatchObject([{ state: 'sent', serviceId: '1' }]);
    const resumed = await run('sms send --resume last --yes -o json');
    expect([resumed.exit, JSON.parse(resumed.stdout)]).toMatchObject([
      14,
      [{ status: 'sent' }, { status: 'unknown' }],
    ]);
    expect(await sent()).toHaveLength(1);
  });

  test('a batch of another machine is not matched to a batch that the service did not get', async () => {
    let isLost = true;
    const { run, sent, sandbox } = await open(['+16505561000,a'], (real) => (asked) => {
      if (!isLost || asked.method !== 'POST' || !asked.url.pathname.endsWith('/batches')) return real(asked);
      return Promise.reject(
        new OutcomeUnknownError({ method: 'POST', path: asked.url.pathname }, new Error('no reply')),
      );
    });
    expect(await run(send)).toMatchObject({ exit: 14 });
    isLost = false;
    await sandbox.clock.advance(60_000);
    const token = await signInAs(sandbox, 'administrator');
    const json = { from: main, messages: [{ to: ['+16505561000'], text: 'Helloa' }] };
    await request(sandbox, 'POST', '/account/~/a2p-sms/batches', { token, json });
    expect(await sent()).toHaveLength(1);
    await sandbox.clock.advance(20_000);
    const resolved = await run('outcome resolve --all --sole-sender -o json');
    expect(resolved.exit).toBe(14);
    expect(JSON.parse(resolved.stdout)).toMatchObject([
      {
        state: 'unknown',
        reason: expect.stringContaining('another machine may have sent this batch') as string,
      },
    ]);
  });

  test.each([
    ['that names no text', [{ errorCode: 'CMN-101', description: 'Not accepted' }]],
    ['of a position that the request does not have', [{ index: 2, errorCode: 'CMN-101' }]],
    ['that is not an object', ['+16505561000']],
    ['that is not a list', { index: 0 }],
    ['of a number that two texts have', [{ to: ['+16505561000'], errorCode: 'CMN-101' }]],
    ['whose number is not at its position', [{ index: 2, to: ['+16505561001'] }, { index: 3 }]],
  ])('no text counts as sent after a rejection %s', async (_, rejected) => {
    const rows = ['+16505561000,a', '+16505561000,b'];
    const { run, json } = await open(rows, (real) => async (asked) => {
      const reply = await real(asked);
      if (asked.method !== 'POST' || !asked.url.pathname.endsWith('/batches')) return reply;
      const body = JSON.parse(await reply.text()) as object;
      return { ...reply, text: () => Promise.resolve(JSON.stringify({ ...body, rejected })) };
    });
    const { exit, stdout } = await run(`${send} -o json`);
    expect([exit, JSON.parse(stdout)]).toMatchObject([14, [{ status: 'unknown' }, { status: 'unknown' }]]);
    expect(await json('outcome list')).toMatchObject([{ state: 'unknown' }]);
    expect(await run(send)).toMatchObject({ exit: 11 });
  });

  test('a rejection without a position is recognized by its number', async () => {
    const { run } = await open(['+16505561000,a', '+16505561001,b'], (real) => async (asked) => {
      const reply = await real(asked);
      if (asked.method !== 'POST' || !asked.url.pathname.endsWith('/batches')) return reply;
      const body = JSON.parse(await reply.text()) as object;
      const rejected = [{ to: ['+16505561001'], errorCode: 'MSG-243' }];
      return { ...reply, text: () => Promise.resolve(JSON.stringify({ ...body, rejected })) };
    });
    const { exit, stdout } = await run(`${send} -o json`);
    expect([exit, JSON.parse(stdout)]).toMatchObject([8, [{ status: 'sent' }, { status: 'failed' }]]);
  });

  test('spec:TEXTBATCH-2 spec:TEXTBATCH-5 spec:TEXTBATCH-7 lists are read page by page, and filtered', async () => {
    const { run, sandbox, requests } = await open(people);
    expect(await run(send)).toMatchObject({ exit: 0 });
    await sandbox.clock.advance(3_600_000);
    const token = await signInAs(sandbox, 'administrator');
    const http = sandboxHttp(sandbox);
    const tokens = { current: () => Promise.resolve(token), renew: () => Promise.resolve(token) };
    const client = buildClient({ ...plainSettings, baseUrl: new URL(sandbox.url), http, tokens });
    requests();
    const texts = client.smsBatches.messages({}, { perPage: 50 });
    const seen = new Set<string>();
    for await (const { to = [] } of texts) seen.add(to.join());
    expect(seen.size).toBe(120);
    const dateFrom = new Date(sandbox.clock.now() - 60_000).toISOString();
    const counts: number[] = [];
    for (const filter of [
      {},
      { dateFrom },
      { from: main },
      { from: '+16505550110' },
      { status: ['Completed'] },
      { status: ['Sent'] },
    ]) {
      let count = 0;
      for await (const { batchSize = 0, processedCount, rejected } of client.smsBatches.list(filter, {
        perPage: 1,
      })) {
        expect({ processedCount, rejected }).toEqual({ processedCount: batchSize, rejected: [] });
        count += 1;
      }
      counts.push(count);
    }
    expect(counts).toEqual([2, 0, 2, 0, 2, 0]);
  });

  test('the policy counts every text of a batch', async () => {
    const { run, sent } = await open(people);
    const { exit, stderr } = await run(send, { UCCTL_MAX_PER_HOUR: '50' });
    expect([exit, stderr]).toEqual([9, expect.any(String)]);
    expect(await sent()).toEqual([]);
  });

  test('rejects what cannot be a batch, and sends nothing in a dry run', async () => {
    const { run, sent } = await open(['+16505561000,a']);
    expect(await run('sms send --high-volume --to +16505561000 hi --yes')).toMatchObject({ exit: 2 });
    expect(await run(`${send} --dedupe-key k`)).toMatchObject({ exit: 2 });
    const older = await run(send, { UCCTL_DIALECT: 'spec' });
    expect([older.exit, older.stderr]).toEqual([
      2,
      expect.stringContaining('dialect spec does not support high-volume texts'),
    ]);
    // The setting would have no effect: the sandbox has one dialect.
    expect(older.stderr).toContain('start a sandbox of dialect current');
    expect(older.stderr).not.toContain('config set dialect');
    const other = await run(`${send} --from +16505550110`);
    expect([other.exit, other.stderr]).toEqual([1, expect.stringContaining('cannot send high-volume SMS')]);
    const dry = await run('sms send --high-volume -f list.csv --template Hello --dry-run');
    expect([dry.exit, dry.stdout + dry.stderr]).toEqual([0, expect.stringContaining('/a2p-sms/batches')]);
    expect(await sent()).toEqual([]);
  });
});

test('sms send names the batches if the numbers of the user send only batches', async () => {
  const { run } = await open([], (real) => async (asked) => {
    const reply = await real(asked);
    if (!asked.url.pathname.endsWith('/phone-number')) return reply;
    const body = (await reply.text()).replaceAll('"SmsSender"', '"Delegated"');
    return { ...reply, text: () => Promise.resolve(body) };
  });
  const { exit, stderr } = await run('sms send --to +16505561000 hi --yes');
  expect([exit, stderr]).toEqual([3, expect.stringContaining('ucctl sms send --high-volume')]);
});
