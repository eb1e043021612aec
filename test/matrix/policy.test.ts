import { describe, expect, it } from 'vitest';
import { registry } from '../../src/cli/registry.ts';
import type { AnyCommandSpec } from '../../src/runtime/define.ts';
import { onlyReads } from '../../src/platform/reading-paths.ts';
import { allCases } from './all-cases.ts';
import type { Situations } from './cases.ts';
import { openDesk, type Desk } from './desk.ts';
import { optionsOf, wordsOf } from './shoot.ts';

/** What a request does, for policies that restrict it; signing in and out changes no data of the service. */
const changes = /^\w+ (?!\/restapi\/oauth\/)/;
const reaches = /^POST .*\/(sms|fax|ringout|company-pager)$/;
const rings = /^POST .*\/(sms|fax|ringout)$/;

type Policy = readonly [Readonly<Record<string, string>>, RegExp];

/** Policies, and the requests that each of them must block. */
const readOnly: Policy = [{ UCCTL_READ_ONLY: 'true' }, changes];
/** It can block only commands that make changes, so it is tried with the commands that `readOnly` blocks. */
const quietHours: Policy = [{ UCCTL_QUIET_HOURS: '00:00-24:00' }, reaches];

/** Policies for some of the requests that quiet hours block. They are tried with commands that quiet hours block. */
const further: readonly Policy[] = [
  [{ UCCTL_MAX_PER_HOUR: '0' }, reaches],
  [{ UCCTL_ALLOW_PREFIXES: '+999' }, rings],
  [{ UCCTL_FORBID_PREFIXES: '+1' }, rings],
];

/**
 * Commands that change only local data or the session; or whose case only reads (test/commands/policy tests the other
 * forms of `api`).
 */
const harmless = new Set(['sync erase', 'store expire', 'store trim', 'api', 'login', 'logout']);
/**
 * `sandbox` controls a sandbox, which is not a service. `console` serves a page until it is stopped, and the page runs
 * the commands that are tried here.
 */
const apart = new Set(['sandbox', 'console']);

/** Commands that quiet hours block. */
const reaching = new Set<string>();

const nouns = await Promise.all(registry.map(async ({ name, load }) => [name, await load()] as const));

describe('property: no command of the registry bypasses the policy', () => {
  it.each(nouns.filter(([name]) => !apart.has(name)))('%s', async (name, noun) => {
    await using desk = await openDesk(allCases[name]?.desk);
    const leaks: string[] = [];
    const allowed: string[] = [];
    for (const spec of noun.commands) {
      const command = spec.path.join(' ');
      const situations = allCases[name]?.commands[command];
      if (!situations) throw new Error(`${command} has no case`);
      const tryUnder = async ([env, forbidden]: Policy): Promise<boolean> => {
        const { exit, stderr, writes } = await underPolicy(desk, spec, situations, env);
        const out = writes.filter((line) => forbidden.test(line) && !isRead(line));
        leaks.push(...out.map((line) => `${command} under ${JSON.stringify(env)}: ${line}`));
        const isBlocked = stderr.includes('blocked by the policy of this profile');
        const mustBe = spec.mutates && env['UCCTL_READ_ONLY'] && !harmless.has(command);
        if (mustBe && !(isBlocked && exit === 9)) allowed.push(`${command}: ${exit}`);
        return isBlocked;
      };
      const isReaching = (await tryUnder(readOnly)) && (await tryUnder(quietHours));
      if (isReaching) reaching.add(command);
      for (const policy of isReaching ? further : []) await tryUnder(policy);
    }
    expect({ leaks, allowed }).toEqual({ leaks: [], allowed: [] });
  });

  it('tries every policy with the commands that send texts, faxes and pages or place calls', () => {
    const commands = ['fax resend', 'fax send', 'pager reply', 'pager send', 'ringout start', 'sms send'];
    expect([...reaching]).toEqual(expect.arrayContaining(commands));
  });
});

/** Whether a line `METHOD path` is a search, which only reads although its method is POST. */
function isRead(line: string): boolean {
  const [method = '', path = ''] = line.split(' ');
  return onlyReads({ method, path });
}

async function underPolicy(
  desk: Desk,
  spec: AnyCommandSpec,
  { success }: Situations,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly exit: number; readonly stderr: string; readonly writes: readonly string[] }> {
  const words = await wordsOf(success, desk);
  desk.writes();
  // A command that listens or watches would run on: it ends when it would wait for the first time.
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
