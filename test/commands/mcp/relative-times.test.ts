import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { toolTable } from '../../../src/commands/mcp/tool-table.ts';
import { needsConfirmation } from '../../../src/commands/mcp/tools.ts';
import { connect } from '../../support/mcp-connection.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import { startWebhook } from '../../sandbox/webhook.ts';
import { openOffice } from '../office.ts';

interface Content {
  readonly status: string;
  readonly plan_id?: string;
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
}

/** An agent and the clock of its machine and the service, in dialect current. */
async function open() {
  const urls: URL[] = [];
  const around: Parameters<typeof openOffice>[1] = (send) => (request) => {
    if (request.method !== 'GET') urls.push(request.url);
    return send(request);
  };
  const office = await openOffice('administrator', around, ':memory:', {
    dialect: 'current',
    rateLimits: 'off',
  });
  const { clock } = office.sandbox;
  const cwd = temporaryFolder();
  const shared = {
    cwd,
    paths: temporaryPaths(),
    now: () => clock.now(),
    sleep: async (milliseconds: number, signal: AbortSignal) => {
      signal.throwIfAborted();
      await clock.advance(milliseconds);
    },
  };
  const dialect = { UCCTL_DIALECT: 'current' };
  const { client, close } = await connect({
    office,
    ...shared,
    env: { ...dialect, UCCTL_MCP_ALLOW: '*' },
  });
  onTestFinished(async () => void (await close()));
  const call = async (name: string, input: Readonly<Record<string, unknown>>): Promise<Content> =>
    (await client.callTool({ name, arguments: { ...input } })).structuredContent as Content;
  /** Previews a call, and runs its plan after a time. */
  const confirm = async (
    name: string,
    input: Readonly<Record<string, unknown>>,
    milliseconds = 1000,
  ): Promise<{ readonly preview: Content; readonly done: Content }> => {
    const preview = await call(name, input);
    await clock.advance(milliseconds);
    return { preview, done: await call(name, { ...input, plan_id: preview.plan_id }) };
  };
  const json = async (words: string): Promise<unknown> => {
    const { exit, stdout, stderr } = await office.run(`${words} -o json`, {
      ...shared,
      env: dialect,
      nouns: undefined,
    });
    expect([exit, stderr]).toEqual([0, expect.any(String)]);
    return JSON.parse(stdout);
  };
  return { ...office, clock, cwd, confirm, json, urls: () => urls.splice(0) };
}

it.each(['message delete', 'message purge'])(
  '%s deletes up to the time that its preview showed',
  async (command) => {
    const { confirm, clock, urls } = await open();
    const limit = new Date(clock.now() - 30 * 86_400_000).toISOString();
    const { preview, done } = await confirm('message_delete', { command, before: '30d' });
    expect(preview.result).toMatchObject({ url: expect.stringContaining(encodeURIComponent(limit)) });
    expect(done.status).toBe('done');
    expect(urls().map(({ searchParams }) => searchParams.get('dateTo'))).toEqual([limit]);
  },
);

it('fax send --at sends at the time that its preview showed, unless this time has passed', async () => {
  const { confirm, clock, cwd, requests } = await open();
  writeFileSync(join(cwd, 'page.txt'), 'a page');
  const fax = { command: 'fax send', to: ['+14155550177'], files: ['page.txt'] };
  const sendTime = new Date(clock.now() + 7_200_000).toISOString();
  const { preview, done } = await confirm('fax_send', { ...fax, at: '2h' });
  expect(preview.result).toMatchObject({ body: { sendTime } });
  expect(done).toMatchObject({ status: 'done', result: { messageStatus: 'Queued' } });
  const { done: sent } = await confirm('fax_send', { ...fax, at: 'now' });
  expect(sent).toMatchObject({ status: 'done' });
  requests();
  const late = await confirm('fax_send', { ...fax, at: '30s' }, 60_000);
  expect(late.preview.status).toBe('preview');
  expect(late.done).toMatchObject({ status: 'failed', error: { code: 'usage' } });
  expect(late.done.error?.message).toMatch(/^--at 30s is in the past: it means 20.*Z$/);
  expect(requests().filter((line) => line.startsWith('POST'))).toEqual([]);
});

