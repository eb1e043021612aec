import { execFile } from 'node:child_process';
import { ownProcess } from '../../platform/own-process.ts';
import type { Context } from '../../runtime/context.ts';
import { messageOf } from '../../errors/command.ts';

/** Reports the state of this process to systemd. */
export interface Notifier {
  /** Milliseconds after which systemd restarts a process that does not report; undefined without a watchdog. */
  readonly watchdogMilliseconds: number | undefined;
  /** Sends lines such as `READY=1`. A failure is reported once, and never ends the process. */
  notify(...lines: readonly string[]): Promise<void>;
}

/** Timeout of one report in milliseconds. */
const reportMilliseconds = 5000;

/**
 * Returns the notifier for `Type=notify` units; undefined if systemd does not wait for reports. Node does not
 * support datagram sockets in the file system, so the program systemd-notify sends the reports
 * (docs/adr/0083-systemd-notify.md).
 */
export function notifierOf(ctx: Pick<Context, 'env' | 'out'>): Notifier | undefined {
  const { NOTIFY_SOCKET: socket, WATCHDOG_USEC: watchdog, WATCHDOG_PID: watched, PATH } = ctx.env;
  if (socket === undefined || socket === '') return undefined;
  let hasFailed = false;
  const isWatched = watched === undefined || watched === String(ownProcess.pid);
  const limit = isWatched ? Number(watchdog) / 1000 : Number.NaN;
  return {
    watchdogMilliseconds: limit > 0 ? limit : undefined,
    notify: (...lines) =>
      new Promise((resolve) => {
        const env = { NOTIFY_SOCKET: socket, ...(PATH !== undefined && { PATH }) };
        execFile('systemd-notify', lines, { env, timeout: reportMilliseconds }, (error) => {
          if (error && !hasFailed)
            ctx.out.warn(`could not report ${lines.join(' ')} to systemd: ${messageOf(error)}`);
          hasFailed ||= error !== null;
          resolve();
        });
      }),
  };
}
