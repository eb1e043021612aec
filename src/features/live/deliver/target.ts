import type { HttpSend } from '../../../client/index.ts';
import { basicAuthorization } from '../../../platform/basic-authorization.ts';
import { limitTime } from '../../../platform/time-limit.ts';
import { messageOf } from '../../../errors/command.ts';
import { terminateGroup, spawnGroup } from './process-group.ts';
import { digest } from '../notification/notification.ts';
import { eventSubject } from '../notification/notification.rows.ts';
import { EventDescriber } from '../describe/event-describer.ts';
import { EventNames } from '../describe/event-names.ts';
import type { ShownEvent } from '../notification/shown-event.ts';
import { withoutSecrets } from '../../../platform/secret-environment.ts';

/** An event with the ID that the inbox gave it. This ID is the UUID, or a digest of an event without a UUID. */
export interface DeliveredEvent extends ShownEvent {
  readonly key: string;
  /** The sentence that describes the event, with the names of people; undefined if names are unknown. */
  readonly details?: string;
}

/** A receiver of events in addition to the output. */
export interface Target {
  /** Identifies the target; equal in every run. */
  readonly name: string;
  accepts(event: ShownEvent): boolean;
  /** Whether the target uses the description of an event. */
  readonly usesDetails?: boolean;
  /**
   * Delivers one event.
   * @param facts of the delivery, such as `attempt`: headers `ucctl-attempt`, or variables `UCCTL_ATTEMPT`.
   * @throws {DeliveryError} if the target did not accept the event.
   */
  send(event: DeliveredEvent, text: string, signal: AbortSignal, facts?: DeliveryFacts): Promise<void>;
}

/** What a consumer needs to process an event once. */
export type DeliveryFacts = Readonly<Record<'consumer' | 'delivery' | 'fence' | 'attempt', string>>;

/** The reason for a failed delivery. A permanent failure is not retried. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  readonly isPermanent: boolean;
  /** Whether a signal ended the command, or ended the wait for a server. */
  readonly isTerminated: boolean;

  constructor(message: string, { isPermanent = false, isTerminated = false } = {}) {
    super(message);
    this.isPermanent = isPermanent;
    this.isTerminated = isTerminated;
  }
}

const forwardTimeout = 10_000;
const commandTimeout = 60_000;

/**
 * Returns a target that POSTs each event to a URL, with the user name and password of the URL as Basic authentication.
 * `only` limits it to events with one short name.
 */
export function forwardTarget(url: URL, only: string | undefined, http: HttpSend): Target {
  const authorization = basicAuthorization(url);
  return {
    name: `${only === undefined ? '' : `${only}=`}${url.href}`,
    accepts: (event) => only === undefined || isOf(event, only),
    async send(event, text, signal, facts) {
      // The limit covers the whole exchange, because a slow reply must not delay the next event.
      const limit = limitTime(signal, forwardTimeout);
      const reply = await http({
        method: 'POST',
        url,
        headers: {
          'content-type': 'application/json',
          ...(authorization !== undefined && { authorization }),
          'ucctl-event-id': idOf(event),
          ...(event.recovered && { 'ucctl-recovered': 'true' }),
          ...renamed(facts, (name) => `ucctl-${name}`),
        },
        body: text,
        signal: limit.signal,
        freshConnection: true,
        timeoutMilliseconds: forwardTimeout,
      }).catch((error: unknown) => {
        limit.end();
        const timeout = limit.isOver() ? `no reply within ${forwardTimeout / 1000} s` : undefined;
        throw new DeliveryError(timeout ?? messageOf(error));
      });
      // Only the status of the reply matters; its body is discarded.
      void reply
        .discard()
        .catch(() => undefined)
        .finally(() => limit.end());
      if (reply.status >= 200 && reply.status < 300) return;
      const isTemporary = reply.status >= 500 || reply.status === 408 || reply.status === 429;
      throw new DeliveryError(`HTTP ${reply.status}`, { isPermanent: !isTemporary });
    },
  };
}

/** Whether an event has this name, with or without parameters: `presence` includes `presence:detailed`. */
function isOf(event: ShownEvent, name: string): boolean {
  const found = eventSubject(event.event).name;
  return found === name || found.startsWith(`${name}:`);
}

function renamed(
  facts: DeliveryFacts | undefined,
  rename: (name: string) => string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(facts ?? {}).map(([name, value]) => [rename(name), value]));
}

function detailsOf(event: DeliveredEvent): string {
  return event.details ?? new EventDescriber(new EventNames()).describe(event).details;
}

/** Maximum length of a variable, in UTF-16 units. Linux starts no command with a variable above 128 KiB. */
const longestVariable = 4096;

/** Returns a text of the service as the value of a variable: truncated, and without NUL, which no variable can contain. */
function variableOf(text: string): string {
  const plain = text.replaceAll('\0', '');
  if (plain.length <= longestVariable) return plain;
  // A surrogate pair is not divided.
  return `${plain.slice(0, longestVariable - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Matches an ID that can be the value of a header. */
const safeId = /^[\u0021-\u007e]{1,200}$/;

/** Returns the ID of an event for a target: unchanged, or a digest if a header cannot contain it. */
function idOf({ key }: DeliveredEvent): string {
  return safeId.test(key) ? key : digest(key);
}

/**
 * Returns a target that runs a shell command for each event. The command reads the event as JSON from standard input,
 * and its output goes to standard error.
 */
export function commandTarget(
  command: string,
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): Target {
  const clean = withoutSecrets(env);
  return {
    name: `exec:${command}`,
    accepts: () => true,
    usesDetails: true,
    send: (event, text, signal, facts) =>
      new Promise((resolve, reject) => {
        const child = spawnGroup(command, {
          cwd,
          env: {
            ...clean,
            UCCTL_EVENT: variableOf(eventSubject(event.event).name),
            UCCTL_EVENT_ID: idOf(event),
            UCCTL_DETAILS: variableOf(detailsOf(event)),
            UCCTL_RECOVERED: event.recovered && 'true',
            ...renamed(facts, (name) => `UCCTL_${name.toUpperCase()}`),
          },
          stdio: ['pipe', 2, 2],
        });
        let isTerminated = false;
        const terminate = (why: string): void => {
          if (isTerminated) return;
          isTerminated = true;
          // The child processes of the command are also terminated, because they must not run during the
          // next attempt.
          void terminateGroup(child).then(() => settle(why));
        };
        const timer = setTimeout(
          () => terminate(`not finished after ${commandTimeout / 1000} s`),
          commandTimeout,
        );
        const stop = (): void => terminate('interrupted');
        const settle = (problem: string | undefined, wasTerminated = false): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', stop);
          if (problem === undefined) resolve();
          else reject(new DeliveryError(problem, { isTerminated: wasTerminated }));
        };
        signal.addEventListener('abort', stop);
        if (signal.aborted) stop();
        child.on('error', (error) => settle(error.message));
        child.on('exit', (code, killed) => {
          // A command that exits with 0 on SIGTERM has not finished its work.
          if (isTerminated) return;
          if (code === 0) settle(undefined);
          else if (code === null) settle(`terminated by ${killed}`, true);
          else settle(`exit code ${code}`);
        });
        // A command that does not read its input closes the pipe. A closed pipe is not a failure, because
        // only the exit code counts.
        child.stdin?.on('error', () => undefined);
        child.stdin?.end(`${text}\n`);
      }),
  };
}
