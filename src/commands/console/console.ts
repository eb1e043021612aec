import { EventNames, openInbox } from '../../features/live/index.ts';
import { eventsOfInbox, InspectApi, inspectRoutes } from '../../features/live/inspect/index.ts';
import { knownExtensions } from '../../features/known-values/index.ts';
import { untilAborted } from '../../platform/aborted.ts';
import type { PageRoute } from '../../platform/local-page/page-route.ts';
import { serveLocalPage, type LocalPage } from '../../platform/local-page/serve.ts';
import { cannotListen } from '../../errors/cannot-listen.ts';
import type { Context } from '../../runtime/context.ts';
import type { CopyOptions } from '../../runtime/copy-options.ts';
import { BackgroundWork } from './background-work.ts';
import { consoleRows } from './console.rows.ts';
import { pageRoutes } from './page-routes.ts';
import { writeRedirectFile, type RedirectFile } from './redirect-file.ts';

export interface ConsoleOptions extends CopyOptions {
  readonly port: number;
  readonly readOnly?: boolean;
  readonly open?: boolean;
}

/** `console`: serves the page of the profile until Ctrl-C. */
export async function openConsole(ctx: Context, options: ConsoleOptions): Promise<void> {
  const inbox = openInbox(ctx, {});
  try {
    const isReadOnly = options.readOnly === true || ctx.settings.readOnly.value;
    const events = eventsOfInbox(inbox, (milliseconds, signal) => ctx.sleep(milliseconds, signal));
    const api = new InspectApi({ events, keys: () => [], http: await ctx.http(), names: currentNames(ctx) });
    const background = new BackgroundWork();
    const routes = pageRoutes(ctx, options, isReadOnly, inspectRoutes(api), background);
    const page = await serve(ctx, options.port, routes);
    let redirect: RedirectFile | undefined;
    try {
      const opens = options.open !== false;
      await announce(ctx, page, { isReadOnly, opens });
      if (opens) redirect = await openPage(ctx, page.url);
      await untilAborted(ctx.signal);
    } finally {
      redirect?.remove();
      await page.close();
      await background.end();
    }
  } finally {
    inbox.close();
  }
}

/** Milliseconds after which the names are read again, because other commands store them while the console runs. */
const namesMilliseconds = 10_000;

/** Returns a function that returns the known names of extensions. */
function currentNames(ctx: Context): () => EventNames {
  let read: { readonly names: EventNames; readonly at: number } | undefined;
  return () => {
    const now = ctx.now();
    if (!read || Math.abs(now - read.at) >= namesMilliseconds)
      read = { names: new EventNames(knownExtensions(ctx)), at: now };
    return read.names;
  };
}

const freePort = 'to use any free port, omit --port';

async function serve(ctx: Context, port: number, routes: readonly PageRoute[]): Promise<LocalPage> {
  try {
    return await serveLocalPage({ routes, port, warn: (problem) => ctx.out.warn(problem) });
  } catch (cause) {
    throw cannotListen({ host: '127.0.0.1', port, cause }, { otherPort: freePort, otherHost: freePort });
  }
}

interface Announcement {
  readonly isReadOnly: boolean;
  /** Whether the page opens in the browser. A browser that is a snap package may be unable to read the file for this. */
  readonly opens: boolean;
}

async function announce(
  ctx: Context,
  { url }: LocalPage,
  { isReadOnly, opens }: Announcement,
): Promise<void> {
  if (!ctx.out.isTerminal || ctx.out.format !== 'table')
    return ctx.out.record({ url, readOnly: isReadOnly }, consoleRows.record);
  const otherwise = opens ? 'If the page does not open, open this address in your browser.\n' : '';
  ctx.out.show(`Console of profile ${ctx.settings.profile.value}: ${url}\n${otherwise}Press Ctrl-C to quit.`);
}

/** Opens the browser. The returned file must remain until the browser has read it, however long that takes. */
async function openPage(ctx: Context, url: string): Promise<RedirectFile | undefined> {
  let redirect: RedirectFile | undefined;
  try {
    redirect = writeRedirectFile(ctx.paths.state, url);
    if (await ctx.openPageFile(redirect.file)) return redirect;
  } catch {
    // The address on the terminal also works without the file and the browser.
  }
  ctx.out.warn('cannot start a browser; open the address above');
  return redirect;
}
