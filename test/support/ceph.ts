import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { env } from 'node:process';
import { promisify } from 'node:util';
import { AwsClient } from 'aws4fetch';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { unlessRequired } from './required.ts';

const execute = promisify(execFile);
/** The programs of the Debian packages ceph-common, ceph-mon, ceph-osd and radosgw. */
const programs = ['ceph', 'ceph-authtool', 'monmaptool', 'ceph-mon', 'ceph-osd', 'radosgw', 'radosgw-admin'];

/** Why no object gateway of Ceph can be started here; undefined when it can. */
export function cephMissing(): string | undefined {
  const folders = (env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const absent = programs.filter((name) => !folders.some((folder) => existsSync(join(folder, name))));
  return unlessRequired('ceph', absent.length === 0 ? undefined : `not installed: ${absent.join(', ')}`);
}

/** A key of the object gateway. */
export interface CephKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** A Ceph cluster of one monitor and one store in memory, with an object gateway that speaks S3. */
export interface Ceph {
  /** `http://127.0.0.1:PORT` */
  readonly endpoint: string;
  /** A key that may do everything with its own buckets. */
  readonly owner: CephKey;
  /** A key without permissions, of the user `other`. */
  readonly other: CephKey;
  /** Creates a bucket of the owner. */
  createBucket(name: string): Promise<void>;
  /**
   * Lets the other user use only these actions, such as `s3:PutObject`, on the objects of a bucket. Denied actions are
   * also rejected for the objects that this user has stored.
   */
  permit(bucket: string, actions: readonly string[], denied?: readonly string[]): Promise<void>;
  /** Returns the keys of the objects in a bucket. */
  keysIn(bucket: string): Promise<readonly string[]>;
  stop(): Promise<void>;
}

/** Starts a cluster that listens only on this machine. It takes about 10 s. */
export async function startCeph(): Promise<Ceph> {
  const cluster = new Cluster(mkdtempSync(join(tmpdir(), 'ceph-of-ucctl-')), {
    monitor: await freePort(),
    gateway: await freePort(),
  });
  try {
    await cluster.start();
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  return cluster;
}

class Cluster implements Ceph {
  readonly endpoint: string;
  readonly owner = { accessKeyId: 'OWNERKEY', secretAccessKey: 'not-a-secret-of-the-owner' };
  readonly other = { accessKeyId: 'OTHERKEY', secretAccessKey: 'not-a-secret-of-the-other-user' };
  readonly #folder: string;
  readonly #monitor: number;
  readonly #children: ChildProcess[] = [];
  readonly #client: AwsClient;

  constructor(folder: string, ports: { readonly monitor: number; readonly gateway: number }) {
    this.#folder = folder;
    this.#monitor = ports.monitor;
    this.endpoint = `http://127.0.0.1:${ports.gateway}`;
    this.#client = new AwsClient({ ...this.owner, service: 's3', region: 'us-east-1' });
    this.#configure(ports.gateway);
  }

  async start(): Promise<void> {
    const id = randomUUID();
    appendFileSync(this.#file('ceph.conf'), `[global]\nfsid = ${id}\n`);
    await this.#startMonitor(id);
    await this.#run('ceph', 'auth', 'import', '-i', this.#file('keyring'));
    await this.#run('ceph', 'osd', 'create');
    await this.#run('ceph-osd', '-i', '0', '--mkfs');
    this.#startProgram('ceph-osd', '-f', '-i', '0');
    await this.#run('ceph', 'osd', 'crush', 'add', 'osd.0', '1', 'root=default', 'host=local');
    this.#startProgram('radosgw', '-f', '-n', 'client.gateway');
    await eventually(() => fetch(this.endpoint));
    await this.#createUser('owner', this.owner);
    await this.#createUser('other', this.other);
  }

  async createBucket(name: string): Promise<void> {
    await this.#request('PUT', `/${name}`);
  }

  async permit(bucket: string, actions: readonly string[], denied: readonly string[] = []): Promise<void> {
    const statementOf = (effect: string, action: readonly string[]): object => ({
      Effect: effect,
      Principal: { AWS: ['arn:aws:iam:::user/other'] },
      Action: action,
      Resource: [`arn:aws:s3:::${bucket}/*`],
    });
    const statements = [
      statementOf('Allow', actions),
      ...(denied.length > 0 ? [statementOf('Deny', denied)] : []),
    ];
    await this.#request('PUT', `/${bucket}?policy`, { Version: '2012-10-17', Statement: statements });
  }

  async keysIn(bucket: string): Promise<readonly string[]> {
    const text = await this.#request('GET', `/${bucket}?list-type=2`);
    return [...text.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => key);
  }

  async stop(): Promise<void> {
    for (const child of this.#children.toReversed()) {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null)
        await new Promise((resolve) => child.once('close', resolve));
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #file(name: string): string {
    return join(this.#folder, name);
  }

  #configure(gatewayPort: number): void {
    for (const name of ['mon', 'osd', 'run', 'log']) mkdirSync(this.#file(name));
    const settings = {
      'mon host': `[v2:127.0.0.1:${this.#monitor}]`,
      'public addr': '127.0.0.1',
      'cluster addr': '127.0.0.1',
      'auth allow insecure global id reclaim': 'false',
      keyring: this.#file('keyring'),
      'run dir': this.#file('run'),
      'admin socket': this.#file('run/$name.asok'),
      'log file': this.#file('log/$name.log'),
      'mon data': this.#file('mon'),
      'osd data': this.#file('osd'),
      'osd objectstore': 'memstore',
      'osd pool default size': '1',
      'osd pool default min size': '1',
      'osd pool default pg num': '8',
      'osd crush chooseleaf type': '0',
      'mon max pg per osd': '1000',
      // The free space of the disk does not matter for a store in memory.
      'mon data avail crit': '1',
      'ms bind ipv6': 'false',
      'rgw frontends': `beast endpoint=127.0.0.1:${gatewayPort}`,
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
    writeFileSync(this.#file('ceph.conf'), `[global]\n${lines.join('')}`);
  }

  async #startMonitor(id: string): Promise<void> {
    const keyring = this.#file('keyring');
    const all = ['--cap', 'mon', 'allow *', '--cap', 'osd', 'allow *'];
    const users: readonly (readonly string[])[] = [
      ['mon.', '--cap', 'mon', 'allow *'],
      ['client.admin', ...all],
      ['client.gateway', ...all],
      ['osd.0', '--cap', 'mon', 'allow profile osd', '--cap', 'osd', 'allow *'],
    ];
    await this.#run('ceph-authtool', '--create-keyring', keyring);
    for (const [name = '', ...permissions] of users)
      await this.#run('ceph-authtool', keyring, '--gen-key', '-n', name, ...permissions);
    const map = this.#file('monmap');
    const address = `[v2:127.0.0.1:${this.#monitor}]`;
    await this.#run('monmaptool', '--create', '--fsid', id, '--addv', 'a', address, map);
    await this.#run('ceph-mon', '--mkfs', '-i', 'a', '--monmap', map, '--keyring', keyring);
    this.#startProgram('ceph-mon', '-f', '-i', 'a');
  }

  async #createUser(name: string, { accessKeyId, secretAccessKey }: CephKey): Promise<void> {
    const key = [`--access-key=${accessKeyId}`, `--secret-key=${secretAccessKey}`];
    await this.#run('radosgw-admin', 'user', 'create', `--uid=${name}`, `--display-name=${name}`, ...key);
  }

  async #run(program: string, ...words: readonly string[]): Promise<void> {
    await execute(program, words, { env: this.#env(), timeout: 60_000 });
  }

  #startProgram(program: string, ...words: readonly string[]): void {
    this.#children.push(spawn(program, words, { env: this.#env(), stdio: 'ignore' }));
  }

  #env(): NodeJS.ProcessEnv {
    return { PATH: env['PATH'], CEPH_CONF: this.#file('ceph.conf') };
  }

  async #request(method: string, path: string, body?: object): Promise<string> {
    const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
    const reply = await this.#client.fetch(`${this.endpoint}${path}`, init);
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path}: HTTP ${reply.status} ${text}`);
    return text;
  }
}
