import type { Client } from '../../client/index.ts';
import type { OpenMedia } from '../../features/mirror/index.ts';
import type { Context } from '../../runtime/context.ts';

/** Reads attachments through the shared client: only from the service's own address, which alone may see the token. */
export function openMediaOf(api: Client, ctx: Context): OpenMedia {
  return async (uri) => {
    const { origin, pathname } = new URL(uri);
    const base = new URL(ctx.settings.baseUrl.value ?? uri);
    if (origin !== base.origin) throw new Error(`${origin} is not the address of the service`);
    const path = pathname.slice(base.pathname.replace(/\/$/, '').length);
    const reply = await api.transport.open({ method: 'GET', path }, { signal: ctx.signal });
    return { complete: reply.status === 200, bytes: reply.bytes() };
  };
}
