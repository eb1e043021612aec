import { join } from 'node:path';
import { openMirror, SqliteMessages } from '../../../src/features/mirror/index.ts';
import { emptyStore, testStore } from '../../support/postgres.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import type { NounCases } from '../cases.ts';
import { withSharedStore } from '../with-store.ts';

const oneThing = { none: 'it shows one thing' };
const local = { UCCTL_STORE: 'file' };
/** The commands need the address of a store, and this run has none. */
const withoutStore = { words: '', env: local, exit: 2, code: 'usage' };

/** The words with the address of an initialized store of this test. */
async function initialized(): Promise<readonly string[]> {
  return ['--store', (await testStore()).url];
}

/** The same for a store with a retention rule. */
async function withRule(): Promise<readonly string[]> {
  const { db, url } = await testStore();
  await db.run("insert into retention_rule (type, keep_days) values ('SMS', 30)");
  return ['--store', url];
}

/** The words for a mailbox copy with this number of mailboxes. */
async function copyOf(mailboxes: number): Promise<readonly string[]> {
  const file = join(temporaryFolder(), 'copy.sqlite');
  const db = openMirror(file);
  const messages = new SqliteMessages(db, file);
  for (let id = 1; id <= mailboxes; id += 1) {
    await messages.saveMailboxes([{ extensionId: String(id), extensionNumber: `10${id}`, own: false }]);
    await messages.openStream(String(id), {});
  }
  db.close();
  return ['--from', file, ...(await initialized())];
}

export const store: NounCases = {
  desk: {},
  commands: {
    'store init': {
      success: { words: async () => ['--store', (await emptyStore()).url] },
      empty: oneThing,
      error: { words: withSharedStore(''), exit: 11, code: 'store_exists' },
    },
    'store migrate': {
      success: { words: withSharedStore('') },
      empty: oneThing,
      error: {
        words: async () => ['--store', (await emptyStore()).url],
        exit: 12,
        code: 'store_not_initialized',
      },
    },
    'store status': {
      success: { words: withSharedStore('') },
      empty: oneThing,
      error: {
        words: async () => ['--store', (await emptyStore()).url],
        exit: 12,
        code: 'store_not_initialized',
      },
    },
    'store check': {
      success: { words: withSharedStore('') },
      empty: { none: 'there is always a check' },
      error: withoutStore,
    },
    'store retention': {
      success: { words: async () => ['--keep', 'SMS=2y,Call=90d', ...(await initialized())] },
      empty: { words: withSharedStore('') },
      error: { words: '--keep SMS=never', env: local, exit: 2, code: 'usage' },
    },
    'store hold': {
      success: {
        words: async () => ['--add', '+15555550100', '--reason', 'case 17', ...(await initialized())],
      },
      empty: { words: withSharedStore('') },
      error: {
        words: withSharedStore('--add 999 --reason case17'),
        exit: 3,
        code: 'not_found',
      },
    },
    'store expire': {
      success: { words: async () => ['--yes', ...(await withRule())] },
      empty: { words: async () => ['--yes', ...(await initialized())] },
      error: withoutStore,
    },
    'store trim': {
      success: { words: async () => ['--yes', ...(await initialized())] },
      empty: oneThing,
      error: {
        words: withSharedStore('--forget nobody'),
        exit: 3,
        code: 'not_found',
      },
    },
    'store copy': {
      success: { words: () => copyOf(2) },
      empty: { words: () => copyOf(0) },
      error: { words: '--from nowhere.sqlite', env: local, exit: 3, code: 'not_found' },
    },
  },
};
