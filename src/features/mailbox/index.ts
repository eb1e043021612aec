export { deleteMessages } from './delete.ts';
export { faxView, messageView, statusWords, textView, voicemailView } from './message.rows.ts';
export { changedRows, type ChangedMessage } from './changed.rows.ts';
export { deletedError, toChanged, type MessageChange } from './outcomes.ts';
export { showEnd } from './wait.ts';
