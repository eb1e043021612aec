import type { Context } from '../../runtime/context.ts';
import { findExtension } from './find-extension.ts';
import { presenceView } from './presence-view.ts';

export interface PresenceGetOptions {
  readonly extension: string;
  readonly detailed?: boolean;
}

/** `presence get [EXT]` */
export async function getPresence(ctx: Context, options: PresenceGetOptions): Promise<void> {
  const api = await ctx.api();
  const id = await findExtension(api, options.extension, ctx.signal);
  const detail = options.detailed ? { detailedTelephonyState: true } : {};
  const presence = await api.presence.get(id, detail, { signal: ctx.signal });
  await ctx.out.record(presence, presenceView);
}
