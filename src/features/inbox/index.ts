export { startListener, type Listener } from './listener.ts';
export { MemoryInbox } from './memory-inbox.ts';
export { keepRenewed } from './renewal.ts';
export { secretPath } from './secret-path.ts';
export { openWatchFeed } from './watch-feed.ts';
