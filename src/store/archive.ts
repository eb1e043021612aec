import type { CallStore } from './call-store.ts';
import type { MediaStore } from './media-store.ts';
import type { MessageStore } from './message-store.ts';

/** The archive that a command works with: messages and calls of one database, and the content of attachments. */
export interface Archive {
  readonly messages: MessageStore;
  readonly calls: CallStore;
  readonly media: MediaStore;
}
