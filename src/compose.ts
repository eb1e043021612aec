import { loadAll } from './cli/load-nouns.ts';
import { createPrompt } from './cli/prompt.ts';
import { waitNotes } from './cli/wait-notes.ts';
import { openClient } from './compose/api.ts';
import { networksOf, withheld } from './compose/network.ts';
import { once, type Parts } from './compose/parts.ts';
import { createPolicy } from './compose/policy.ts';
import { openAuth } from './compose/sign-in.ts';
import type { Context, Prompt } from './runtime/context.ts';

/** Wires the layers for one run. Nothing is loaded, opened or connected before a command asks for it, and then once. */
export function createContext(parts: Parts): Context {
  const { system, settings, paths, out, nouns } = parts;
  const dryRun = parts.globals.dryRun ?? false;
  warnOfOwnerlessFolder(parts);
  const { unguarded: network, guarded } = networksOf(parts);
  const onWait = waitNotes(system, out);
  const auth = once(() => openAuth(parts, { http: guarded, onWait }));
  const policy = once(() => createPolicy(parts));
  return {
    policy,
    api: once(() => openClient(parts, { network, auth, policy, onWait })),
    auth,
    http: once(async () => (dryRun ? withheld(await guarded()) : guarded())),
    settings,
    out,
    prompt: promptOf(parts),
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

function warnOfOwnerlessFolder({ settings, out }: Parts): void {
  if (settings.ownerlessFolder === undefined) return;
  out.warn(
    `${settings.ownerlessFolder} is on a file system without owners: other users may be able to change it; set UCCTL_CONFIG_DIR to a folder on another`,
  );
}

function promptOf({ system, globals, out }: Parts): Prompt {
  return createPrompt({
    stdin: system.stdin,
    stderr: system.stderr,
    noInput: globals.noInput ?? false,
    // A dry run changes nothing that a question would be about.
    yes: (globals.yes ?? false) || (globals.dryRun ?? false),
    signal: system.signal,
    plain: !out.drawsInPlace,
    settled: () => out.settled(),
  });
}
