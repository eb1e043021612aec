import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/platform/sqlite.ts';
import { type Desk, openDesk } from '../matrix/desk.ts';

const files = {
  'people.csv': 'agent,department\n102,Night shift\n',
  'hours.yaml': 'hours:\n  - owner: company\n    saturday: 10:00-14:00\n',
};

async function open(dialect: 'spec' | 'current' = 'current'): Promise<Desk> {
  const desk = await openDesk({ sandbox: { dialect }, files });
  onTestFinished(() => desk[Symbol.asyncDispose]());
  return desk;
}

/** The screen of a command, without colours. */
async function shown(desk: Desk, command: string, terminal: number): Promise<string> {
  const { stdout, exit } = await desk.run(command, { terminal, env: { NO_COLOR: '1' } });
  expect([command, exit]).toEqual([command, 0]);
  return stdout;
}

/** A text without line breaks. */
const flat = (text: string): string => text.replaceAll(/\s+/g, ' ');

describe('lists on a terminal of 40 columns show what matters', () => {
  it('of runs: what each run did, and how many changes failed', async () => {
    const desk = await open();
    await desk.run('agent apply -f people.csv --yes');
    const list = await shown(desk, 'history list', 40);
    expect(flat(list)).toContain('apply people.csv');
    expect(list).toMatch(/^RUN +STATE/);
  });

  it.each([40, 80, 150])(
    'of runs: the changes that failed, are unknown or left, at %i columns',
    async (columns) => {
      const desk = await open();
      await desk.run('agent apply -f people.csv --yes');
      const set = (status: string, state = 'done'): void => {
        const db = openDatabase(join(desk.paths.state, 'runs.db'));
        db.exec(`UPDATE item SET status = '${status}'; UPDATE run SET state = '${state}'`);
        db.close();
      };
      for (const [status, state, text] of [
        ['ok', 'done', /done(?!,)/],
        ['failed', 'done', /done, 1 failed/],
        ['unknown', 'done', /done, 1 unknown/],
        ['planned', 'open', /open, 1 left/],
      ] as const) {
        set(status, state);
        expect(flat(await shown(desk, 'history list', columns))).toMatch(text);
      }
      expect((await desk.run('history list --fields state,left')).stdout).toBe('open\t1\n');
    },
  );

  it('of requests: the error of a rejected request, on any width', async () => {
    const desk = await openDesk({ sandbox: { listen: true } });
    onTestFinished(() => desk[Symbol.asyncDispose]());
    await desk.run('api GET /restapi/v1.0/nowhere');
    for (const columns of [40, 80, 150]) {
      expect(await shown(desk, 'sandbox log --limit 1', columns)).toContain('AGW-404: Resource not found');
    }
    await desk.run('queue list');
    expect((await shown(desk, 'sandbox log --limit 1', 80)).split('\n')).toHaveLength(3);
  });

  it('of the audit trail: who changed what', async () => {
    const desk = await open();
    await desk.run('agent apply -f people.csv --yes');
    const list = flat(await shown(desk, 'audit list', 40));
    for (const text of [
      'Avery Quinn (100)',
      'EXTENSION_UPDATE',
      'Dana Okafor (102)',
      'department: Night shift',
    ])
      expect(list).toContain(text);
    const wide = await shown(desk, 'audit list', 80);
    expect(wide).toContain('Avery Quinn (100)');
    expect(flat(wide)).toContain('department: Night shift');
    const { stdout } = await desk.run('audit list -o csv');
    expect(stdout).toContain('100 Avery Quinn');
  });

  it('of business hours: the week, with equal days together', async () => {
    const desk = await open();
    await desk.run('hours apply -f hours.yaml --yes');
    const week = 'Company Mon-Fri 09:00-18:00; Sat 10:00-14:00; Sun closed';
    expect(flat(await shown(desk, 'hours list', 40))).toContain(week);
    const list = await shown(desk, 'hours list Support company', 80);
    expect(list.split('\n').map(flat)).toEqual([
      'OWNER NAME HOURS',
      expect.stringMatching(/^\d+ Support \(201\) Mon-Fri 09:00-18:00; Sat-Sun closed$/),
      `company ${week}`,
      '',
    ]);
    const { stdout } = await desk.run('hours list --fields name,saturday,sunday -o csv');
    expect(stdout).toContain('Company,10:00-14:00,closed');
  });

  it('of rules: the name of the extension, and the action', async () => {
    const desk = await open();
    await desk.run('agent list');
    expect(await shown(desk, 'rule list 102', 80)).toContain('Dana Okafor (102)');
    expect(await shown(desk, 'rule list 102', 40)).toContain('TakeMessagesOnly');
    const { stdout } = await desk.run('rule list 102 -o csv');
    expect(stdout).not.toContain('Dana Okafor');
  });

  it('of downloads: the whole path, and why a file is missing', async () => {
    const desk = await open('spec');
    await desk.sandbox.control('POST', '/triggers/voicemail', { from: '+16505550199', to: '+16505550110' });
    const first = await desk.run('download --voicemail --dir voicemails', { terminal: 40 });
    expect(first.stdout.replaceAll(/\n */g, '')).toMatch(/voicemails\/voicemail-\d+\.\w+/);
    const again = await desk.run('download --voicemail --dir voicemails', { terminal: 40 });
    expect(again.stdout.replaceAll(/\n */g, '')).toMatch(/voicemails\/voicemail-\d+\.\w+ ?already exists/);
  });
});

it('nothing to change is said once', async () => {
  const desk = await open();
  await desk.run('agent apply -f people.csv --yes');
  const { stderr } = await desk.run('agent apply -f people.csv --yes', { terminal: 80 });
  expect(stderr.match(/No changes/g)).toHaveLength(1);
});

it('a call that a queue passed to an agent shows the extension of the agent on 80 columns', async () => {
  const desk = await open('spec');
  await desk.sandbox.control('POST', '/triggers/call', { from: '+16505550199', to: '202' });
  await desk.sandbox.clock.advance(120_000);
  const list = await shown(desk, 'calllog list', 80);
  expect(list).toMatch(/Sales → [\w ]+ \(10\d\)/);
});

it('a time of a call is readable on a terminal', async () => {
  const desk = await open('spec');
  await desk.sandbox.control('POST', '/triggers/call', { from: '+16505550199', to: '102' });
  await desk.sandbox.clock.advance(120_000);
  const calls: readonly { readonly sessionId: string }[] = await desk.json('calllog list');
  const text = await shown(desk, `calllog show ${calls[0]?.sessionId ?? ''}`, 80);
  expect(text).toMatch(/ · \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC · /);
});

it('a text that could not be sent says so in the list of messages, at every width', async () => {
  const desk = await open('spec');
  await desk.run(['sms', 'send', '--to', '+16505550190', 'Your order ships today', '--yes']);
  await desk.sandbox.clock.advance(60_000);
  for (const width of [40, 80, 120]) {
    const list = flat(await shown(desk, 'message list', width));
    expect(list).toContain('(could not be sent) Your order ships today');
  }
  const { stdout } = await desk.run('message list -o csv');
  expect(stdout).not.toContain('could not');
  const [message]: readonly { readonly id: string }[] = await desk.json('message list');
  expect(await shown(desk, `message show ${message?.id ?? ''}`, 80)).toMatch(
    /^Text +Your order ships today$/m,
  );
});
