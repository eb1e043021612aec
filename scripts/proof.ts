import process, { argv, stderr, stdout } from 'node:process';
import type { Result, Size } from './proofs/result.ts';
import { told } from './proofs/told.ts';

/** What the project promises, put to the test at full size: `npm run proof -- NAME [--reduced]`. */
const proofs: Readonly<Record<string, () => Promise<{ run(size: Size): Promise<readonly Result[]> }>>> = {
  'sandbox-kill': async () =>
    told('no acknowledged write is lost', (await import('./proofs/sandbox-kill.ts')).proveSandboxKill),
  'scripted-week': async () =>
    told('one seed, one end', (await import('./proofs/scripted-week.ts')).proveScriptedWeek),
  'bulk-kill': () => import('./proofs/bulk-kill.ts'),
  refresh: async () =>
    told('one renewal for all processes', (await import('./proofs/refresh.ts')).proveRefresh),
  keychain: async () =>
    told('every keychain environment has its words', (await import('./proofs/keychain.ts')).proveKeychain),
  redirects: () => import('./proofs/redirects.ts'),
  'sms-faults': () => import('./proofs/sms-faults.ts'),
  'login-browser': async () =>
    told('sign-in survives a real browser', (await import('./proofs/login-browser.ts')).proveLoginBrowser),
};

const [name = ''] = argv.slice(2).filter((word) => !word.startsWith('--'));
const load = Object.hasOwn(proofs, name) ? proofs[name] : undefined;
if (!load) {
  stderr.write(`usage: npm run proof -- NAME [--reduced]\nthere are: ${Object.keys(proofs).join(', ')}\n`);
  process.exitCode = 2;
} else {
  const { run } = await load();
  const results = await run(argv.includes('--reduced') ? 'reduced' : 'full');
  for (const { promise, figure, holds } of results) {
    stdout.write(`${holds ? 'holds' : 'FAILS'}  ${promise}: ${figure}\n`);
  }
  if (!results.every(({ holds }) => holds)) process.exitCode = 1;
}
