import type { HttpSend } from '../../../client/index.ts';
import { limitTime } from '../../../platform/time-limit.ts';
import { messageOf } from '../../../errors/command.ts';
import { endGroup, spawnGroup } from './child-group.ts';
import { eventSubject } from '../notification/describe.ts';
import type { ShownEvent } from '../notification/shown-event.ts';
import { withoutSecrets } from '../../../platform/secret-environment.ts';

/** Where events are delivered, besides the output. */
export interface Target {
  /** What identifies it from run to run. */
  readonly name: string;
  accepts(event: ShownEvent): boolean;
  /** Delivers one event. @throws {DeliveryProblem} */
  send(event: ShownEvent, text: string, signal: AbortSignal): Promise<void>;
}

/** Why an event was not taken. A `final` one is not tried again. */
export class DeliveryProblem extends Error {
  override readonly name = 'DeliveryProblem';
  readonly final: boolean;

  constructor(message: string, final: boolean) {
    super(message);
    this.final = final;
  }
}

const forwardTimeout = 10_000;
const commandTimeout = 60_000;

/** POSTs each event to a URL; `only` limits it to events of one short name. */
export function forwardTarget(url: URL, only: string | undefined, http: HttpSend): Target {
  return {
    name: `${only === undefined ? '' : `${only}=`}${url.href}`,
    accepts: (event) => only === undefined || isOf(event, only),
    async send(event, text, signal) {
      // For the whole of it: a reply that trickles must not hold up what comes after.
      const limit = limitTime(signal, forwardTimeout);
      const reply = await http({
        method: 'POST',
        url,
        headers: {
          'content-type': 'application/json',
          'ucctl-event-id': headerSafe(event.uuid),
          ...(event.recovered && { 'ucctl-recovered': 'true' }),
        },
        body: text,
        signal: limit.signal,
        freshConnection: true,
        timeoutMilliseconds: forwardTimeout,
      }).catch((error: unknown) => {
        limit.end();
        const late = limit.isOver() ? `no reply within ${forwardTimeout / 1000} s` : undefined;
        throw new DeliveryProblem(late ?? messageOf(error), false);
      });
      // The status says it all.
      void reply
        .discard()
        .catch(() => undefined)
        .finally(() => limit.end());
      if (reply.status >= 200 && reply.status < 300) return;
      const passing = reply.status >= 500 || reply.status === 408 || reply.status === 429;
      throw new DeliveryProblem(`HTTP ${reply.status}`, !passing);
    },
  };
}

/** `messages` also takes in what carries parameters, such as `presence` the detailed kind. */
function isOf(event: ShownEvent, name: string): boolean {
  const found = eventSubject(event.event).name;
  return found === name || found.startsWith(`${name}:`);
}

/** The service's word for a uuid is not to be trusted in a header. */
function headerSafe(text: unknown): string {
  return (typeof text === 'string' ? text : '').replaceAll(/[^\u0021-\u007e]/g, '_').slice(0, 200);
}

/** Runs a command of the shell for each event, which it reads as JSON on standard input. What it prints goes to standard error. */
export function commandTarget(
  command: string,
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): Target {
  const clean = withoutSecrets(env);
  return {
    name: `exec:${command}`,
    accepts: () => true,
    send: (event, text, signal) =>
      new Promise((resolve, reject) => {
        const child = spawnGroup(command, {
          cwd,
          env: {
            ...clean,
            UCCTL_EVENT: eventSubject(event.event).name,
            UCCTL_EVENT_ID: headerSafe(event.uuid),
          },
          stdio: ['pipe', 2, 2],
        });
        let isCut = false;
        const end = (why: string): void => {
          isCut = true;
          // With all that it started: the next try must not find it at work.
          void endGroup(child).then(() => over(why));
        };
        const timer = setTimeout(() => end(`not done after ${commandTimeout / 1000} s`), commandTimeout);
        const stop = (): void => end('interrupted');
        const over = (problem: string | undefined): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', stop);
          if (problem === undefined) resolve();
          else reject(new DeliveryProblem(problem, false));
        };
        signal.addEventListener('abort', stop);
        if (signal.aborted) stop();
        child.on('error', (error) => over(error.message));
        child.on('exit', (code, killed) => {
          if (code === 0) over(undefined);
          else if (!isCut) over(code === null ? `ended by ${killed}` : `exit code ${code}`);
        });
        // A command that does not read its input ends the pipe; its exit code decides.
        child.stdin?.on('error', () => undefined);
        child.stdin?.end(`${text}\n`);
      }),
  };
}
