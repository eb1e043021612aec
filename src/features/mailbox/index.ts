export { deleteMessages } from './delete.ts';
export { faxView, messageView, textView, voicemailView } from './views.ts';
export { deletedError, deletedView, toChanged, type ChangedMessage, type MessageChange } from './outcomes.ts';
export { statusWords } from './words.ts';
export { showEnd } from './wait.ts';
