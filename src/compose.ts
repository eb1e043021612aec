import type { Auth, AuthEnvironment } from './auth/index.ts';
import { resolve } from 'node:path';
import type { AccessTokenSource, Call, Exchange, HttpSend, OutcomeRecorder } from './client/index.ts';
import { loadAll } from './cli/load-nouns.ts';
import { createPrompt } from './cli/prompt.ts';
import { waitNotes } from './cli/wait-notes.ts';
import type { GlobalOptions } from './cli/global-options.ts';
import type { SeenReplies } from './cli/seen-replies.ts';
import type { ProgramOutput } from './output/index.ts';
import type { Context, Paths, Settings } from './runtime/context.ts';
import type { AnyCommandSpec, RegisteredNoun } from './runtime/define.ts';
import { CommandError, Exit, usageError } from './errors/command.ts';
import { hintText, nextStep, ucctl } from './errors/hint.ts';
import { namedProfile } from './runtime/named-profile.ts';
import type { PolicyGuard } from './runtime/policy.ts';
import type { System } from './runtime/system.ts';
import { isLoopback } from './platform/base-url.ts';

export interface Parts {
  readonly system: System;
  readonly globals: GlobalOptions;
  readonly settings: Settings;
  readonly paths: Paths;
  readonly out: ProgramOutput;
  /** The command that runs. */
  readonly spec: Pick<AnyCommandSpec, 'mutates'>;
  readonly nouns: readonly RegisteredNoun[];
  /** Where the replies that come are noted. */
  readonly replies: SeenReplies;
  /** Runs another command line. */
  readonly run: Context['run'];
}

/** Wires the layers for one run. Nothing is loaded, opened or connected before a command asks for it, and then once. */
export function createContext(parts: Parts): Context {
  const { system, globals, settings, paths, out, nouns } = parts;
  const dryRun = globals.dryRun ?? false;
  if (settings.ownerlessFolder !== undefined) {
    out.warn(
      `${settings.ownerlessFolder} is on a file system without owners: other users may be able to change it; set UCCTL_CONFIG_DIR to a folder on another`,
    );
  }
  const network = once(async () => watched(await networkOf(parts), parts.replies));
  // The client guards what it sends by itself.
  const http = once(async () => {
    const { guardSecrets } = await import('./client/secret-guard.ts');
    return guardSecrets(await network());
  });
  const onWait = waitNotes(system, out);
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
      dryRun,
      note: (text) => out.warn(hintText(text, namedProfile(settings))),
      onWait,
      sleep: (milliseconds) => system.sleep(milliseconds, system.signal),
    };
    return createAuth(environment);
  });
  const tokens = async (): Promise<AccessTokenSource> => {
    const token = settings.token.value;
    if (token === undefined) return auth();
    const { environmentToken } = await import('./client/fixed-token.ts');
    return environmentToken(token);
  };
  const policy = once(() => createPolicy(parts));
  return {
    policy,
    api: once(async () => {
      const baseUrl = knownBaseUrl(settings);
      if (parts.spec.mutates === true) await (await policy()).check({ kind: 'write', numbers: [] });
      const { buildClient, parseBaseUrl, systemTiming } = await import('./client/index.ts');
      const url = readBaseUrl(baseUrl, parseBaseUrl, settings);
      const { shareBudgets } = await import('./client/budget-share.ts');
      return buildClient({
        baseUrl: url,
        http: await network(),
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
        retries: settings.retry.value,
        resendAfter503: globals['retry-503'],
        maxWaitMilliseconds: settings.maxWaitSeconds.value * 1000,
        mediaHosts: settings.mediaHosts.value,
        timing: {
          now: () => system.now(),
          sleep: (milliseconds, signal) => system.sleep(milliseconds, signal ?? system.signal),
          random: () => systemTiming.random(),
        },
        budgetShare: shareBudgets(paths.state, async () => (await auth()).budgetOwner(url.origin)),
        guard: hasPolicy(settings) ? async (call) => checkCall(await policy(), call) : undefined,
        recorder: lazyRecorder(parts, url, auth),
        onWait,
      });
    }),
    auth,
    http: once(async () => (dryRun ? withheld(await http()) : http())),
    settings,
    out,
    prompt: createPrompt({
      stdin: system.stdin,
      stderr: system.stderr,
      noInput: globals.noInput ?? false,
      yes: (globals.yes ?? false) || dryRun,
      signal: system.signal,
      plain: !out.drawsInPlace,
      settled: () => out.settled(),
    }),
    input: system.stdin,
    paths,
    env: system.env,
    signal: system.signal,
    get cwd() {
      return system.cwd;
    },
    program: system.program,
    dryRun,
    commands: once(async () => (await loadAll(nouns)).flatMap(({ commands }) => commands)),
    run: (argv, how) => parts.run(argv, how),
    nouns: once(() => loadAll(nouns)),
    now: () => system.now(),
    sleep: (milliseconds, signal) =>
      system.sleep(milliseconds, signal ? AbortSignal.any([system.signal, signal]) : system.signal),
    openUrl: (url) => system.openUrl(url),
  };
}

