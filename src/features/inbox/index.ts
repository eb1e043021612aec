export { startListener, type Listener } from './listener.ts';
export { MemoryInbox, type Inbox } from './memory-inbox.ts';
export type { Received } from './notification.ts';
export { keepRenewed } from './renewal.ts';
export { secretPath } from './secret-path.ts';
