import { setMaxListeners } from 'node:events';
import { loadAll } from './cli/load-nouns.ts';
import { createPrompt } from './cli/prompt.ts';
import { waitNotes } from './cli/wait-notes.ts';
import { openClient } from './compose/api.ts';
import { decompressedNetwork, dryRunNetwork, networksOf, routeOf } from './compose/network.ts';
import { senderOf } from './compose/owners.ts';
import { once, type Parts } from './compose/parts.ts';
import { createPolicy } from './compose/policy.ts';
import { openAuth } from './compose/sign-in.ts';
import { checkedStore, connectedStore } from './compose/store.ts';
import { eitherSignal } from './platform/either-signal.ts';
import type { Context, Prompt } from './runtime/context.ts';
import { hintFor } from './runtime/hint-for.ts';
import type { System } from './runtime/system.ts';

/** Creates the context of one run. Each part is loaded, opened or connected once, when a command first uses it. */
export function createContext(parts: Parts): Context {
  // Each wait adds a listener, and commands such as sync --extension all wait in many places at the same time.
  setMaxListeners(0, parts.system.signal);
  const { system, settings, paths, out, nouns } = parts;
  const dryRun = parts.globals.dryRun ?? false;
  warnOfOwnerlessFolder(parts);
  const { unguarded: network, guarded } = networksOf(parts);
  const onWait = waitNotes(system, out);
  const storeConnection = once(() => connectedStore(parts));
  const store = once(() => checkedStore(storeConnection));
  const auth = once(() => openAuth(parts, { http: guarded, onWait, store }));
  const policy = once(() => createPolicy(parts, store));
  const prompt = promptOf(parts);
  const shared = { network, auth, policy, onWait, prompt, store };
  return {
    ...membersOf(system),
    onRun(run, isBlocking = false) {
      parts.onRun({ id: run, isBlocking });
      system.onRun?.(run);
    },
    onOutdated(reason) {
      out.warn(reason);
      system.onOutdated?.(hintFor(parts, reason));
    },
    policy,
    api: once(() => openClient(parts, shared)),
    auth,
    sender: () => senderOf(settings, auth),
    async rateBudgets() {
      const { sharedBudgets } = await import('./compose/budgets.ts');
      return sharedBudgets(parts, auth);
    },
    http: once(async () => {
      const http = decompressedNetwork(await guarded());
      return dryRun ? dryRunNetwork(http) : http;
    }),
    route: once(() => routeOf(parts)),
    store,
    storeConnection,
    async fleetSession(other) {
      const { openFleetSession } = await import('./compose/fleet-session.ts');
      if (!other) return openFleetSession(parts, shared);
      const own = { ...parts, settings: await parts.settingsOf(other.profile, other.origin) };
      const otherAuth = once(() => openAuth(own, { http: guarded, onWait, store }));
      return openFleetSession(own, { ...shared, auth: otherAuth });
    },
    settings,
    currentSettings: () => parts.settingsOf(settings.profile.value),
    out,
    prompt,
    paths,
    get cwd() {
      return system.cwd;
    },
    get program() {
      return system.program;
    },
    dryRun,
    commands: once(async () => (await loadAll(nouns)).flatMap(({ commands }) => commands)),
    run: (argv, how) => parts.run(argv, how),
    nouns: once(() => loadAll(nouns)),
  };
}

/** The members of a context that do not depend on the command line. */
function membersOf(system: System) {
  return {
    sentSecrets: system.sentSecrets,
    input: system.stdin,
    env: system.env,
    signal: system.signal,
    withDefaultSignals: system.withDefaultSignals,
    version: system.version,
    now: () => system.now(),
    baseTime: () => system.baseTime ?? system.now(),
    elapsed: () => system.elapsed(),
    sleep: (milliseconds, signal) =>
      signal ? sleepUntil(system, milliseconds, signal) : system.sleep(milliseconds, system.signal),
    openUrl: (url) => system.openUrl(url),
    openPageFile: (file) => system.openPageFile(file),
  } satisfies Partial<Context>;
}

/** Waits until either signal aborts. */
async function sleepUntil(system: System, milliseconds: number, signal: AbortSignal): Promise<void> {
  const either = eitherSignal(system.signal, signal);
  try {
    await system.sleep(milliseconds, either.signal);
  } finally {
    either.end();
  }
}

function warnOfOwnerlessFolder({ settings, out }: Parts): void {
  if (settings.ownerlessFolder === undefined) return;
  out.warn(
    `${settings.ownerlessFolder} is on a file system without file ownership, so other users may be able to change the files; set UCCTL_CONFIG_DIR to a folder on another file system`,
  );
}

function promptOf({ system, globals, out }: Parts): Prompt {
  return createPrompt({
    stdin: system.stdin,
    stderr: system.stderr,
    noInput: globals.noInput ?? false,
    // A dry run makes no change that needs confirmation.
    yes: (globals.yes ?? false) || (globals.dryRun ?? false),
    signal: system.signal,
    plain: !out.drawsInPlace,
    settled: () => out.settled(),
  });
}
