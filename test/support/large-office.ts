import { smallOffice } from '../../src/sandbox/fixtures/small-office.ts';
import { defaultRedirectUris } from '../../src/sandbox/index.ts';
import { defaultSettings } from '../../src/sandbox/world/settings.ts';
import { timerHandlers } from '../../src/sandbox/world/timers.ts';
import { World } from '../../src/sandbox/world/world.ts';

export interface LargeOffice {
  readonly agents: readonly { readonly id: number; readonly number: string }[];
  readonly queues: readonly { readonly id: number; readonly number: string }[];
}

const firstAgent = 300_000_000;
const firstQueue = 400_000_000;

/** A database of the small office with many more people and queues; `startSandbox({ database: file })` opens it. */
export function fillLargeOffice(
  file: string,
  size: {
    readonly agents: number;
    readonly queues: number;
    /** Initial members of queue `index`, by index of the agent. */
    readonly members?: (queue: number) => readonly number[];
  },
): LargeOffice {
  const world = new World({
    database: file,
    seed: 42,
    clock: 'real',
    startTime: 0,
    settings: defaultSettings,
    timers: timerHandlers,
  });
  const agents = Array.from({ length: size.agents }, (_, index) => ({
    id: firstAgent + index,
    number: String(10_000 + index),
  }));
  const queues = Array.from({ length: size.queues }, (_, index) => ({
    id: firstQueue + index,
    number: String(50_000 + index),
  }));
  world.inTransaction(() => {
    smallOffice(world, defaultRedirectUris);
    world.meta.set('fixture', 'small-office');
    const accountId = world.extensions.byEmail('avery.quinn@example.com')?.accountId ?? 0;
    const add = (row: { id: number; number: string }, name: string, type: string): void =>
      world.extensions.add({
        id: row.id,
        accountId,
        extensionNumber: row.number,
        name,
        firstName: name,
        lastName: null,
        email: null,
        type,
        status: 'Enabled',
        statusReason: null,
        statusComment: null,
        role: 'agent',
        password: null,
        admin: 0,
        internationalCalling: 0,
      });
    for (const agent of agents) add(agent, `Agent ${agent.number}`, 'User');
    for (const [index, queue] of queues.entries()) {
      add(queue, `Queue ${queue.number}`, 'Department');
      for (const at of size.members?.(index) ?? []) {
        const agent = agents[at];
        if (agent) world.departments.add(queue.id, agent.id);
      }
    }
  });
  world.close();
  return { agents, queues };
}
