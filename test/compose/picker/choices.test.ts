import { describe, expect, it } from 'vitest';
import { chooseValue, type PickKind } from '../../../src/compose/picker/choose.ts';
import { Journal } from '../../../src/features/bulk/index.ts';
import { Inbox, readNotification } from '../../../src/features/live/index.ts';
import { SentSecrets } from '../../../src/platform/sent-secrets.ts';
import type { Context, SearchChoice } from '../../../src/runtime/context.ts';
import { defineCommand, type NounSpec } from '../../../src/runtime/define.ts';
import { nothing } from '../../../src/runtime/output-schema.ts';
import type { RunOptions, RunResult } from '../../support/run-ucctl.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { without } from '../../support/without-members.ts';
import { openOffice, type Office } from '../../commands/office.ts';

/** A command that offers a list and chooses its first entry. */
function pickNoun(
  pick: {
    readonly kind: PickKind;
    readonly extension: string | undefined;
    readonly queue: string | undefined;
  },
  offered: SearchChoice[],
): NounSpec {
  const handler = async (ctx: Context): Promise<void> => {
    const search: Context['prompt']['search'] = (_question, choices) => {
      offered.push(...choices);
      return Promise.resolve(choices[0]?.value ?? '');
    };
    const own = Object.create(ctx, { prompt: { value: { ...ctx.prompt, search } } }) as Context;
    const profiles = () => Promise.resolve([]);
    await ctx.out.text(`${await chooseValue(own, { ...pick, name: 'ID', profiles })}\n`);
  };
  const command = defineCommand({
    path: ['pick', 'one'],
    summary: '',
    options: {},
    examples: [],
    output: nothing,
    load: () => Promise.resolve(handler),
  });
  return { name: 'pick', summary: '', section: 'Calls', commands: [command] };
}

async function choices(
  { run }: Office,
  kind: PickKind,
  {
    extension,
    queue,
    ...options
  }: RunOptions & { readonly extension?: string; readonly queue?: string } = {},
): Promise<{ readonly labels: readonly string[]; readonly offered: readonly SearchChoice[] } & RunResult> {
  const offered: SearchChoice[] = [];
  const result = await run('pick one', {
    nouns: [pickNoun({ kind, extension, queue }, offered)],
    ...options,
  });
  return { ...result, offered, labels: offered.map(({ label }) => label) };
}

describe('the list of agents', () => {
  it('has the agents of the queue that was named, but not the other agents that are cached', async () => {
    const office = await openOffice('administrator');
    const paths = temporaryPaths();
    const all = await choices(office, 'agents', { paths });
    expect(all.labels.length).toBeGreaterThan(4);
    const { labels, offered } = await choices(office, 'agents', { paths, queue: 'Support' });
    expect(labels.map((label) => label.replaceAll(/ +/g, ' ').trim())).toEqual([
      '102 Dana Okafor agent',
      '103 José Álvarez agent',
      '104 Chris Smith agent',
    ]);
    expect(offered[0]).toMatchObject({ value: '102', also: [expect.stringContaining('@')] });
    const unknown = await choices(office, 'agents', { paths, queue: 'Nowhere' });
    expect([unknown.exit, unknown.stderr]).toEqual([3, expect.stringContaining('"Nowhere" not found')]);
  });
});

describe('the list of calls', () => {
  it('has the newest calls of the account with both parties, to be found by session too', async () => {
    const office = await openOffice('administrator');
    await office.sandbox.control('POST', '/triggers/fax', { from: '+16505550147', to: '100' });
    const { stdout, labels, offered } = await choices(office, 'calls', { now: office.sandbox.clock.now() });
    const newest = JSON.parse((await office.run('calllog list --limit 1 -o json')).stdout) as {
      id: string;
      sessionId: string;
    }[];
    expect(stdout.trim()).toBe(newest[0]?.id);
    expect(labels[0]).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d {2}Fax +\+1 650 555 0147 → Avery Quinn \+1 650 555 0110 +Received/,
    );
    expect(offered[0]?.also).toContain(newest[0]?.sessionId);
  });

  it('has only those of an extension that was named, and says who may read all', async () => {
    const office = await openOffice('102');
    const all = await choices(office, 'calls');
    expect(all.exit).toBe(5);
    expect(all.stderr).toContain('ucctl calllog show --extension ~');
    const own = await choices(office, 'calls', { extension: '~' });
    expect(own.stderr).not.toContain('administrator');
  });
});

