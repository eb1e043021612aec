import type { Outcome } from './report.ts';
import type { Note } from './results.ts';

/** Measures and prints nothing; `note` keeps what is no goal by itself. */
export type Benchmark = (note: (note: Note) => void) => Promise<readonly Outcome[]>;

export interface Entry {
  readonly load: () => Promise<Benchmark>;
  /** Programs without which it measures nothing. */
  readonly needs?: readonly string[];
  /** Programs that it compares with where they are there. */
  readonly peers?: readonly string[];
  /** What our figures are held against: a limit, which nothing can beat here, or a peer, which a user would take instead. */
  readonly against: string;
  /** How the figures come about. */
  readonly how: string;
  /** Only when it is named. */
  readonly byName?: boolean;
}

export const catalogue: Readonly<Record<string, Entry>> = {
  startup: {
    load: () => import('./startup.ts').then((module) => module.startup),
    against: 'limit: `node -e 0`; peers: the commands of UCCTL_BENCH_PEER',
    how: 'Processor time (user and system, children included) of whole commands, ours and the other in turn, 15 rounds after one warm-up each, `NODE_EXTRA_CA_CERTS` unset. What the keychain adds is wall time, with and without UCCTL_TOKEN, pair by pair.',
  },
  sandbox: {
    load: () => import('./sandbox.ts').then((module) => module.sandbox),
    against: 'limit: a bare `node:http` server that answers the same bytes',
    how: 'Requests of 64 kept-alive connections from a load generator of its own, 5 rounds of 2 s, ours and the bare server in turn. Notifications: 10,000 subscriptions told of one change.',
  },
  client: {
    load: () => import('./client.ts').then((module) => module.client),
    needs: ['curl'],
    against: 'peer: `curl --parallel-max 16`, in order for the pages',
    how: 'The library in a process of its own against a server that answers after 20 ms; 3 pairs after one warm-up each.',
  },
  queue: {
    load: () => import('./queue.ts').then((module) => module.queue),
    against: 'absolute',
    how: '10,000 assignments over 200 queues of the fixture `enterprise` (10,000 extensions), limiter off, by the whole program, start-up included.',
  },
  sync: {
    load: () => import('./sync.ts').then((module) => module.sync),
    against:
      'limits: `JSON.parse` of the whole; SQLite alone with the same tables, indexes and full text, from records parsed beforehand',
    how: 'One unpaged reply of 1,000,000 records from a server of its own, copied by the whole program, start-up included; 200 searches in the copy.',
  },
  download: {
    load: () => import('./download.ts').then((module) => module.download),
    needs: ['curl'],
    peers: ['aria2c'],
    against: 'peers: curl, `aria2c -x8`; limit: what a throttled server gives to 8 connections',
    how: 'Whole programs in turn against a server of ranges, page cache warm, 3 rounds.',
  },
  calllog: {
    load: () => import('./calllog.ts').then((module) => module.calllog),
    against: 'the same with 200,000 records',
    how: 'Peak memory of the whole program as the kernel counted it.',
  },
  listener: {
    load: () => import('./listener.ts').then((module) => module.listener),
    against: 'limit: a bare `node:http` server that answers 200 and keeps nothing',
    how: 'Notifications of 1,489 bytes over 32 kept-alive connections, each on disk before its 200; ours and the bare server in turn.',
  },
  scale: {
    load: () => import('./scale.ts').then((module) => module.scaling),
    against: 'linear growth',
    how: 'Whole programs at 1, 10 and 100 times the work, 3 rounds in turn after one run that does not count; the exponent of the last tenfold step. A plan is held in memory as a whole, the others must stay flat.',
    byName: true,
  },
  profile: {
    load: () => import('./profile.ts').then((module) => module.profile),
    against: 'nothing: it has no goals',
    how: "Node's sampling profiler on `--help`, `queue list` and `sms send`; medians of 9 runs with compiled code kept.",
    byName: true,
  },
  day: {
    load: () => import('./day.ts').then((module) => module.day),
    against: 'nothing refused, nothing lost, memory flat',
    how: 'The `call-center` sandbox under the limits of the service for ten minutes: 2,000 assignments applied, three scripts paging the log, 200 mailboxes mirrored, 50 events a second received, all by one user. Refusals as the sandbox counts them, events by their uuids in its outbox and in the inbox, memory once a second.',
    byName: true,
  },
};
