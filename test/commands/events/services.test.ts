import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Inbox, inboxFile } from '../../../src/features/live/index.ts';
import { pathsIn } from '../../support/paths.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { live, sendText } from '../webhook/listening.ts';
import { openOffice, type Office } from '../office.ts';
import { eventually } from '../../support/eventually.ts';

interface Row {
  readonly id: number;
  readonly uuid: string;
  readonly receiver: string;
}

/** Two services of the same seed, so that also the ids of their events are the same, and one user's folders. */
async function twoServices(seed = 42) {
  const paths = pathsIn(temporaryFolder());
  const open = async (url: string): Promise<Office> => {
    const office = await openOffice('administrator', undefined, ':memory:', { seed });
    const run: Office['run'] = (argv, options) =>
      office.run(argv, { paths, ...options, env: { UCCTL_BASE_URL: url, ...options?.env } });
    return { ...office, run };
  };
  return { paths, one: await open('http://127.0.0.1:4001'), two: await open('http://127.0.0.1:4002') };
}

const list = async (office: Office): Promise<readonly Row[]> => {
  const { stdout, exit } = await office.run('events list -o json');
  expect(exit).toBe(0);
  return JSON.parse(stdout) as readonly Row[];
};

/** Receives one text of an office. */
async function receiveOne(office: Office): Promise<void> {
  const listening = await live(office, 'webhook listen --count 1 -o ndjson');
  await office.run(sendText);
  expect((await listening.result).exit).toBe(0);
}

describe('events of two services under one profile', () => {
  it('are stored separately, also those with the same ids', async () => {
    const { one, two } = await twoServices();
    await receiveOne(one);
    await receiveOne(two);
    const [ofOne, ofTwo] = [await list(one), await list(two)];
    expect(ofOne.length).toBeGreaterThan(0);
    expect(ofTwo.map(({ uuid }) => uuid)).toEqual(ofOne.map(({ uuid }) => uuid));
    expect((await one.run('events show last -o json')).exit).toBe(0);
  });

  it('are received at the same time, each by a receiver without a number', async () => {
    const { one, two } = await twoServices();
    const first = await live(one, 'webhook listen -o ndjson');
    const second = await live(two, 'webhook listen -o ndjson');
    await one.run(sendText);
    await two.run(sendText);
    await eventually(() => expect([first.shown().length, second.shown().length]).toEqual([1, 1]));
    first.interrupt();
    second.interrupt();
    await Promise.all([first.result, second.result]);
    expect(new Set([...(await list(one)), ...(await list(two))].map(({ receiver }) => receiver))).toEqual(
      new Set(['listen']),
    );
  });
});

describe('an inbox that version caa7557 wrote', () => {
  const fixture = join(import.meta.dirname, '../../fixtures/caa7557/inbox');
  const copied = (paths: { readonly state: string }): void =>
    cpSync(fixture, join(paths.state, 'inbox'), { recursive: true });

  it('can be read by any service until one service receives events; then it belongs to that service', async () => {
    // Another seed than that of the fixture, whose ids would otherwise repeat.
    const { paths, one, two } = await twoServices(7);
    copied(paths);
    const old = [expect.objectContaining({ id: 1 }), expect.objectContaining({ id: 2 })];
    expect(await list(one)).toEqual(old);
    expect(await list(two)).toEqual(old);
    expect(JSON.parse((await one.run('events dlq -o json')).stdout)).toHaveLength(2);
    await receiveOne(one);
    expect((await list(one)).slice(0, 2)).toEqual(old);
    await receiveOne(two);
    expect(await list(two)).toHaveLength(1);
    expect((await list(one)).length).toBeGreaterThan(2);
  });

  it('keeps the cursors of its readers', () => {
    const { state } = pathsIn(temporaryFolder());
    copied({ state });
    const inbox = Inbox.open(state, 'default', () => 0, { origin: 'http://127.0.0.1:4001', claim: true });
    try {
      expect(inbox.cursor('listen:output').position).toBe(2);
      expect(inbox.file).toBe(inboxFile(state, 'default'));
    } finally {
      inbox.close();
    }
    const other = Inbox.open(state, 'default', () => 0, { origin: 'http://127.0.0.1:4002', claim: true });
    other.close();
    expect(other.file).not.toBe(inboxFile(state, 'default'));
    expect(readdirSync(join(state, 'inbox')).filter((name) => name.endsWith('.db'))).toHaveLength(2);
  });
});