/** A renewal of the session is no change that a dry run is about: auth keeps the network as it is. */
async function withheld(http: HttpSend): Promise<HttpSend> {
  const { withheldHttp } = await import('./client/withheld-http.ts');
  return withheldHttp(http);
}

/** Notes each reply: what fails afterwards may follow from it. */
function watched(send: HttpSend, replies: SeenReplies): HttpSend {
  return async (request) => {
    const reply = await send(request);
    replies.see(request, reply.status);
    return reply;
  };
}

/** The network of this run: plain unless a proxy, certificate authorities or a trace are asked for. */
async function networkOf(parts: Parts): Promise<HttpSend> {
  const { system, globals, out } = parts;
  const plain = system.http ?? (await realNetwork(parts));
  if (globals.debug !== 'http' && globals.traceFile === undefined) return plain;
  const { tracedHttp, debugLines, harFile } = await import('./client/trace/index.ts');
  const sinks = [
    ...(globals.debug === 'http' ? [(exchange: Exchange) => out.show(debugLines(exchange))] : []),
    ...(globals.traceFile === undefined
      ? []
      : [harFile(resolve(system.cwd, globals.traceFile), system.version)]),
  ];
  return tracedHttp(plain, () => system.now(), sinks);
}

async function realNetwork({ system, settings, paths, out }: Parts): Promise<HttpSend> {
  const { env } = system;
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    out.warn(
      'NODE_TLS_REJECT_UNAUTHORIZED=0: certificates are not checked, anyone on the way can read your token; use --ca-file instead',
    );
  }
  // Plain http is for this machine only, which no proxy is asked for: HTTP_PROXY has nothing to say here.
  const proxy = settings.proxy.value;
  const caFile = settings.caFile.value;
  if (proxy === undefined && caFile === undefined) {
    const { createUndiciHttp } = await import('./client/undici-http.ts');
    return announced(createUndiciHttp().send, system);
  }
  const { createNetwork, NetworkSettingError } = await import('./client/network.ts');
  const address = settings.baseUrl.value ?? '';
  if (settings.proxy.origin === 'flag' && URL.canParse(address) && isLoopback(new URL(address).hostname)) {
    out.warn(
      `--proxy is not used: ${new URL(address).origin} is on this machine, which is always reached directly`,
    );
  }
  const noProxy = env['no_proxy'] || env['NO_PROXY'];
  try {
    // One of the profile is the same file wherever one is.
    const folder = settings.caFile.origin === 'profile' ? paths.config : system.cwd;
    const file = caFile === undefined ? undefined : resolve(folder, caFile);
    return announced(
      (
        await createNetwork({
          proxy,
          noProxy,
          caFile: file,
          extraCaFile: env['NODE_EXTRA_CA_CERTS'] || undefined,
        })
      ).send,
      system,
    );
  } catch (error) {
    if (!(error instanceof NetworkSettingError)) throw error;
    const hint = nextStep`it comes from ${settings[error.setting].source}; ${ucctl('config list --show-origin')} shows all`;
    throw new CommandError('usage', Exit.usage, error.message, { hint, cause: error });
  }
}

