import type { Client } from '../../client/index.ts';
import type { Id } from '../../contract/common.ts';
import { WEBHOOK_SUBSCRIPTION_SECONDS } from '../../contract/limits.ts';
import { openDirectory } from '../../features/directory/index.ts';
import { toFilters } from '../../features/events/index.ts';
import type { Context } from '../../runtime/context.ts';
import { lookupError, usageError } from '../../runtime/errors.ts';
import type { WebhookListenOptions } from './listen.ts';
import type { NameOfExtension } from './notification-view.ts';

/** Event words as given; messages when none is. @throws {CommandError} before anything is started when one is wrong. */
export function checkedEvents(options: WebhookListenOptions): readonly string[] {
  const events = options.events.length > 0 ? options.events : ['messages'];
  const { filters, problems } = toFilters(events, scopeOf(['~']));
  if (problems.length > 0) throw usageError('these events cannot be subscribed to', undefined, problems);
  if (filters.length === 0) throw usageError('--events names no event');
  return events;
}

/** The filters to subscribe to, with the extensions found by name. */
export async function filtersFor(
  ctx: Context,
  api: Client,
  events: readonly string[],
  names: readonly string[],
): Promise<readonly string[]> {
  const ids: Id[] = [];
  const directory = openDirectory(api, ctx.signal);
  for (const name of names) {
    const lookup = name === '~' ? { found: { id: '~' } } : await directory.extension(name);
    if (!lookup.found) throw lookupError(lookup);
    ids.push(lookup.found.id);
  }
  return toFilters(events, scopeOf(ids.length > 0 ? ids : ['~'])).filters;
}

function scopeOf(extensions: readonly Id[]): { extensions: readonly Id[]; lifetimeSeconds: number } {
  return { extensions, lifetimeSeconds: WEBHOOK_SUBSCRIPTION_SECONDS.default };
}

/** Names for live lines. Only people need them, and an app without that permission does without. */
export async function readNames(ctx: Context, api: Client): Promise<NameOfExtension> {
  if (!ctx.out.isTerminal) return () => undefined;
  try {
    const names = new Map<string, string>();
    for (const { id, name, extensionNumber } of await openDirectory(api, ctx.signal).all()) {
      names.set(String(id), extensionNumber ? `${name} (${extensionNumber})` : name);
    }
    return (id) => names.get(id);
  } catch {
    return () => undefined;
  }
}
