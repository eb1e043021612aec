import { execFile } from 'node:child_process';
import { ownProcess } from '../../platform/own-process.ts';
import { withoutSecrets } from '../../platform/secret-environment.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit } from '../../errors/command.ts';

/** The program npm, which knows the registry of this machine. Companies have separate registries. */
const npm = ['npm', 'view', 'ucctl', 'version', '--json'] as const;

interface NpmReply {
  readonly failure: (Error & { readonly code?: number | string | null }) | null;
  readonly stdout: string;
}

/**
 * Returns the latest version in the registry of npm.
 * @throws {CommandError} if npm is missing or cannot reach its registry, or if the registry has no package of ucctl.
 */
export async function latestVersion(ctx: Context): Promise<string> {
  const { failure, stdout } = await askNpm(ctx);
  ctx.signal.throwIfAborted();
  if (failure?.code === 'ENOENT') {
    throw new CommandError(
      'npm_missing',
      Exit.local,
      'cannot look up the latest version: npm is not installed',
      {
        hint: 'install npm, or look up the version where you downloaded ucctl',
        cause: failure,
      },
    );
  }
  const reply = parse(stdout);
  if (typeof reply === 'string' && /^\d+\.\d+\.\d+/.test(reply)) return reply;
  const { code, summary } = problemOf(reply);
  if (code === 'E404') {
    throw new CommandError('not_published', Exit.notFound, 'package ucctl not found in the npm registry', {
      hint: 'look up the version where you downloaded ucctl; to set the registry of your company: npm config set registry URL',
    });
  }
  const reason = summary ?? 'npm returned no version';
  throw new CommandError(
    'registry_unreachable',
    Exit.network,
    `npm cannot read the latest version: ${reason}`,
    {
      hint: `for details, run: ${npm.join(' ')}`,
      ...(failure && { cause: failure }),
    },
  );
}

function askNpm({ env, settings, signal }: Context): Promise<NpmReply> {
  const [program, ...args] = npm;
  const timeout = settings.timeoutSeconds.value * 1000;
  // On Windows, npm is a script that only a shell can run.
  const options = {
    env: withoutSecrets(env),
    timeout,
    signal,
    shell: ownProcess.platform.startsWith('win32'),
    windowsHide: true,
  };
  return new Promise((resolve) => {
    execFile(program, args, options, (failure, stdout) => resolve({ failure, stdout }));
  });
}

function parse(stdout: string): unknown {
  try {
    return JSON.parse(stdout);
  } catch {
    return undefined;
  }
}

/** Returns the error object that npm writes to stdout with --json. */
function problemOf(reply: unknown): { readonly code?: string; readonly summary?: string } {
  const error: unknown = typeof reply === 'object' && reply !== null && 'error' in reply ? reply.error : {};
  const member = (name: string): string | undefined => {
    const value: unknown = Reflect.get(Object(error), name);
    return typeof value === 'string' ? value : undefined;
  };
  const [code, summary] = [member('code'), member('summary')];
  return { ...(code !== undefined && { code }), ...(summary !== undefined && { summary }) };
}
