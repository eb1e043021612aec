import { holderText, resumeHint, type LockHolder } from '../../../platform/lock-holder.ts';
import { ownProcess } from '../../../platform/own-process.ts';
import { defaultReportAfterMilliseconds } from '../../../platform/process-lock.ts';
import { redelivery } from '../store/attempts.ts';
import type { Inbox } from '../store/inbox.ts';
import { maskUserInfoIn } from '../../../platform/user-info.ts';

/** A wait for another process that delivers to the same target and extension. */
export interface LongWait {
  readonly target: string;
  /** The name of the receiver, or `redelivery`. */
  readonly owner: string;
  readonly holder: LockHolder | undefined;
}

/** Reports long waits of deliveries for other processes, once for each of these processes. */
export class LongWaits {
  readonly #inbox: Inbox;
  readonly #report: (wait: LongWait) => void;
  readonly #reported = new Set<string>();

  constructor(inbox: Inbox, report: (wait: LongWait) => void) {
    this.#inbox = inbox;
    this.#report = report;
  }

  /** Starts a wait. The returned function is called at each check that finds another process. */
  start(target: string): (owner: string) => void {
    const started = ownProcess.monotonicMilliseconds();
    return (owner) => {
      if (ownProcess.monotonicMilliseconds() - started < defaultReportAfterMilliseconds) return;
      const holder = this.#inbox.holderOf(owner);
      const other = `${owner}${holderText(holder)}`;
      if (this.#reported.has(other)) return;
      this.#reported.add(other);
      this.#report({ target, owner, holder });
    };
  }
}

/** Describes a long wait, and the next step if the other process is suspended. */
export function longWaitText({ target, owner, holder }: LongWait): string {
  const other = holderText(holder);
  const [work, until] =
    owner === redelivery
      ? [
          `another process redelivers dead letters to ${maskUserInfoIn(target)}${other}`,
          'waiting until it has redelivered them',
        ]
      : [
          `the receiver ${owner}${other} is delivering an event to ${maskUserInfoIn(target)}`,
          'waiting until this attempt ends',
        ];
  return `${work}; ${resumeHint(holder) ?? until}`;
}
