import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { untilAborted } from '../../platform/aborted.ts';
import { writeFileAtomic } from '../../platform/atomic-file.ts';
import { isLoopback, isSafeAddress, isServerAddress } from '../../platform/base-url.ts';
import { removeOwnFile, removeStaleFile } from '../../platform/process-file.ts';
import type { Context } from '../../runtime/context.ts';
import { cannotListen } from '../../errors/cannot-listen.ts';
import { CommandError, Exit, usageError } from '../../errors/command.ts';
import { hintOf } from '../../errors/hint-of.ts';
import type { ClockMode, ReadyFile, Sandbox } from '../../sandbox/index.ts';
import { readClock } from './clock-mode.ts';
import { ownCommand } from './own-command.ts';
import { recordFile, recordText } from './record-file.ts';
import { readyText } from './ready-text.ts';
import { readyRows } from './sandbox.rows.ts';
import { maskUserInfo } from '../../platform/user-info.ts';

export interface SandboxStartOptions {
  readonly port: number;
  readonly db: string;
  readonly seed: number;
  readonly readyFile?: string;
  readonly redirectUri: readonly string[];
  readonly clock: string;
  readonly rateLimits: 'realistic' | 'off';
  readonly host: string;
  readonly tls?: boolean;
  readonly open?: boolean;
  readonly mediaPort?: number;
  readonly publicUrl?: string;
  readonly fixture?: string;
  readonly snapshot?: string;
}

/**
 * Runs a sandbox until it is stopped. The ready file and the announcement are written when the sandbox accepts
 * requests.
 */
export async function startSandboxCommand(ctx: Context, options: SandboxStartOptions): Promise<void> {
  const readyFile = options.readyFile === undefined ? undefined : resolve(ctx.cwd, options.readyFile);
  // A script that waits for the ready file must not read the file of an earlier sandbox.
  if (readyFile !== undefined) await removeStaleFile(readyFile);
  for (const uri of options.redirectUri) {
    if (!URL.canParse(uri))
      throw usageError(
        `--redirect-uri: "${maskUserInfo(uri)}" is not a valid URI`,
        'use a complete URI, such as http://127.0.0.1:8734/callback',
      );
  }
  checkPublicUrl(ctx, options);
  if (options.snapshot !== undefined && options.fixture !== undefined)
    throw usageError(
      '--snapshot and --fixture cannot be used together',
      'omit --fixture; a snapshot contains its own content',
    );
  const clock = readClock(options.clock);
  if (!loopback.has(options.host)) {
    ctx.out.warn(
      `listening on ${options.host}: anyone who can reach this machine can use the sandbox, but its control API accepts only local requests`,
    );
  }
  const sandbox = await start(ctx, options, clock);
  warnOfLinks(ctx, options, sandbox.ready);
  const record = recordFile(ctx.paths, sandbox.ready.pid);
  try {
    const text = recordText(sandbox.ready);
    await writeFileAtomic(record, text);
    if (readyFile !== undefined) await writeFileAtomic(readyFile, text);
    await announce(ctx, sandbox.ready);
    const opened = options.open ? openPage(ctx, sandbox.url) : undefined;
    await Promise.race([untilAborted(ctx.signal), sandbox.stopped]);
    await opened;
  } finally {
    await removeOwnFile(record);
    if (readyFile !== undefined) await removeOwnFile(readyFile);
    await sandbox.close();
  }
}

/** Warns of a public URL that ucctl rejects as a base URL. @throws {CommandError} for an invalid URL. */
function checkPublicUrl(ctx: Context, { publicUrl }: SandboxStartOptions): void {
  if (publicUrl === undefined) return;
  if (!isServerAddress(publicUrl))
    throw usageError(
      `--public-url: "${maskUserInfo(publicUrl)}" is not an http or https address without a path`,
      'use the address of the sandbox, such as http://sandbox:8080',
    );
  if (!isSafeAddress(publicUrl))
    ctx.out.warn(
      'ucctl accepts http:// only for this machine: sandbox env exports the local address, and ucctl cannot download files or open a WebSocket; to use ucctl with the public URL, use --tls and an https:// address',
    );
}

