export { numberInWords, withoutNumbers } from './numbers-in-search.ts';
export { copyFailure, storeFailure } from './copy-failure.ts';
export {
  changePolicy,
  choosePolicy,
  confirmRemoval,
  defaultPolicy,
  policyOfTasks,
  storedPolicy,
} from './deletion-policy.ts';
export { DueMailboxes } from './due.ts';
export { isPersonalSync, oldestSync, type OldestSync, retentionStart, scopesOf } from './sync-scope.ts';
export { ownMailbox } from './mailboxes.ts';
export { openMirror } from './mirror.ts';
export { isFull, NoRoomError } from './no-room.ts';
export { changeCopy, contentsOfFile, readCopy, requireCopy, sqliteArchive, usesStore } from './open-copy.ts';
export { LegalHoldError } from './legal-hold-error.ts';
export { inQueryProcess } from './query-process.ts';
export { BrokenReplyError } from './record-splitter.ts';
export type { OpenSync } from './reply.ts';
export { checkSearch } from './search.ts';
export { SearchError, unknownFilter } from './search-terms.ts';
export { OtherMailboxError } from './other-mailbox.ts';
export { syncScope, type SyncReport } from './sync.ts';
export {
  copyMedia,
  dropDamagedMedia,
  isPlaceFailure,
  dropUnfinishedMedia,
  tidyMedia,
  type FetchMedia,
  type MediaReport,
} from './media.ts';
export { retryErrors, type FetchMessage, type RetryLine } from './retry.ts';
export { StatementError } from './statement-error.ts';
export { verifyLocal, verifySample, verifyWhole } from './verify.ts';
export { exportFile } from './export/file-export.ts';
export { exportHtml } from './export/html-export.ts';
export { everyMessage } from './export/row.ts';
export { FolderMedia, mediaFolder } from './media-folder.ts';
export { MediaFileError } from './media-file-error.ts';
export { deleteUnusedMedia } from './unused-media.ts';
export { SqliteMessages } from './sqlite-store.ts';
