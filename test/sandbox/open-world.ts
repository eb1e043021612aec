import { createApp } from '../../src/sandbox/server/app.ts';
import { smallOffice } from '../../src/sandbox/fixtures/small-office.ts';
import { defaultSettings, type SandboxSettings } from '../../src/sandbox/world/settings.ts';
import type { ExtensionRow } from '../../src/sandbox/directory/extension-store.ts';
import { timerHandlers } from '../../src/sandbox/world/timers.ts';
import { World } from '../../src/sandbox/world/world.ts';

/** The state of a sandbox without what is around it, for what no request can bring about. */
export function openWorld(settings: Partial<SandboxSettings> = {}, validateReplies = true) {
  const failures: unknown[] = [];
  const world = new World({
    database: ':memory:',
    seed: 42,
    clock: 'frozen',
    startTime: Date.UTC(2026, 0, 5, 9),
    settings: { ...defaultSettings, ...settings },
    timers: timerHandlers,
    onFailure: (error) => failures.push(error),
  });
  world.inTransaction(() => smallOffice(world, []));
  const answer = createApp(world, validateReplies);
  return {
    world,
    /** The errors reported to its listener. */
    failures,
    extension: (number: string): ExtensionRow => {
      const found = world.extensions.byNumber(world.accounts.first().id, number);
      if (!found) throw new Error(`the fixture has no extension ${number}`);
      return found;
    },
    /** A request with a token of this extension. */
    get: (number: string, path: string, headers: Record<string, string> = {}) => {
      const token = tokenOf(world, Number(number));
      const url = path.startsWith('http') ? path : `${world.baseUrl}/restapi/v1.0${path}`;
      return answer(new Request(url, { headers: { authorization: `Bearer ${token}`, ...headers } }));
    },
    [Symbol.dispose]: () => world.close(),
  };
}

function tokenOf(world: World, number: number): string {
  return world.inTransaction(() => {
    const now = world.clock.now();
    const session = world.sessions.open({
      clientId: 'sandbox-desk',
      extensionId: 171_857_000 + number,
      endpointId: null,
      createdAt: now,
    });
    const token = world.random.token();
    world.sessions.addToken(token, 'access', session, now + 3_600_000);
    return token;
  });
}
