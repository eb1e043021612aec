import { argv } from 'node:process';

/** A proof tries to break a promise many times; it throws when it could. `full` is the promised number, `reduced` fits into the tests. */
interface Proof {
  run(scale: 'full' | 'reduced'): Promise<string>;
}

const proofs: Readonly<Record<string, () => Promise<Proof>>> = {
  'bulk-kill': () => import('./proofs/bulk-kill.ts'),
};

const names = argv.slice(2).filter((word) => word !== '--reduced');
const scale = argv.includes('--reduced') ? 'reduced' : 'full';
for (const name of names.length > 0 ? names : Object.keys(proofs)) {
  const load = proofs[name];
  if (!load) {
    process.stderr.write(
      `proof: there is no proof "${name}"; there are: ${Object.keys(proofs).join(', ')}\n`,
    );
    process.exitCode = 2;
    continue;
  }
  process.stdout.write(`${name}: ${await (await load()).run(scale)}\n`);
}
