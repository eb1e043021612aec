import { expect, it } from 'vitest';
import { run } from '../../scripts/proofs/socket-kill.ts';

it('shows every event once when the listener is killed and its WebSocket is cut under load', async () => {
  const results = await run('reduced');
  // On other systems than Linux the output file cannot be read again, so an event may be shown twice (docs/adr/0019-cursor-file.md).
  const checked = process.platform === 'linux' ? results : results.filter((_, index) => index !== 1);
  expect(checked).toMatchObject(checked.map(() => ({ holds: true })));
  expect(results).toHaveLength(3);
});
