import type { NestedRun } from '../runtime/streams.ts';
import type { Settings } from '../runtime/settings.ts';
import type { System } from '../runtime/system.ts';

/**
 * Returns the system of a command line that another one runs. With streams of its own, it belongs to a process that runs
 * for a long time, such as `console`: it keeps the profile of this process, even if the user selects another one meanwhile.
 */
export function nestedSystem(
  system: System,
  profile: Settings['profile'] | undefined,
  { resultsToStderr = false, streams, baseTime }: NestedRun,
): System {
  if (resultsToStderr) return withReplaced(system, { stdout: system.stderr });
  if (!streams) return system;
  const isSelected = profile?.origin === 'profile';
  const env = isSelected ? { ...system.env, UCCTL_PROFILE: profile.value } : system.env;
  return withReplaced(system, {
    ...streams,
    env,
    withDefaultSignals: undefined,
    closesNetwork: true,
    ...(baseTime !== undefined && { baseTime }),
  });
}

/**
 * Returns the system with other members. The remaining members are inherited, not copied, because reading them can fail or
 * open streams.
 */
function withReplaced(system: System, replaced: Partial<System>): System {
  const members = Object.entries(replaced).map(([name, value]) => [name, { value }]);
  return Object.create(system, Object.fromEntries(members) as PropertyDescriptorMap) as System;
}