/** Warns if other machines can reach the sandbox, but not the addresses of links in its replies. */
function warnOfLinks(ctx: Context, { host }: SandboxStartOptions, { url, publicUrl }: ReadyFile): void {
  const { protocol, hostname } = new URL(url);
  if (loopback.has(host) || publicUrl !== undefined || !isLoopback(hostname)) return;
  ctx.out.warn(
    `links in replies begin with ${url}, which other machines cannot reach; to set the address of links: --public-url ${protocol}//HOST:PORT`,
  );
}

const loopback = new Set(['127.0.0.1', '::1', 'localhost']);

async function start(ctx: Context, options: SandboxStartOptions, clock: ClockMode): Promise<Sandbox> {
  const { startSandbox } = await import('../../sandbox/index.ts');
  const database = options.db === ':memory:' ? options.db : resolve(ctx.cwd, options.db);
  const {
    port,
    seed,
    redirectUri: redirectUris,
    rateLimits,
    host,
    tls,
    mediaPort,
    publicUrl,
    fixture,
    snapshot,
  } = options;
  if (snapshot !== undefined && (await hasContent(database))) {
    ctx.out.warn(
      `--snapshot has no effect, because the database ${options.db} already has content; to start from the snapshot, use a new file`,
    );
  }
  try {
    return await startSandbox({
      database,
      port,
      seed,
      redirectUris,
      clock,
      rateLimits,
      dialect: ctx.settings.dialect.value,
      host,
      validateReplies: false,
      onFailure: (error) => ctx.out.warn(`the sandbox failed: ${oneLine(error)}`),
      onWarning: (text) => ctx.out.warn(text),
      ...(tls && { tls, tlsFolder: ctx.paths.state }),
      ...(mediaPort !== undefined && { mediaPort }),
      ...(publicUrl !== undefined && { publicUrl }),
      ...(fixture !== undefined && { fixture }),
      ...(snapshot !== undefined && { snapshot: resolve(ctx.cwd, snapshot) }),
    });
  } catch (error) {
    throw explain(error, options);
  }
}

async function hasContent(database: string): Promise<boolean> {
  if (database === ':memory:') return false;
  const { size } = await stat(database).catch(() => ({ size: 0 }));
  return size > 0;
}

/** Returns the message and its place in the code on one line, for an error report. */
function oneLine(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return text.split('\n', 2).join('').replaceAll(/\s+/g, ' ').slice(0, 500);
}

function explain(error: unknown, { host, port, mediaPort }: SandboxStartOptions): CommandError {
  const { code, message, syscall } = error as NodeJS.ErrnoException;
  if (syscall === 'listen' || syscall === 'getaddrinfo') {
    const asked = (error as { readonly port?: number }).port ?? port;
    const flag = asked === mediaPort ? '--media-port' : '--port';
    return cannotListen(
      { host, port: asked, cause: error },
      {
        otherPort: `to use any free port, specify ${flag} 0`,
        otherHost: 'specify an address of this machine with --host',
      },
    );
  }
  if (code === 'DATABASE_IN_USE') {
    return new CommandError('database_in_use', Exit.local, message, {
      hint: 'stop the other sandbox, or use another file',
      cause: error,
    });
  }
  return new CommandError('sandbox_not_started', Exit.local, `cannot start the sandbox: ${message}`, {
    hint: hintOf(error),
    cause: error,
  });
}

/** Columns of `sandbox start` in table, csv and tsv. */
const readyColumns = ['url', 'pid', 'clientId', 'clientSecret', 'accountId', 'mainNumber'];

async function announce(ctx: Context, ready: ReadyFile): Promise<void> {
  if (ctx.out.isTerminal && ctx.out.format === 'table') {
    const { program, env, cwd } = ctx;
    ctx.out.show(readyText(ready, ownCommand({ program, cwd, path: env['PATH'] })));
  } else await ctx.out.record(ready, readyRows.pick(readyColumns));
}

/** Opens the page of the sandbox in the browser. */
async function openPage(ctx: Context, url: string): Promise<void> {
  const page = new URL('/', url).href;
  if (await ctx.openUrl(page).catch(() => false)) return;
  ctx.out.warn(`cannot start a browser; open this address: ${page}`);
}
