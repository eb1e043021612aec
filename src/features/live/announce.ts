import { resolve } from 'node:path';
import type { Subscription } from '../../contract/subscription.ts';
import { writeFileAtomic } from '../../platform/atomic-file.ts';
import { fileFailureReason } from '../../platform/file-failure.ts';
import { ownProcess } from '../../platform/own-process.ts';
import { ownMark, removeOwnFile, removeStaleFile } from '../../platform/process-file.ts';
import type { Context } from '../../runtime/context.ts';
import type { LiveOptions } from '../../runtime/live-options.ts';
import { CommandError, Exit, messageOf } from '../../errors/command.ts';
import { eventSubject } from './notification/notification.rows.ts';
import { EventNames, type NamedExtension } from './describe/event-names.ts';
import type { LiveReady } from './live-plan.ts';

/**
 * Reports that events can arrive: writes a line to stderr (JSON if the output is JSON), and the ready file if it is
 * requested.
 */
export async function announceReady(ctx: Context, ready: LiveReady, file: string | undefined): Promise<void> {
  const { url, address, subscription, inspectUrl } = ready;
  const details = {
    url: url ?? null,
    address,
    ...(inspectUrl !== undefined && { inspectUrl }),
    subscriptionId: subscription?.id ?? null,
    eventFilters: subscription?.eventFilters ?? [],
    pid: ownProcess.pid,
  };
  if (file !== undefined) {
    const text = `${JSON.stringify({ ...details, ...ownMark() })}\n`;
    await withFileName(file, writeFileAtomic(resolve(ctx.cwd, file), text));
  }
  if (ctx.out.format === 'ndjson' || ctx.out.format === 'json')
    ctx.out.note(JSON.stringify({ ready: details }));
  else {
    for (const line of readyLines(ready)) ctx.out.note(line);
    if (inspectUrl !== undefined) ctx.out.note(`Inspector: ${inspectUrl}`);
  }
}

/** Announces one run: once when events can arrive, and again each time the subscription is recreated. */
export class ReadyAnnouncer {
  readonly #ctx: Context;
  readonly #file: string | undefined;
  readonly #signal: AbortSignal;
  #ready: LiveReady | undefined;

  /** @param signal aborts when the run ends; nothing is announced after that. */
  constructor(ctx: Context, file: string | undefined, signal: AbortSignal) {
    this.#ctx = ctx;
    this.#file = file;
    this.#signal = signal;
  }

  async announce(ready: LiveReady): Promise<void> {
    // The run may have ended while it waited for the channel to respond.
    if (this.#signal.aborted) return;
    this.#ready = ready;
    await announceReady(this.#ctx, ready, this.#file);
  }

  /**
   * Announces again if the subscription was recreated. A failure causes only a warning, because events continue to
   * arrive.
   */
  async follow(subscription: Subscription): Promise<void> {
    const ready = this.#ready;
    if (!ready || ready.subscription?.id === subscription.id) return;
    const { address = ready.address } = subscription.deliveryMode;
    try {
      await this.announce({ ...ready, address: address ?? '', subscription });
    } catch (error) {
      this.#ctx.out.warn(messageOf(error));
    }
  }
}

/**
 * Removes the ready file of a run that was killed. The file of another running process remains. Commands call this first,
 * so that a script that waits for the file does not read an old one during a slow start.
 */
export async function removeStaleReadyFile(ctx: Context, file: string | undefined): Promise<void> {
  if (file !== undefined) await withFileName(file, removeStaleFile(resolve(ctx.cwd, file)));
}

/** Removes the ready file of this process, which may exist only while events can arrive. */
export async function removeReadyFile(ctx: Context, file: string | undefined): Promise<void> {
  if (file !== undefined) await withFileName(file, removeOwnFile(resolve(ctx.cwd, file)));
}

async function withFileName(file: string, work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (cause) {
    throw new CommandError('ready_file_failed', Exit.local, `cannot write or remove the ready file ${file}`, {
      hint: 'use --ready-file with a file in a folder that you can write to',
      details: [fileFailureReason(cause)],
      cause,
    });
  }
}

/** Whether a person at a terminal watches only their own extension, because the command line requested nothing else. */
export function offersAll(
  { out }: Pick<Context, 'out'>,
  { extension, allExtensions, count }: Pick<LiveOptions, 'extension' | 'allExtensions' | 'count'>,
): boolean {
  return (
    out.isTerminal &&
    out.format === 'table' &&
    extension.length === 0 &&
    !allExtensions &&
    count === undefined
  );
}

/** Mentions `--all-extensions` to an administrator who watches only their own extension. */
export function offerAllExtensions(
  ctx: Context,
  subscription: Subscription | undefined,
  extensions: readonly NamedExtension[],
): void {
  const watched = new Set(
    (subscription?.eventFilters ?? []).flatMap((filter) => eventSubject(filter).extensionId ?? []),
  );
  const own = extensions.find(({ id }) => watched.size === 1 && watched.has(String(id)));
  if (own?.permissions?.admin?.enabled !== true) return;
  ctx.out.note(
    'ucctl watches only your own extension. As an administrator, use --all-extensions to watch all users.',
  );
}

/** Mentions `presence:detailed` to a person who watches the presence without callers. */
export function offerCallers(ctx: Context, subscription: Subscription | undefined): void {
  const names = (subscription?.eventFilters ?? []).map((filter) => eventSubject(filter).name);
  const reports = names.some((name) => name.startsWith('presence:'));
  if (!names.includes('presence') || reports || !ctx.out.isTerminal || ctx.out.format !== 'table') return;
  ctx.out.note('To see who calls, use presence:detailed in --events.');
}

/**
 * Returns the description of the watched events and the address. The address is on a separate line, so that users can
 * copy it in one piece.
 */
function readyLines({ url, address, subscription, names }: LiveReady): readonly string[] {
  if (!subscription)
    return ['Ready. Press Ctrl-C to stop. Create a subscription with this delivery address:', url ?? address];
  const subjects = subjectsOf(subscription.eventFilters, names ?? new EventNames());
  return [
    `Ready: watching ${subjects}. Press Ctrl-C to stop.`,
    ...(url === undefined ? [] : ['The service sends the events to:', address]),
    `Subscription ${subscription.id}`,
  ];
}

/** Maximum number of extensions in the list. For more extensions, only the count is shown. */
const maxNamed = 3;

/** Describes the events and extensions of a subscription: `messages, presence of Ann (101)`. */
function subjectsOf(filters: readonly string[], names: EventNames): string {
  const subjects = filters.map(eventSubject);
  const extensionIds = new Set(subjects.flatMap(({ extensionId }) => extensionId ?? []));
  // The description omits the level of detail, such as `:detailed`, which users do not need.
  const events = [...new Set(subjects.map(({ name }) => name.split(':')[0] ?? name))].join(' and ');
  if (extensionIds.size === 0) return events;
  if (extensionIds.size > maxNamed) return `${events} of ${extensionIds.size} extensions`;
  return `${events} of ${[...extensionIds].map((id) => names.known(id) ?? `extension ${id}`).join(', ')}`;
}
