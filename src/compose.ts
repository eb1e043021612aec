import type { AuthEnvironment } from './auth/index.ts';
import type { AccessTokenSource, HttpSend } from './client/index.ts';
import { createPrompt } from './cli/prompt.ts';
import type { GlobalOptions } from './cli/global-options.ts';
import type { ProgramOutput } from './output/index.ts';
import type { Context, Paths, Settings } from './runtime/context.ts';
import type { NounSpec } from './runtime/define.ts';
import { CommandError, Exit, usageError } from './runtime/errors.ts';
import type { System } from './runtime/system.ts';

export interface Parts {
  readonly system: System;
  readonly globals: GlobalOptions;
  readonly settings: Settings;
  readonly paths: Paths;
  readonly out: ProgramOutput;
  readonly nouns: readonly NounSpec[];
}

/** Wires the layers for one run. Nothing is loaded, opened or connected before a command asks for it, and then once. */
export function createContext(parts: Parts): Context {
  const { system, globals, settings, paths, out, nouns } = parts;
  const dryRun = globals.dryRun ?? false;
  const http = once(() => networkOf(system));
  const auth = once(async () => {
    const { createAuth } = await import('./auth/index.ts');
    const environment: AuthEnvironment = {
      settings,
      paths,
      env: system.env,
      platform: system.platform,
      http,
      now: () => system.now(),
      signal: system.signal,
      interactive: system.stdin.isTerminal && system.stderr.isTerminal,
      note: (text) => out.warn(text),
    };
    return createAuth(environment);
  });
  const tokens = async (): Promise<AccessTokenSource> => {
    const token = settings.token.value;
    if (token === undefined) return auth();
    const { fixedToken } = await import('./client/fixed-token.ts');
    return fixedToken(token);
  };
  return {
    api: once(async () => {
      const baseUrl = knownBaseUrl(settings);
      const { buildClient, parseBaseUrl } = await import('./client/index.ts');
      return buildClient({
        baseUrl: readBaseUrl(baseUrl, parseBaseUrl, settings),
        http: await http(),
        tokens: await tokens(),
        userAgent: `ucctl/${system.version}`,
        timeoutMilliseconds: settings.timeoutSeconds.value * 1000,
        language: settings.language.value,
        dialect: {
          chatPath: settings.chatPath.value,
          channelTransport: settings.channelTransport.value,
          ringoutPath: settings.ringoutPath.value,
          webhookLimitMilliseconds: settings.webhookLimitMilliseconds.value,
        },
        dryRun,
      });
    }),
    auth,
    http,
    settings,
    out,
    prompt: createPrompt({
      stdin: system.stdin,
      stderr: system.stderr,
      noInput: globals.noInput ?? false,
      yes: (globals.yes ?? false) || dryRun,
      signal: system.signal,
      settled: () => out.settled(),
    }),
    input: system.stdin,
    paths,
    env: system.env,
    signal: system.signal,
    cwd: system.cwd,
    dryRun,
    commands: nouns.flatMap(({ commands }) => commands),
    now: () => system.now(),
    sleep: (milliseconds) => system.sleep(milliseconds, system.signal),
    openUrl: (url) => system.openUrl(url),
  };
}

async function networkOf(system: System): Promise<HttpSend> {
  if (system.http) return system.http;
  system.beforeFirstRequest?.();
  const { createUndiciHttp } = await import('./client/undici-http.ts');
  return createUndiciHttp().send;
}

function knownBaseUrl(settings: Settings): string {
  const { baseUrl, token, profile } = settings;
  if (baseUrl.value !== undefined) return baseUrl.value;
  if (token.value !== undefined) {
    throw usageError('the address of the service is not known', 'give --base-url URL or set UCCTL_BASE_URL');
  }
  throw new CommandError('sign_in_required', Exit.signIn, `not signed in (profile ${profile.value})`, {
    hint: 'ucctl login --base-url URL',
  });
}

function readBaseUrl(text: string, parse: (text: string) => URL, settings: Settings): URL {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw usageError(error.message, `the base URL comes from ${settings.baseUrl.source}`);
  }
}

/** Makes a thing at the first call and gives the same one ever after. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
