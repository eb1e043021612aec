import { describe, expect, it } from 'vitest';
import { loadAll } from '../../../../src/cli/load-nouns.ts';
import { registry } from '../../../../src/cli/registry.ts';
import {
  eventNames,
  filterPath,
  kindOfFilter,
} from '../../../../src/features/live/notification/event-kinds.ts';
import { eventSubject } from '../../../../src/features/live/notification/index.ts';
import { sampleNames, sampleNotification } from '../../../../src/features/live/notification/sample.ts';

describe('the kinds of events', () => {
  it('are found again in their filters, with any order of parameters and with further ones', () => {
    for (const name of eventNames) {
      const filter = filterPath(name, '/restapi/v1.0/account/~', 7);
      expect(eventSubject(filter).name).toBe(name);
      const [path = '', query = ''] = filter.split('?', 2);
      const reversed = new URLSearchParams([['other', '1'], ...[...new URLSearchParams(query)].toReversed()]);
      expect(eventSubject(`${path}?${reversed.toString()}`).name).toBe(name);
    }
    expect(kindOfFilter({ owner: 'account', path: '/presence' }, new URLSearchParams())).toBeUndefined();
  });

  it('have samples', () => {
    expect(sampleNames).toEqual([...eventNames, 'reminder']);
    for (const name of eventNames) {
      const sample = sampleNotification(name, { accountId: '1', extensionId: '7', now: 0 });
      expect(eventSubject(sample?.event ?? '').name).toBe(name);
    }
  });

  it('are named in the help of the commands that take them', async () => {
    const commands = (await loadAll(registry)).flatMap((noun) => noun.commands);
    for (const path of ['subscribe create', 'subscribe tail', 'webhook listen', 'webhook trigger']) {
      const command = commands.find((one) => one.path.join(' ') === path);
      const texts = JSON.stringify([command?.details, Object.values(command?.options ?? {})]);
      expect([path, eventNames.filter((name) => !texts.includes(name))]).toEqual([path, []]);
    }
  });
});

it('a path of 1 MB is read in one pass', () => {
  const path = '/account/1/extension/o/o'.repeat(40_000);
  expect(eventSubject(`${path}\n`).name).toBe(`${path}\n`);
});
