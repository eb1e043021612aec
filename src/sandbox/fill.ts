import { ControlError } from './control/control-error.ts';
import { fixtures, type FixtureName } from './fixtures/fixtures.ts';
import type { AppStore } from './store/apps.ts';
import type { World } from './world.ts';

/** Redirect addresses of every app, so that several sign-ins can listen side by side. */
export const defaultRedirectUris: readonly string[] = [
  'http://127.0.0.1:8734/callback',
  'http://localhost:8734/callback',
  'http://[::1]:8734/callback',
  ...Array.from({ length: 10 }, (_, index) => `http://127.0.0.1:${8735 + index}/callback`),
];

/** Whether nothing has filled the world yet. */
export function isEmpty(world: World): boolean {
  return world.meta.get('fixture') === undefined;
}

/** A new database gets the fixture; an existing one only the redirect addresses of this start. */
export function fill(world: World, redirectUris: readonly string[], fixture = 'small-office'): void {
  const write = Object.hasOwn(fixtures, fixture) ? fixtures[fixture as FixtureName] : undefined;
  if (!write) throw new ControlError(400, 'unknown_fixture', `there is no fixture ${fixture}`);
  if (isEmpty(world)) {
    write(world, redirectUris);
    world.meta.set('fixture', fixture);
    return;
  }
  addRedirectUris(world.apps, redirectUris);
}

function addRedirectUris(apps: AppStore, redirectUris: readonly string[]): void {
  for (const app of apps.all()) {
    apps.save({ ...app, redirectUris: [...new Set([...app.redirectUris, ...redirectUris])] });
  }
}
