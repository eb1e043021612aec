export { conversationView } from './conversation.ts';
export { DeliveryErrors } from './delivery-errors.ts';
export { deleteMessages } from './delete.ts';
export { listMailbox, mailboxFilter } from './list-mailbox.ts';
export { newestFirst } from './newest-first.ts';
export {
  faxView,
  messageRecordView,
  messageView,
  statusWords,
  textView,
  voicemailView,
} from './message.rows.ts';
export { changedRows, type ChangedMessage } from './changed.rows.ts';
export { deletedError, toChanged, warnOfPurged, type MessageChange } from './outcomes.ts';
export { faxReceivers, planRestore, type RestorePlan } from './restore.ts';
export { showFinalStatus, showSent } from './wait.ts';