it('each command that a tool confirms has the same preview a second later', async () => {
  const { confirm, cwd, json, sandbox } = await open();
  await using webhook = await startWebhook();
  const { address } = webhook;
  const write = (name: string, text: string): void => writeFileSync(join(cwd, name), text);
  write('page.txt', 'a page');
  write('queues.csv', 'queue,extension,action\n201,107,add\n');
  write('texts.csv', 'to,name\n+16505550112,Ann\n');
  write('people.csv', 'agent,department\n102,Night shift\n');
  write('hours.yaml', 'hours:\n  - owner: company\n    saturday: 10:00-14:00\n');
  write(
    'rules.yaml',
    'rules:\n  - extension: 102\n    name: Holiday\n    callHandlingAction: TakeMessagesOnly\n',
  );
  const idOf = async (words: string): Promise<string> => {
    const found = await json(words);
    return String((found as { readonly id: string | number }).id);
  };
  const arrived = async (kind: string, from: string): Promise<string> => {
    const made = await sandbox.control('POST', `/triggers/${kind}`, { from, to: '100' });
    return (made as { readonly messageId: string }).messageId;
  };
  const text = (): Promise<string> => arrived('sms', '+14155550177');
  const page = (): Promise<string> => arrived('pager', '102');
  const faxTo = 'fax send page.txt --to +14155550177 --yes';
  const subscription = (): Promise<string> => idOf(`subscribe create --events messages --address ${address}`);
  const samples: Readonly<Record<string, () => Promise<object> | object>> = {
    'queue assign': () => ({ queue: 'Support', add: ['106'] }),
    'queue unassign': () => ({ queue: 'Support', agents: ['106'] }),
    'queue apply': () => ({ file: 'queues.csv' }),
    'queue availability': () => ({ queue: 'Support', agent: '107', off: true }),
    'presence set': () => ({ extensions: ['~'], message: 'lunch' }),
    'message read': async () => ({ ids: [await text()] }),
    'message unread': async () => ({ ids: [await text()] }),
    'message restore': async () => {
      const id = await text();
      await json(`message delete ${id}`);
      return { ids: [id] };
    },
    'subscribe create': () => ({ events: ['messages'], address }),
    'subscribe update': async () => ({ id: await subscription(), events: ['presence'] }),
    'subscribe renew': async () => ({ ids: [await subscription()] }),
    'subscribe delete': async () => ({ ids: [await subscription()] }),
    'agent apply': () => ({ file: 'people.csv' }),
    'hours apply': () => ({ file: 'hours.yaml' }),
    'rule apply': () => ({ file: 'rules.yaml' }),
    'history undo': () => ({ run: 'last' }),
    'sms send': () => ({ file: 'texts.csv', template: 'Hello {{name}}' }),
    'pager send': () => ({ to: ['102'], text: 'one' }),
    'pager reply': async () => ({ message: await page(), text: 'one' }),
    'fax send': () => ({ to: ['+14155550177'], files: ['page.txt'], at: '2h' }),
    'fax resend': async () => {
      const id = await idOf(faxTo);
      await sandbox.clock.advance(600_000);
      return { id };
    },
    'fax cancel': async () => ({ id: await idOf(`${faxTo} --at 2h`) }),
    'ringout start': () => ({ to: '+16505550112' }),
    'ringout cancel': async () => ({ id: await idOf('ringout start --to +16505550112 --yes') }),
    'message delete': () => ({ type: 'SMS', before: '30d' }),
    'message purge': () => ({ type: 'SMS', before: 'today' }),
  };
  const problems: unknown[] = [];
  for (const { name, access, commands } of toolTable) {
    if (!needsConfirmation(access)) continue;
    for (const command of commands) {
      const input = (await samples[command]?.()) ?? {};
      const { preview, done } = await confirm(name, { ...(commands.length > 1 && { command }), ...input });
      if (done.status !== 'done') problems.push([command, preview.error, done.error]);
    }
  }
  expect(problems).toEqual([]);
});
