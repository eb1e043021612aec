import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Subscription } from '../../contract/subscription.ts';
import { writeFileAtomic } from '../../platform/atomic-file.ts';
import { ownProcess } from '../../platform/own-process.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, messageOf } from '../../errors/command.ts';
import { eventSubject } from './notification/describe.ts';
import type { LiveReady } from './live-plan.ts';

/**
 * Tells people and scripts that events arrive from now on: a line on stderr, as JSON when the output is, and a file when one is asked for.
 */
export async function announceReady(ctx: Context, ready: LiveReady, file: string | undefined): Promise<void> {
  const { url, address, subscription, inspectUrl } = ready;
  const facts = {
    url: url ?? null,
    address,
    ...(inspectUrl !== undefined && { inspectUrl }),
    subscriptionId: subscription?.id ?? null,
    eventFilters: subscription?.eventFilters ?? [],
    pid: ownProcess.pid,
  };
  if (file !== undefined)
    await orNamed(file, writeFileAtomic(resolve(ctx.cwd, file), `${JSON.stringify(facts)}\n`));
  if (ctx.out.format === 'ndjson' || ctx.out.format === 'json')
    ctx.out.note(JSON.stringify({ ready: facts }));
  else {
    ctx.out.note(readyText(ready));
    if (inspectUrl !== undefined) ctx.out.note(`inspect: ${inspectUrl}`);
  }
}

/** Announces one run: once when events arrive, and again when its subscription was created anew. */
export class ReadyAnnouncer {
  readonly #ctx: Context;
  readonly #file: string | undefined;
  readonly #signal: AbortSignal;
  #ready: LiveReady | undefined;

  /** @param signal aborts when the run ends: then nothing is announced any more. */
  constructor(ctx: Context, file: string | undefined, signal: AbortSignal) {
    this.#ctx = ctx;
    this.#file = file;
    this.#signal = signal;
  }

  async announce(ready: LiveReady): Promise<void> {
    // A channel that never answered is given up at the end, too.
    if (this.#signal.aborted) return;
    this.#ready = ready;
    await announceReady(this.#ctx, ready, this.#file);
  }

  /** Announces again when a copy is that of another subscription. A failure is a warning: events go on arriving. */
  async follow(copy: Subscription): Promise<void> {
    const ready = this.#ready;
    if (!ready || ready.subscription?.id === copy.id) return;
    const { address } = copy.deliveryMode;
    try {
      await this.announce({ ...ready, address, subscription: copy });
    } catch (error) {
      this.#ctx.out.warn(`the ready file could not be written: ${messageOf(error)}`);
    }
  }
}

/** Who finds the file may rely on it: it is not there before events arrive, nor after the end. */
export async function removeReadyFile(ctx: Context, file: string | undefined): Promise<void> {
  if (file !== undefined) await orNamed(file, rm(resolve(ctx.cwd, file), { force: true }));
}

async function orNamed(file: string, work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (cause) {
    throw new CommandError('ready_file_failed', Exit.local, `the ready file ${file} cannot be written`, {
      hint: 'give another place with --ready-file, in a folder that this user may write',
      details: [messageOf(cause)],
      cause,
    });
  }
}

function readyText({ url, address, subscription, names }: LiveReady): string {
  if (!subscription) return `listening on ${url}, any handshake is answered; Ctrl-C ends`;
  const what = watched(subscription.eventFilters, names ?? new Map());
  return `ready: ${url === undefined ? 'hosted channel' : address}, ${what}, subscription ${subscription.id}; Ctrl-C ends`;
}

/** More are counted. */
const mostNamed = 3;

/** What is received, and whose: `messages, presence of Ann (101)`. */
function watched(filters: readonly string[], names: ReadonlyMap<string, string>): string {
  const subjects = filters.map(eventSubject);
  const whose = new Set(subjects.flatMap(({ extensionId }) => extensionId ?? []));
  const events = [...new Set(subjects.map(({ name }) => name))].join(', ');
  if (whose.size === 0) return events;
  if (whose.size > mostNamed) return `${events} of ${whose.size} extensions`;
  return `${events} of ${[...whose].map((id) => names.get(id) ?? `extension ${id}`).join(', ')}`;
}
