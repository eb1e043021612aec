import { hintText } from '../../../src/errors/hint.ts';
import type { NotificationQueue } from '../../../src/features/board/notification-queue.ts';
import type { BoardParts } from '../../../src/features/board/parts.ts';
import { watchBoard } from '../../../src/features/board/watch.ts';

const ada = { id: '7', extensionNumber: '102', name: 'Ada' };

export interface AdaOptions {
  readonly notifications: NotificationQueue;
  /** Returns the presence that the service reports; by default, the service does not reply. */
  readonly presence?: () => Promise<unknown>;
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly zone?: string;
}

/** Watches a board of one person with live events. Its pauses last until `signal` is aborted. */
export function boardOfAda({ notifications, presence, now, signal, zone }: AdaOptions) {
  const sleep = (): Promise<never> =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('over')));
    });
  return watchBoard({
    api: { presence: { get: presence ?? sleep } } as unknown as BoardParts['api'],
    title: 'Support',
    people: () => Promise.resolve([ada]),
    peopleRequests: 1,
    feed: { notifications: () => notifications.read(), watched: [ada], watch: () => Promise.resolve() },
    followsMembers: true,
    readsAccount: false,
    intervalSeconds: 10,
    now,
    zone,
    sleep,
    signal,
    onProblem: () => undefined,
    onOutdated: () => undefined,
    hintText,
  });
}
