import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sourceFiles } from './import-cycles.ts';
import { liveSessionsOf } from './live-sessions.ts';

it('openLiveSession is the only composition of receiver, subscription and renewal', () => {
  const found = sourceFiles('src').map(
    (file) => [file, liveSessionsOf(file, readFileSync(file, 'utf8'))] as const,
  );
  const composing = found.filter(([, { composes }]) => composes).map(([file]) => file);
  expect(composing).toEqual(['src/features/live/session.ts']);
  expect(found.filter(([, { opens }]) => opens).length).toBeGreaterThanOrEqual(3);
});

it.each([
  ['const acquired = acquireReceiver(inbox, name);', true, false],
  [
    'const lifecycle = transport.subscriptionFor?.(settings) ?? new SubscriptionLifecycle(settings);',
    true,
    false,
  ],
  ['lifecycle.startRenewal();', true, false],
  ['const session = await openLiveSession(ctx, plan);', false, true],
  ['class Session { startRenewal(): void {} }', false, false],
])('understands: %s', (source, composes, opens) => {
  expect(liveSessionsOf('src/x.ts', source)).toEqual({ composes, opens });
});
