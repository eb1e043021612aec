import type { NounSpec } from '../../runtime/define.ts';
import { storeCheck } from './check.command.ts';
import { storeCopy } from './copy.command.ts';
import { storeExpire } from './expire.command.ts';
import { storeHold } from './hold.command.ts';
import { storeInit } from './init.command.ts';
import { storeMigrate } from './migrate.command.ts';
import { storeRetention } from './retention.command.ts';
import { storeStatus } from './status.command.ts';
import { storeTrim } from './trim.command.ts';

export const storeNoun: NounSpec = {
  name: 'store',
  summary: 'Set up and check the PostgreSQL store that machines share',
  section: 'Account and setup',
  commands: [
    storeInit,
    storeMigrate,
    storeStatus,
    storeCheck,
    storeCopy,
    storeRetention,
    storeHold,
    storeExpire,
    storeTrim,
  ],
};
