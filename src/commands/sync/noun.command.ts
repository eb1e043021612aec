import type { NounSpec } from '../../runtime/define.ts';
import { syncErase } from './erase.command.ts';
import { syncExport } from './export.command.ts';
import { syncRetry } from './retry.command.ts';
import { syncSearch } from './search.command.ts';
import { syncSql } from './sql.command.ts';
import { syncStatus } from './status.command.ts';
import { syncCommand } from './sync.command.ts';
import { syncVerify } from './verify.command.ts';

export const syncNoun: NounSpec = {
  name: 'sync',
  summary: 'Copy mailboxes to this machine; search, export and verify the local mailbox copy',
  section: 'Messages',
  commands: [syncCommand, syncStatus, syncSearch, syncSql, syncExport, syncVerify, syncRetry, syncErase],
};
