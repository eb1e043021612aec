export { framesOf, retentionStart, type Frame } from './frame.ts';
export { ForeignMirrorError, openMirror } from './mirror.ts';
export { NoRoomError } from './no-room.ts';
export { BrokenReplyError } from './record-splitter.ts';
export type { OpenSync } from './reply.ts';
export type { OnDelete } from './reply-writer.ts';
export { syncFrame, type SyncReport } from './sync.ts';
