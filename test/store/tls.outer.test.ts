import { chownSync, copyFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectStore, initializeStore } from '../../src/store/index.ts';
import { makeCertificate, type Certificate } from '../support/certificate.ts';
import { postgresMissing } from '../support/postgres.ts';
import { startPostgres } from '../support/postgres-cluster.ts';
import { runUcctl } from '../support/run-ucctl.ts';
import { temporaryFolder } from '../support/temporary.ts';

const missing =
  postgresMissing() ??
  (process.env['UCCTL_TEST_POSTGRES'] ? 'the server of UCCTL_TEST_POSTGRES gets no certificate' : undefined);

/** A certificate for this machine, and its file. */
async function certificateInFile(): Promise<Certificate & { readonly file: string }> {
  const certificate = await makeCertificate('localhost');
  const file = join(temporaryFolder(), 'server.crt');
  writeFileSync(file, certificate.cert);
  return { ...certificate, file };
}

/** An initialized store on a server that has the certificate. @returns its port. */
async function serverWith({ key, cert }: Certificate): Promise<number> {
  const cluster = await startPostgres();
  onTestFinished(() => cluster.stop());
  const { uid, gid } = statSync(cluster.data);
  for (const [name, text] of [
    ['server.key', key],
    ['server.crt', cert],
  ] as const) {
    const target = join(cluster.data, name);
    writeFileSync(target, text, { mode: 0o600 });
    chownSync(target, uid, gid);
  }
  const db = connectStore({ url: `${cluster.url}/postgres`, source: 'the test', env: {} });
  await initializeStore(db, {});
  await db.script('alter system set ssl = on');
  await db.script('select pg_reload_conf()');
  await db.close();
  return cluster.port;
}

describe.skipIf(missing)('the connection to a server with TLS', () => {
  it('verifies authority and host name, and says which mode it uses', async () => {
    const certificate = await certificateInFile();
    const other = await certificateInFile();
    const port = await serverWith(certificate);
    const check = async (host: string, mode: string, root?: string): Promise<string> => {
      const file = root === undefined ? '' : `&sslrootcert=${encodeURIComponent(root)}`;
      const url = `postgres://postgres@${host}:${port}/postgres?sslmode=${mode}${file}`;
      const run = (verb: string) => runUcctl(['store', verb, '--store', url, '-o', 'json']);
      const { exit, stderr } = await run('status');
      if (exit !== 0) return `${exit} ${/store_\w+/.exec(stderr)?.[0] ?? stderr}`;
      const { stdout } = await run('check');
      return /TLS \([\w-]+\)|without TLS/.exec(stdout)?.[0] ?? stdout;
    };
    expect(await check('localhost', 'verify-full', certificate.file)).toBe('TLS (verify-full)');
    expect(await check('localhost', 'require', certificate.file)).toBe('TLS (verify-full)');
    expect(await check('127.0.0.1', 'verify-ca', certificate.file)).toBe('TLS (verify-ca)');
    expect(await check('127.0.0.1', 'disable')).toBe('without TLS');
    const rejected = '12 store_tls';
    expect(await check('localhost', 'verify-full')).toBe(rejected);
    expect(await check('localhost', 'require')).toBe(rejected);
    expect(await check('127.0.0.1', 'verify-full', certificate.file)).toBe(rejected);
    expect(await check('127.0.0.1', 'verify-ca', other.file)).toBe(rejected);
  });

  it('trusts a new authority when its file was replaced', async () => {
    const certificate = await certificateInFile();
    const root = join(temporaryFolder(), 'root.crt');
    copyFileSync((await certificateInFile()).file, root);
    const url = `postgres://postgres@localhost:${await serverWith(certificate)}/postgres?sslmode=verify-full`;
    const env = { PGSSLROOTCERT: root };
    const db = connectStore({ url, source: 'the test', env });
    onTestFinished(() => db.close());
    await expect(db.query('select 1')).rejects.toMatchObject({ code: 'store_tls' });
    copyFileSync(certificate.file, root);
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
    rmSync(root);
    await db.query('select pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
  });
});
