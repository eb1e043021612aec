import process, { argv, stderr, stdout } from 'node:process';
import type { Result, Size } from './proofs/result.ts';
import { printingProof } from './proofs/printing-proof.ts';

/** The proofs by name, each run at full size: `npm run proof -- NAME [--reduced]`. */
const proofs: Readonly<Record<string, () => Promise<{ run(size: Size): Promise<readonly Result[]> }>>> = {
  'sandbox-kill': async () =>
    printingProof(
      'no acknowledged write is lost',
      (await import('./proofs/sandbox-kill.ts')).proveSandboxKill,
    ),
  'scripted-week': async () =>
    printingProof(
      'the same seed always leads to the same end state',
      (await import('./proofs/scripted-week.ts')).proveScriptedWeek,
    ),
  'fleet-kill': () => import('./proofs/fleet-kill.ts'),
  'engine-kill': () => import('./proofs/engine-kill.ts'),
  'fleet-scale': () => import('./proofs/fleet-scale.ts'),
  partition: () => import('./proofs/partition.ts'),
  'receivers-kill': () => import('./proofs/receivers-kill.ts'),
  consumers: () => import('./proofs/consumers.ts'),
  'store-kill': () => import('./proofs/store-kill.ts'),
  s3: () => import('./proofs/s3.ts'),
  'sync-kill': () => import('./proofs/sync-kill.ts'),
  'calls-kill': () => import('./proofs/calls-kill.ts'),
  'sync-steps': () => import('./proofs/sync-steps.ts'),
  export: () => import('./proofs/export.ts'),
  estimate: () => import('./proofs/estimate.ts'),
  company: () => import('./proofs/company.ts'),
  'bulk-kill': () => import('./proofs/bulk-kill.ts'),
  refresh: () => import('./proofs/refresh.ts'),
  keychain: () => import('./proofs/keychain.ts'),
  redirects: () => import('./proofs/redirects.ts'),
  canaries: () => import('./proofs/canaries.ts'),
  'next-steps': () => import('./proofs/next-steps.ts'),
  'text-list': () => import('./proofs/text-list.ts'),
  'sms-faults': () => import('./proofs/sms-faults.ts'),
  foreign: () => import('./proofs/foreign.ts'),
  wire: () => import('./proofs/wire.ts'),
  'login-browser': () => import('./proofs/login-browser.ts'),
  'listener-slow': () => import('./proofs/listener-slow.ts'),
  'socket-kill': () => import('./proofs/socket-kill.ts'),
  mcp: () => import('./proofs/mcp.ts'),
  'listener-kill': () => import('./proofs/listener-kill.ts'),
  release: async () => {
    const { run } = await import('./proofs/release.ts');
    return { run: () => Promise.resolve(run()) };
  },
  'session-fleet': () => import('./proofs/session-fleet.ts'),
};

const name = argv.slice(2).find((word) => !word.startsWith('--')) ?? '';
const load = Object.hasOwn(proofs, name) ? proofs[name] : undefined;
if (!load) {
  stderr.write(`usage: npm run proof -- NAME [--reduced]\nproofs: ${Object.keys(proofs).join(', ')}\n`);
  process.exitCode = 2;
} else {
  const proof = await load();
  const results = await proof.run(argv.includes('--reduced') ? 'reduced' : 'full');
  for (const { promise, figure, holds } of results) {
    stdout.write(`${holds ? 'holds' : 'FAILS'}  ${promise}: ${figure}\n`);
  }
  if (!results.every(({ holds }) => holds)) process.exitCode = 1;
}