it.each([
  ['calls', ['result', 'from', 'to'], /^\S+ \S+ {2}Fax {2}unknown → unknown$/],
  ['messages', ['creationTime', 'type', 'direction'], /to .*Avery Quinn/],
] as const)('the list of %s has records without optional members', async (kind, members, label) => {
  const office = await openOffice('administrator', without(...members));
  await office.sandbox.control('POST', '/triggers/fax', { from: '+16505550147', to: '100' });
  const now = office.sandbox.clock.now();
  const { exit, labels } = await choices(office, kind, { now, extension: '~' });
  expect({ exit, label: labels[0] }).toEqual({ exit: 0, label: expect.stringMatching(label) as unknown });
});

describe('the list of chat webhooks', () => {
  it('shows no address, which is a credential', async () => {
    const office = await openOffice('administrator');
    const paths = temporaryPaths();
    const { stdout } = await office.run('webhook create --group 3301 -o json', { paths });
    const { id } = JSON.parse(stdout) as { id: string };
    const { labels, stdout: chosen } = await choices(office, 'chat-webhooks', { paths });
    expect(chosen.trim()).toBe(id);
    expect(labels[0]).toMatch(/^\S+ {2}Active {2}group 3301 {2}created \d{4}-/);
    expect(labels.join('')).not.toContain('webhook/v2');
  });
});

describe('the list of events', () => {
  const stored = async (office: Office) => {
    const paths = temporaryPaths();
    // Opens the inbox of the service of the office.
    const origin = new URL(office.sandbox.url).origin;
    const inbox = Inbox.open(paths.state, 'default', () => Date.now(), { origin, claim: true });
    for (const dndStatus of ['DoNotAcceptAnyCalls', 'TakeAllCalls']) {
      const event = '/restapi/v1.0/account/1/extension/2/presence';
      const body = { extensionId: '2', presenceStatus: 'Available', dndStatus };
      const received = readNotification(
        JSON.stringify({ uuid: dndStatus, event, timestamp: '2026-01-05T09:00:00Z', body }),
      );
      if (received) await inbox.accept(received, 'listen', 'webhook');
    }
    inbox.close();
    return paths;
  };

  it('has the newest first, with the sentence that describes it, and sends nothing', async () => {
    const office = await openOffice('administrator');
    const paths = await stored(office);
    office.requests();
    const { stdout, labels, offered } = await choices(office, 'events', { paths });
    expect(stdout.trim()).toBe('2');
    expect(labels.map((label) => label.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/, 'TIME'))).toEqual([
      '2  TIME  presence  Extension 2 is available',
      '1  TIME  presence  Extension 2 is available, does not take calls',
    ]);
    expect(offered[0]?.also).toEqual(['TakeAllCalls']);
    expect(office.requests()).toEqual([]);
  });

  it('is a usage error if it is empty', async () => {
    const office = await openOffice('administrator');
    const { exit, stderr } = await choices(office, 'events');
    expect(exit).toBe(2);
    expect(stderr).toContain(
      'ID is missing, and there are no stored events in the last 30 days to choose from',
    );
  });
});

it('the list of runs shows the same state as history list', async () => {
  const office = await openOffice('administrator');
  const paths = temporaryPaths();
  const journal = Journal.open(paths.state, () => Date.now(), new SentSecrets());
  const item = (number: number) => ({ action: 'send', subject: `${number}`, payload: {} });
  const run = journal.create({
    kind: 'test',
    title: 'Texts',
    baseUrl: '',
    now: Date.now(),
    detail: {},
    items: [1, 2, 3].map(item),
  });
  journal.mark(run, [0], 'ok');
  journal.mark(run, [1], 'unknown');
  journal.finish(run, 'done');
  journal.close();
  const { stdout } = await office.run('history list', { paths, terminal: 160 });
  expect(stdout).toContain('done, 1 unknown, 1 left');
  const { labels } = await choices(office, 'runs', { paths });
  expect(labels).toEqual([expect.stringContaining('done, 1 unknown, 1 left  Texts')]);
});
