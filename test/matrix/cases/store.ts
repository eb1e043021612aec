import { emptyStore, testStore } from '../../support/postgres.ts';
import type { NounCases } from '../cases.ts';

const oneThing = { none: 'it shows one thing' };
const local = { UCCTL_STORE: 'file' };
/** The commands need the address of a store, and this run has none. */
const withoutStore = { words: '', env: local, exit: 2, code: 'usage' };

/** The words with the address of an initialized store of this test. */
async function initialized(): Promise<readonly string[]> {
  return ['--store', (await testStore()).url];
}

export const store: NounCases = {
  desk: {},
  commands: {
    'store init': {
      success: { words: async () => ['--store', (await emptyStore()).url] },
      empty: oneThing,
      error: { words: initialized, exit: 11, code: 'store_exists' },
    },
    'store migrate': {
      success: { words: initialized },
      empty: oneThing,
      error: {
        words: async () => ['--store', (await emptyStore()).url],
        exit: 12,
        code: 'store_not_initialized',
      },
    },
    'store status': {
      success: { words: initialized },
      empty: oneThing,
      error: {
        words: async () => ['--store', (await emptyStore()).url],
        exit: 12,
        code: 'store_not_initialized',
      },
    },
    'store check': {
      success: { words: initialized },
      empty: { none: 'there is always a check' },
      error: withoutStore,
    },
  },
};