/** Announces the first request when it goes out, and no earlier: by then the session was read, and all that it takes is loaded. */
function announced(send: HttpSend, system: System): HttpSend {
  const first = once(async () => system.beforeFirstRequest?.());
  return async (request) => {
    await first();
    return send(request);
  };
}

/** The journal of what was sent once, opened before the first such request. */
function lazyRecorder(
  { system, paths, settings }: Parts,
  url: URL,
  auth: () => Promise<Auth>,
): OutcomeRecorder {
  const recorder = once(async () => {
    const { createRecorder, OutcomeJournal } = await import('./features/outcome-journal/index.ts');
    const owner = { profile: settings.profile.value, origin: url.origin };
    const admit =
      settings.maxPerHour?.value === undefined ? undefined : await hourlyLimit(settings.maxPerHour.value);
    const whose = async (): Promise<string | undefined> => (await auth()).owner();
    return createRecorder(OutcomeJournal.open(paths.state), owner, () => system.now(), { whose, admit });
  });
  return { before: async (call, dedupeKey) => (await recorder()).before(call, dedupeKey) };
}

/** Whether there is anything to check before each request. */
function hasPolicy(settings: Settings): boolean {
  const { allowPrefixes, forbidPrefixes, quietHours, maxPerHour, readOnly } = settings;
  return (
    (allowPrefixes?.value.length ?? 0) > 0 ||
    (forbidPrefixes?.value.length ?? 0) > 0 ||
    quietHours?.value !== undefined ||
    maxPerHour?.value !== undefined ||
    readOnly?.value === true
  );
}

async function createPolicy({ system, globals, settings, paths }: Parts): Promise<PolicyGuard> {
  const { createGuard, policyOf } = await import('./features/policy/index.ts');
  let policy;
  try {
    policy = policyOf(settings);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw usageError(error.message, `quiet-hours comes from ${settings.quietHours?.source ?? 'the profile'}`);
  }
  return createGuard({
    policy,
    dryRun: globals.dryRun ?? false,
    now: () => system.now(),
    async sentSince(time) {
      const { OutcomeJournal } = await import('./features/outcome-journal/index.ts');
      const journal = OutcomeJournal.open(paths.state);
      try {
        const origin = new URL(settings.baseUrl.value ?? 'http://localhost').origin;
        return journal.countSince({ profile: settings.profile.value, origin }, time);
      } finally {
        journal.close();
      }
    },
  });
}

/** The one guard that every request passes, whichever command made it. */
async function checkCall(policy: PolicyGuard, call: Call): Promise<void> {
  const { actionOf } = await import('./features/policy/index.ts');
  const action = actionOf(call);
  // How many an hour is counted where they are remembered, so that processes side by side count together.
  if (action) await policy.check({ ...action, count: 0 });
}

async function hourlyLimit(max: number): Promise<(sentLastHour: number, more: number) => void> {
  const { hourlyRefusal, policyError } = await import('./features/policy/index.ts');
  return (sentLastHour, more) => {
    const reason = hourlyRefusal(max, more, sentLastHour);
    if (reason !== undefined) throw policyError(reason);
  };
}

function knownBaseUrl(settings: Settings): string {
  const { baseUrl, token, profile } = settings;
  if (baseUrl.value !== undefined) return baseUrl.value;
  if (token.value !== undefined) {
    throw usageError('the address of the service is not known', 'give --base-url URL or set UCCTL_BASE_URL');
  }
  throw new CommandError('sign_in_required', Exit.signIn, `not signed in (profile ${profile.value})`, {
    hint: nextStep`${ucctl('init')}, or ${ucctl('login --base-url URL')}; without an account: ${ucctl('sandbox start')}`,
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
