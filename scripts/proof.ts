// Proofs at full size, by name: npm run proof -- refresh. The suite runs the same at a reduced size. A proof prints what it found and
// throws when it does not hold.

/** Prints as it goes. */
export type Proof = (say: (line: string) => void) => Promise<void>;

const proofs: Readonly<Record<string, () => Promise<Proof>>> = {
  refresh: () => import('./proofs/refresh.ts').then((module) => module.proveRefresh),
  keychain: () => import('./proofs/keychain.ts').then((module) => module.proveKeychain),
  'login-browser': () => import('./proofs/login-browser.ts').then((module) => module.proveLoginBrowser),
};

const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in proofs));
if (names.length === 0 || unknown.length > 0) {
  process.stderr.write(`proof: give the names of proofs; there are: ${Object.keys(proofs).join(', ')}\n`);
  process.exitCode = 2;
} else {
  for (const name of names) {
    const prove = await proofs[name]?.();
    process.stdout.write(`${name}\n`);
    await prove?.((line) => process.stdout.write(`  ${line}\n`));
    process.stdout.write('  holds\n');
  }
}
