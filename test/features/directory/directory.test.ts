import { describe, expect, it } from 'vitest';
import type { Extension } from '../../../src/contract/extension.ts';
import { peopleMilliseconds } from '../../../src/features/board/members.ts';
import { Directory, namesMilliseconds } from '../../../src/features/directory/directory.ts';

const base = 'https://service.example/restapi/v1.0/account/1/extension/';
function extension(
  id: number,
  number: string | undefined,
  name: string,
  more: Partial<Extension> = {},
): Extension {
  return {
    uri: `${base}${id}`,
    id,
    ...(number !== undefined && { extensionNumber: number }),
    name,
    type: 'User',
    status: 'Enabled',
    ...more,
  };
}

const extensions = [
  extension(400_001, '101', 'Ann Lee', { contact: { email: 'ann.lee@example.com' } }),
  extension(400_002, '102', 'Bo Chen', { contact: { email: 'Bo@Example.com' } }),
  extension(400_003, '103', 'Sam Hill'),
  extension(400_004, '104', 'sam  hill'),
  extension(400_005, undefined, 'Zoë Ünal', { status: 'Unassigned' }),
  extension(400_501, '501', 'Support', { type: 'Department' }),
  extension(400_502, '502', 'Support West', { type: 'Department' }),
  extension(400_503, '503', 'Sales', { type: 'Department' }),
];

function directory() {
  let reads = 0;
  const names = new Directory(
    () => {
      reads += 1;
      return Promise.resolve(extensions);
    },
    () => Promise.resolve(extension(400_002, '102', 'Bo Chen')),
  );
  return { names, reads: () => reads };
}

describe('finding by name', () => {
  it.each([
    ['400501', 400_501],
    ['501', 400_501],
    ['Support', 400_501],
    ['  SUPPORT ', 400_501],
    ['support west', 400_502],
  ])('finds the queue %j', async (text, id) => {
    expect((await directory().names.queue(text)).found?.id).toBe(id);
  });

  it.each([
    ['400002', 400_002],
    ['102', 400_002],
    ['bo@example.COM', 400_002],
    ['bo chen', 400_002],
    ['~', 400_002],
    // A decomposed spelling of the same name.
    ['zoe\u0308 u\u0308nal', 400_005],
  ])('finds the agent %j', async (text, id) => {
    expect((await directory().names.agent(text)).found?.id).toBe(id);
  });

  it('reads the account once for any number of lookups, also concurrent ones', async () => {
    const { names, reads } = directory();
    await Promise.all([names.queue('501'), names.agent('101'), names.byId(400_001), names.all()]);
    await names.extension('503');
    expect(reads()).toBe(1);
  });

  it('lists the candidates of an ambiguous name', async () => {
    expect(await directory().names.agent('Sam Hill')).toEqual({
      kind: 'ambiguous',
      near: false,
      message: '"Sam Hill" matches 2 agents',
      hint: 'use the extension number or ID',
      details: ['103 · Sam Hill · User · ID 400003', '104 · sam  hill · User · ID 400004'],
    });
  });

  it('suggests similar names for an unknown one', async () => {
    expect(await directory().names.queue('Suport')).toMatchObject({
      kind: 'unknown',
      message: 'queue "Suport" not found',
      hint: 'did you mean Support (501)?',
    });
    expect(await directory().names.agent('nobody at all')).toMatchObject({
      kind: 'unknown',
      hint: 'use the extension number, e-mail or ID of the agent',
    });
  });

  it('suggests similar names for the first 100 unknown names only, because a list can have many', async () => {
    const { names } = directory();
    for (let count = 0; count < 100; count += 1)
      expect(await names.queue('Suport')).toMatchObject({ near: true });
    expect(await names.queue('Suport')).toMatchObject({
      kind: 'unknown',
      near: false,
      message: 'queue "Suport" not found',
    });
    // This suggestion needs no comparison with other names.
    expect(await names.queue('0501')).toMatchObject({ hint: 'did you mean Support (501)?' });
  });

  it('stops between unknown names after an interruption', async () => {
    const stop = new AbortController();
    const names = new Directory(
      () => Promise.resolve(extensions),
      () => Promise.reject(new Error('not read')),
      stop.signal,
    );
    let found = 0;
    const findAll = async (): Promise<void> => {
      for (; found < 1000; found += 1) await names.agent(`nobody ${found}`);
    };
    setImmediate(() => {
      stop.abort(new Error('Ctrl-C'));
    });
    await expect(findAll()).rejects.toThrow('Ctrl-C');
    expect(found).toBeLessThan(1000);
  });

  it('reports the type of an extension of the wrong type', async () => {
    expect(await directory().names.queue('101')).toMatchObject({
      kind: 'unknown',
      message: '"101" is not a queue: 101 · Ann Lee · ann.lee@example.com · User · ID 400001',
    });
    expect((await directory().names.agent('Sales')).found).toBeUndefined();
    expect((await directory().names.extension('Sales')).found?.id).toBe(400_503);
  });

  it('finds nothing by an empty name', async () => {
    expect(await directory().names.extension('  ')).toMatchObject({ kind: 'unknown' });
  });
});

describe('reading the names again in a long run', () => {
  const [ann, bo] = extensions;
  const present = [ann, bo].flatMap((one) => one ?? []);

  /** A directory whose reads return these replies in turn; the last one repeats. */
  function reread(...replies: readonly (readonly Extension[])[]) {
    const left = [...replies];
    let reads = 0;
    const names = new Directory(
      () => {
        reads += 1;
        return Promise.resolve((left.length > 1 ? left.shift() : left[0]) ?? []);
      },
      () => Promise.reject(new Error('the own extension is not read')),
    );
    const nameAt = async (id: number, now: number): Promise<string | undefined> => {
      await names.readAgainFor([id], now);
      return (await names.byId(id))?.name;
    };
    return { nameAt, reads: () => reads };
  }

  it('finds a new name when the names are 9 minutes old, and not earlier', async () => {
    const renamed = present.map((one) => ({ ...one, name: `${one.name} 2` }));
    const { nameAt, reads } = reread(present, renamed);
    expect(await nameAt(400_001, 1000)).toBe('Ann Lee');
    expect(await nameAt(400_001, 1000 + namesMilliseconds - 1)).toBe('Ann Lee');
    expect(await nameAt(400_001, 1000 + namesMilliseconds)).toBe('Ann Lee 2');
    expect(await nameAt(400_001, 2000 + namesMilliseconds)).toBe('Ann Lee 2');
    expect(reads()).toBe(2);
  });

  it('finds a new name whenever a board reads its people, although the requests before it are faster', async () => {
    const renamed = present.map((one) => ({ ...one, name: `${one.name} 2` }));
    const { nameAt } = reread(present, renamed);
    expect(await nameAt(400_001, 5000)).toBe('Ann Lee');
    expect(await nameAt(400_001, peopleMilliseconds + 100)).toBe('Ann Lee 2');
  });

  it('searches for an ID that was unlisted again after 9 minutes', async () => {
    const { nameAt, reads } = reread(present.slice(0, 1), present.slice(0, 1), present);
    expect(await nameAt(400_002, 0)).toBeUndefined();
    expect(await nameAt(400_002, namesMilliseconds - 1)).toBeUndefined();
    expect(reads()).toBe(2);
    expect(await nameAt(400_002, namesMilliseconds)).toBe('Bo Chen');
  });

  it('reads the names again if the clock was set back by more than 9 minutes', async () => {
    const { nameAt, reads } = reread(present);
    await nameAt(400_001, 2 * namesMilliseconds);
    await nameAt(400_001, 0);
    expect(reads()).toBe(2);
  });
});
