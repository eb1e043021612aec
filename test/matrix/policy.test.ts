import { describe, expect, it } from 'vitest';
import { registry } from '../../src/cli/registry.ts';
import type { AnyCommandSpec } from '../../src/runtime/define.ts';
import { allCases } from './all-cases.ts';
import type { Situations } from './cases.ts';
import { openDesk, type Desk } from './desk.ts';
import { optionsOf, wordsOf } from './shoot.ts';

/** What a request does, where a policy has something to say about it; signing in and out changes nothing at the service's data. */
const changes = /^\w+ (?!\/restapi\/oauth\/)/;
const reaches = /^POST .*\/(sms|fax|ringout|company-pager)$/;
const rings = /^POST .*\/(sms|fax|ringout)$/;

/** Policies, and the requests that none of them may let out. */
const policies: readonly (readonly [Readonly<Record<string, string>>, RegExp])[] = [
  [{ UCCTL_READ_ONLY: 'true' }, changes],
  [{ UCCTL_QUIET_HOURS: '00:00-24:00' }, reaches],
  [{ UCCTL_MAX_PER_HOUR: '0' }, reaches],
  [{ UCCTL_ALLOW_PREFIXES: '+999' }, rings],
  [{ UCCTL_FORBID_PREFIXES: '+1' }, rings],
];

/** What these change is kept on this machine, or is the session; or they read, as their case has it (test/commands/policy has the others of `api`). */
const harmless = new Set(['sync erase', 'api', 'login', 'logout']);
/** Drives a sandbox, which is no service. */
const apart = new Set(['sandbox']);

const nouns = await Promise.all(registry.map(async ({ name, load }) => [name, await load()] as const));

describe('property: no command of the registry gets past the policy', () => {
  it.each(nouns.filter(([name]) => !apart.has(name)))('%s', async (name, noun) => {
    await using desk = await openDesk(allCases[name]?.desk);
    const leaks: string[] = [];
    const allowed: string[] = [];
    for (const spec of noun.commands) {
      const command = spec.path.join(' ');
      const situations = allCases[name]?.commands[command];
      if (!situations) throw new Error(`${command} has no case`);
      for (const [env, forbidden] of policies) {
        const { exit, stderr, writes } = await underPolicy(desk, spec, situations, env);
        const out = writes.filter((line) => forbidden.test(line));
        leaks.push(...out.map((line) => `${command} under ${JSON.stringify(env)}: ${line}`));
        const isRefused = exit === 9 && stderr.includes('the policy of this profile forbids it');
        const mustBe = spec.mutates && env['UCCTL_READ_ONLY'] && !harmless.has(command);
        if (mustBe && !isRefused) allowed.push(`${command}: ${exit}`);
      }
    }
    expect({ leaks, allowed }).toEqual({ leaks: [], allowed: [] });
  });
});

async function underPolicy(
  desk: Desk,
  spec: AnyCommandSpec,
  { success }: Situations,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly exit: number; readonly stderr: string; readonly writes: readonly string[] }> {
  const words = await wordsOf(success, desk);
  desk.writes();
  // What listens or watches would go on: it ends when it would wait for the first time.
  const stop = new AbortController();
  const waiting = success.how && {
    signal: stop.signal,
    sleep: async (_milliseconds: number, signal: AbortSignal): Promise<void> => {
      stop.abort(new Error('enough'));
      signal.throwIfAborted();
    },
  };
  const { exit, stderr } = await desk.run([...spec.path, ...words], {
    ...optionsOf(success, false),
    ...waiting,
    env: { ...success.env, ...env },
  });
  return { exit, stderr, writes: desk.writes() };
}
