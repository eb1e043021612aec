import { describe, expect, it, onTestFinished } from 'vitest';
import { openSendJournal, type SendJournal } from '../../src/features/outcome-journal/index.ts';
import { StoreSendJournal } from '../../src/features/outcome-journal/store-journal.ts';
import { clockStore, postgresMissing } from '../support/postgres.ts';
import { temporaryPaths } from '../support/temporary.ts';

const start = 1_800_000_000_000;
const owner = { profile: 'default', origin: 'https://service.example' };
const claim = {
  sender: { ...owner, who: 'extension 1' },
  call: { kind: 'sms', extension: '~', digest: 'digest', to: '+1********42' },
  dedupeKey: 'key',
  admit: undefined,
} as const;

interface Machine {
  readonly journal: SendJournal;
  /** Advances the clock until a request that was not renewed counts as lost. */
  readonly lose: () => Promise<void>;
}

async function localMachine(): Promise<Machine> {
  let time = start;
  const journal = await openSendJournal({
    settings: { storeUrl: { value: undefined, origin: 'default', source: 'default' } },
    paths: temporaryPaths(),
    now: () => time,
    sleep: () => Promise.resolve(),
    store: () => Promise.reject(new Error('no store is set')),
  });
  onTestFinished(() => journal.close());
  return {
    journal,
    lose: async () => {
      time += 121 * 60_000;
    },
  };
}

async function machineWithStore(): Promise<Machine> {
  let time = start;
  const { db, setClock } = await clockStore(start);
  const journal = new StoreSendJournal(
    db,
    () => time,
    () => Promise.resolve(),
  );
  onTestFinished(() => journal.close());
  return {
    journal,
    lose: async () => {
      time += 601_000;
      await setClock(time);
    },
  };
}

/** Records a request and returns its outcome after its process was suspended for so long that it counts as lost. */
async function lost({ journal, lose }: Machine) {
  const claimed = await journal.claim(claim);
  if (!('id' in claimed)) throw new Error('the key is in use');
  await lose();
  const [seen] = await journal.list(owner);
  expect(seen).toMatchObject({ id: claimed.id, state: 'unknown' });
  if (!seen) throw new Error('the request was not recorded');
  return seen;
}

const kinds = [
  { name: 'of this machine', open: localMachine, missing: undefined },
  { name: 'of a store', open: machineWithStore, missing: postgresMissing() },
];

describe.each(kinds)('a request in the journal $name whose process was suspended', ({ open, missing }) => {
  it.skipIf(missing)('is sent, and not resolved, if its process continues first', async () => {
    const machine = await open();
    const { journal } = machine;
    const seen = await lost(machine);
    expect(await journal.renew(seen.id)).toBe('sending');
    expect(await journal.list(owner)).toMatchObject([{ state: 'sending' }]);
    expect(await journal.resolve(seen, { state: 'not-sent' })).toBe(false);
    expect(await journal.claim(claim)).toMatchObject({ earlier: { id: seen.id, state: 'sending' } });
  });

  it.skipIf(missing)('is not resolved by a search that began before the request was sent', async () => {
    const machine = await open();
    const { journal } = machine;
    const seen = await lost(machine);
    await journal.renew(seen.id);
    await journal.end(seen.id, { state: 'unknown' });
    expect(await journal.resolve(seen, { state: 'not-sent' })).toBe(false);
    const [ended] = await journal.list(owner);
    expect(ended).toMatchObject({ state: 'unknown' });
    expect(ended && (await journal.resolve(ended, { state: 'sent' }))).toBe(true);
  });

  it.skipIf(missing)('is resolved, and not sent, if the search ends first', async () => {
    const machine = await open();
    const { journal } = machine;
    const seen = await lost(machine);
    expect(await journal.resolve(seen, { state: 'not-sent' })).toBe(true);
    expect(await journal.renew(seen.id)).toBe('not-sent');
    expect(await journal.resolve(seen, { state: 'sent' })).toBe(false);
    expect(await journal.claim(claim)).toMatchObject({ id: expect.any(Number) as number });
  });

  it.skipIf(missing)('is not sent if its record was deleted', async () => {
    const { journal } = await open();
    expect(await journal.renew(7)).toBeUndefined();
  });
});
