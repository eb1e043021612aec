import type { Client, HttpSend, OutcomeRecorder, TransportSettings, Wait } from '../client/index.ts';
import type { RateLimiter } from '../client/rate-limiter.ts';
import type { Auth } from '../runtime/auth.ts';
import { CommandError, Exit, usageError } from '../errors/command.ts';
import { nextStep, ucctl } from '../errors/hint.ts';
import type { Prompt } from '../runtime/context.ts';
import { askVersions } from '../runtime/ask-versions.ts';
import type { PolicyGuard } from '../runtime/policy.ts';
import type { Postgres } from '../platform/postgres/postgres.ts';
import type { Settings } from '../runtime/settings.ts';
import { askMediaHost } from './media-host.ts';
import { budgetOwner, senderOf } from './owners.ts';
import { once, type Parts } from './parts.ts';
import { checkCall, hasPolicy, hourlyLimit, sendJournalParts } from './policy.ts';
import { tokensOf } from './sign-in.ts';
import { tracedHttp } from './traced-http.ts';

/** Parts of a run that the API client shares with other code. */
export interface Shared {
  readonly network: () => Promise<HttpSend>;
  readonly auth: () => Promise<Auth>;
  readonly policy: () => Promise<PolicyGuard>;
  readonly onWait: (wait: Wait) => void;
  readonly prompt: Prompt;
  /** The PostgreSQL store that machines share. */
  readonly store: () => Promise<Postgres>;
}

/**
 * Returns the API client of one run.
 * @param limiter replaces the default limiter of requests.
 * @throws {CommandError} if nobody is signed in, or the policy forbids the command.
 */
export async function openClient(
  parts: Parts,
  shared: Shared,
  limiter?: () => Promise<RateLimiter>,
): Promise<Client> {
  const { system, globals, settings } = parts;
  const { network, auth, policy, onWait } = shared;
  const baseUrl = knownBaseUrl(settings);
  if (parts.spec.mutates === true) await (await policy()).check({ kind: 'write', numbers: [] });
  if (parts.spec.mutates) await parts.out.load();
  const { buildClient, dialects, parseBaseUrl, systemTiming } = await import('../client/index.ts');
  const url = readBaseUrl(baseUrl, parseBaseUrl, settings);
  const limits = limiter
    ? { limiter: await limiter() }
    : await rateLimits(parts, shared, () => budgetOwner(settings, url.origin, auth));
  return buildClient({
    baseUrl: url,
    http: tracedHttp(await network()),
    sentSecrets: system.sentSecrets,
    tokens: await tokensOf(parts, auth),
    userAgent: `ucctl/${system.version}`,
    timeoutMilliseconds: settings.timeoutSeconds.value * 1000,
    language: settings.language.value,
    dialect: {
      ...dialects[settings.dialect.value],
      chatPath: settings.chatPath.value,
      channelTransport: settings.channelTransport.value,
      ringoutPath: settings.ringoutPath.value,
      webhookLimitMilliseconds: settings.webhookLimitMilliseconds.value,
    },
    dryRun: globals.dryRun ?? false,
    retries: settings.retry.value,
    resendAfter503: globals['retry-503'],
    maxWaitMilliseconds: settings.maxWaitSeconds.value * 1000,
    mediaHosts: settings.mediaHosts.value,
    allowMediaHost: (host) =>
      askMediaHost({ globals, out: parts.out, settings, run: parts.run, prompt: shared.prompt }, host),
    timing: {
      now: () => system.now(),
      sleep: (milliseconds, signal) => system.sleep(milliseconds, signal ?? system.signal),
      random: () => systemTiming.random(),
    },
    ...limits,
    guard: hasPolicy(settings) ? async (call) => checkCall(await policy(), call) : undefined,
    recorder: lazyRecorder(parts, url, shared),
    onWait,
  });
}

/**
 * The rate limits are shared by all machines with the same store. Without a store, and for a command that reads a replica,
 * they are shared by the processes of this machine.
 */
async function rateLimits(
  { settings, system, spec, paths, atEnd }: Parts,
  { store }: Shared,
  owner: () => Promise<string>,
): Promise<Partial<Pick<TransportSettings, 'budgetShare' | 'limiter'>>> {
  const hasStore = settings.storeUrl.value !== undefined;
  if (!hasStore || (spec.onlyReadsStore === true && (await (await store()).check(false)).isReadOnly)) {
    const { shareBudgets } = await import('../client/budget-share.ts');
    const budgetShare = shareBudgets(paths.state, owner);
    atEnd(() => budgetShare.close());
    return { budgetShare };
  }
  const { fleetLimiter } = await import('./fleet.ts');
  return { limiter: (await fleetLimiter(system, store))(owner) };
}

/** Returns the journal of sends, opened before the first request that must not be repeated. */
function lazyRecorder(
  parts: Parts,
  url: URL,
  { auth, store, network }: Pick<Shared, 'auth' | 'store' | 'network'>,
): OutcomeRecorder {
  const { system, settings, out, atEnd } = parts;
  const recorder = once(async () => {
    const { createRecorder, openSendJournal, skewOf } = await import('../features/outcome-journal/index.ts');
    const owner = { profile: settings.profile.value, origin: url.origin };
    const admit =
      settings.maxPerHour.value === undefined ? undefined : await hourlyLimit(settings.maxPerHour.value);
    const whose = () => senderOf(settings, auth);
    const readSkew = async () => {
      const reply = await askVersions(tracedHttp(await network()), url, {
        timeoutMilliseconds: settings.timeoutSeconds.value * 1000,
        signal: system.signal,
      });
      const skew = skewOf(reply.header('date'), system.now());
      await reply.discard();
      return skew;
    };
    const journal = await openSendJournal({ ...sendJournalParts(parts, store), readSkew });
    atEnd(async () => journal.close());
    return createRecorder(journal, owner, {
      whose,
      admit,
      sentSecrets: system.sentSecrets,
      warn: (text) => out.warn(text),
      warnIfKilled: (text) => out.warnIfKilled(text),
    });
  });
  return {
    before: async (...args) => (await recorder()).before(...args),
    requireUnused: async (...args) => (await recorder()).requireUnused(...args),
  };
}

function knownBaseUrl(settings: Settings): string {
  const { baseUrl, token, profile } = settings;
  if (baseUrl.value !== undefined) return baseUrl.value;
  if (token.value !== undefined) {
    throw usageError(
      'no base URL is set',
      'specify the address of the service with --base-url URL, or set UCCTL_BASE_URL',
    );
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
    throw usageError(error.message, `fix the base URL (from ${settings.baseUrl.source})`);
  }
}
