import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadAll } from '../../src/cli/load-nouns.ts';
import { registry } from '../../src/cli/registry.ts';
import { answer } from '../../src/completion/answer.ts';
import { completionTable } from '../../src/completion/table.ts';
import { commandToRead } from '../../src/completion/command-to-read.ts';
import {
  deleteKnownValues,
  readKnownValues,
  storeKnownValues,
  timeOfKnownValues,
} from '../../src/platform/known-values.ts';
import { SentSecrets } from '../../src/platform/sent-secrets.ts';
import { temporaryFolder } from '../support/temporary.ts';

const owner = { profile: 'default', origin: 'https://service.example' };
const values = [{ value: 'Support', id: '2' }];
const store = (cache: string, now = 0) =>
  storeKnownValues(cache, owner, { kind: 'queues', values, sent: new SentSecrets(), now });

/** Ways in which another user could read or replace the cache, or choose where it is written. */
const unsafe: readonly (readonly [string, (cache: string) => string])[] = [
  [
    'the cache folder is world-writable',
    (cache) => {
      mkdirSync(cache);
      chmodSync(cache, 0o777);
      return join(cache, 'completion');
    },
  ],
  [
    'the completion folder is world-writable',
    (cache) => {
      const folder = join(cache, 'completion');
      mkdirSync(folder, { recursive: true });
      chmodSync(folder, 0o777);
      return folder;
    },
  ],
  [
    'the completion folder is a link',
    (cache) => {
      const target = temporaryFolder();
      mkdirSync(cache);
      symlinkSync(target, join(cache, 'completion'));
      return target;
    },
  ],
];

describe('the completion cache', () => {
  it('is written, read and deleted in a folder of this user', async () => {
    const cache = join(temporaryFolder(), 'cache');
    await store(cache);
    expect(readKnownValues(cache, owner)['queues']).toEqual(values);
    await deleteKnownValues(cache, 'default');
    expect(readdirSync(join(cache, 'completion'))).toEqual([]);
  });

  it('has the time of each list, also if its values are unchanged', async () => {
    const cache = join(temporaryFolder(), 'cache');
    const hour = 3_600_000;
    await store(cache, hour);
    await store(cache, 2 * hour - 1);
    expect(timeOfKnownValues(cache, owner, 'queues')).toBe(hour);
    await store(cache, 2 * hour);
    expect(timeOfKnownValues(cache, owner, 'queues')).toBe(2 * hour);
    expect(timeOfKnownValues(cache, owner, 'agents')).toBeUndefined();
  });

  it.each([
    ['an object', { value: 'Support' }],
    ['a list of texts', ['Support']],
    ['a list with null', [null]],
    ['values that are numbers', [{ value: 201 }]],
  ])('has no values of a kind if they are %s', async (_, queues) => {
    expect(await answersFor(queues)).toEqual(['none\n', 'none\nSupport\n']);
  });

  it.each([
    ['other names that are not a list', { also: 201 }],
    ['other names that are not texts', { also: [201, null] }],
    ['a description that is not a text', { about: 201 }],
  ])('has a value without %s', async (_, members) => {
    const answers = await answersFor([
      { value: 'Support', ...members },
      { value: 'x', also: ['Sales'] },
    ]);
    expect(answers[0]).toBe('none\nSupport\n');
    expect((await answersFor([{ value: 'x', ...members }]))[0]).toBe('none\n');
  });

  async function answersFor(queues: unknown): Promise<readonly string[]> {
    const cache = join(temporaryFolder(), 'cache');
    await store(cache);
    const file = join(cache, 'completion', 'default.json');
    writeFileSync(file, JSON.stringify({ origin: owner.origin, lists: { queues, agents: values } }));
    const table = completionTable(await loadAll(registry));
    const system = {
      env: { UCCTL_CACHE_DIR: cache, UCCTL_CONFIG_DIR: cache, UCCTL_BASE_URL: owner.origin },
      platform: 'linux',
      homeDirectory: cache,
    } as const;
    return ['queue', 'agent'].map((noun) => answer(['words', '=S', noun, 'show'], table, system));
  }

  it.each(unsafe)('is neither written nor read if %s', async (_why, prepare) => {
    const cache = join(temporaryFolder(), 'cache');
    const folder = prepare(cache);
    await store(cache);
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
    const document = { origin: owner.origin, lists: { queues: values } };
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'default.json'), JSON.stringify(document));
    expect(readKnownValues(cache, owner)).toEqual({});
    await deleteKnownValues(cache, 'default');
    expect(readdirSync(folder)).toEqual(['default.json']);
  });

  it.each(unsafe)('no attempt to read names is recorded if %s', (_why, prepare) => {
    const cache = join(temporaryFolder(), 'cache');
    const folder = prepare(cache);
    const env = { UCCTL_CACHE_DIR: cache, UCCTL_BASE_URL: owner.origin };
    const system = { env, platform: process.platform, homeDirectory: temporaryFolder(), now: 100_000 };
    expect(commandToRead(system, 'queues', new Map())).toBeUndefined();
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
  });

  it('no attempt is recorded through a link', () => {
    const cache = join(temporaryFolder(), 'cache');
    const target = join(temporaryFolder(), 'file');
    mkdirSync(join(cache, 'completion'), { recursive: true });
    symlinkSync(target, join(cache, 'completion', 'default.attempt'));
    const env = { UCCTL_CACHE_DIR: cache, UCCTL_BASE_URL: owner.origin };
    const system = { env, platform: process.platform, homeDirectory: temporaryFolder(), now: 100_000 };
    commandToRead(system, 'queues', new Map());
    expect(existsSync(target)).toBe(false);
  });
});
