import { setTimeout as pause } from 'node:timers/promises';
import { Dice } from '../../test/support/dice.ts';
import { compareMailboxes } from './fleet-writes.ts';
import { EngineStage, streams } from './engine-stage.ts';
import { processedOf, startProgram } from './processing-program.ts';
import { untilShown, type Result, type Size } from './result.ts';
import { compareKeys, newSent, sendEvent, sendEvents, type Sent } from './sender.ts';

const day = 86_400_000;
const sizes = {
  full: { processes: 2, senders: 4, rest: 5, milliseconds: 60_000, kills: 20, retries: 500, runs: 3 },
  reduced: { processes: 1, senders: 2, rest: 40, milliseconds: 3000, kills: 3, retries: 10, runs: 1 },
} as const;

type Wanted = (typeof sizes)[Size];

/**
 * The servers of the store and of a stream are stopped as crashes do, while receivers, workers and consumers work (npm
 * run proof -- engine-kill). Each acknowledged event must be stored once, processed once by a program with `event_done`,
 * and recognized when it is sent again a day later. In the control, which must fail, a load balancer acknowledges before a
 * receiver has the event.
 */
export async function run(size: Size = 'full'): Promise<readonly Result[]> {
  const wanted = sizes[size === 'full' ? 'full' : 'reduced'];
  const results: Result[] = [];
  for (let left = wanted.runs; left > 0; left -= 1) results.push(...(await campaign(wanted, left === 1)));
  return results;
}

async function campaign(wanted: Wanted, withControl: boolean): Promise<readonly Result[]> {
  const stage = await EngineStage.open();
  try {
    const store = `${stage.parts.server.url}/postgres`;
    // The program must keep up with the senders, which send as fast as the machine allows.
    const program = await startProgram(store, true, 20);
    try {
      const sent = { store: newSent(wanted.rest), stream: newSent(wanted.rest) };
      const figure = await crashes(stage, wanted, program.url, sent);
      const results = [figure, await retries(stage, wanted, sent)];
      if (withControl) results.push(await untilShown(() => acknowledgedFirst(stage, wanted.rest)));
      return results;
    } finally {
      await program.close();
    }
  } finally {
    await stage.close();
  }
}

interface Both {
  readonly store: Sent;
  readonly stream: Sent;
}

/** Crashes of both servers under load, and the comparison afterwards. */
async function crashes(stage: EngineStage, wanted: Wanted, program: string, sent: Both): Promise<Result> {
  const { db, nats, sandbox, balancers } = stage.parts;
  await enroll(stage);
  for (let left = wanted.processes; left > 0; left -= 1) {
    await stage.startReceiver('store');
    await stage.startReceiver('stream');
    stage.keep(['fleet', 'worker', '--lease', '2s', '-o', 'ndjson']);
    stage.keep(consume('proof', '--forward-to', program));
    stage.keep(consume('copies', '--to', `${nats.url}/${streams[1]}`));
  }
  const sending = (['store', 'stream'] as const).flatMap((sink) =>
    Array.from({ length: wanted.senders }, (_, sender) =>
      sendEvents({ address: `${balancers[sink].url}/hook`, token: '', sender }, sent[sink]),
    ),
  );
  const counts = await crashRepeatedly(stage, wanted);
  for (const one of [sent.store, sent.stream]) one.isOver = true;
  await Promise.all(sending);
  await finishAll(stage);
  const stored = await db.query<{ key: string }>('select key from event');
  const keys = stored.map(({ key }) => key);
  const inStore = compareKeys(keys, sent.store.acknowledged);
  const inStream = compareKeys(await stage.streamed('EVENTS'), sent.stream.acknowledged);
  const copied = compareKeys(await stage.streamed('COPIES'), new Set(keys));
  const processed = await processedOf(db, 'proof');
  const mailboxes = await compareMailboxes(db, sandbox);
  const losses = [inStore, inStream, copied, processed, mailboxes];
  const total = (name: 'lost' | 'doubled'): string => losses.map((one) => one[name]).join('+');
  return {
    promise:
      'a crash of the store or the stream loses no acknowledged event, and no event is processed twice by a program with event_done',
    figure:
      `${counts.postgres} crashes of PostgreSQL and ${counts.nats} of NATS in ${Math.round(counts.seconds)} s; acknowledged: ${sent.store.acknowledged.size} events of the store in ${sent.store.attempts} attempts, ` +
      `${sent.stream.acknowledged.size} of the stream in ${sent.stream.attempts}; lost ${total('lost')} and duplicated ${total('doubled')} (store, stream, copies, processed, messages); ` +
      `${processed.disordered} out of order, ${processed.repeated} needed more than one attempt; ${mailboxes.compared} messages equal to the service; ${stage.restarts} processes ended during a crash and were started again`,
    holds:
      losses.every(({ lost, doubled }) => lost + doubled === 0) &&
      processed.disordered === 0 &&
      sent.store.acknowledged.size > 0 &&
      sent.stream.acknowledged.size > 0 &&
      mailboxes.compared > 0,
  };
}

async function enroll(stage: EngineStage): Promise<void> {
  const { db } = stage.parts;
  const { exit, stderr } = await stage.start(['fleet', 'enroll', '--extension', 'all']).ended;
  if (exit !== 0) throw new Error(`the mailboxes were not enrolled: ${stderr}`);
  await db.run('update fleet_task set every_seconds = 1');
}

function consume(name: string, ...target: readonly string[]): readonly string[] {
  const words = ['--from', 'start', '--receiver', 'store', '--lease', '2s', '--attempts', '100'];
  return ['events', 'consume', name, ...words, '-o', 'ndjson', ...target];
}

interface Crashes {
  postgres: number;
  nats: number;
  seconds: number;
}

/** Stops the servers as crashes do, in turn or both, and starts them again, while messages arrive. */
async function crashRepeatedly(stage: EngineStage, { milliseconds, kills }: Wanted): Promise<Crashes> {
  const { server, nats, sandbox } = stage.parts;
  const dice = new Dice(91);
  const counts: Crashes = { postgres: 0, nats: 0, seconds: 0 };
  const startedAt = performance.now();
  for (let turn = 0; turn < kills; turn += 1) {
    await pause((milliseconds / kills) * (0.5 + dice.next() * 0.5));
    for (const to of ['101', '102', '103'])
      await sandbox.control('POST', '/triggers/sms', { to, text: `text ${turn}` });
    const both = turn % 3 === 2;
    const victims = both
      ? (['postgres', 'nats'] as const)
      : ([turn % 3 === 0 ? 'postgres' : 'nats'] as const);
    for (const name of victims) counts[name] += 1;
    await Promise.all(victims.map((name) => (name === 'postgres' ? server : nats).kill()));
    await pause(dice.next() * 600);
    await Promise.all(victims.map((name) => (name === 'postgres' ? server : nats).start()));
  }
  await pause(1000);
  counts.seconds = (performance.now() - startedAt) / 1000;
  return counts;
}

/** Waits until the consumers have finished all events, and the workers have copied all messages. */
async function finishAll(stage: EngineStage): Promise<void> {
  const { db } = stage.parts;
  // Events that failed during a crash would wait for their next attempt.
  await db.run(`update event_delivery set due_at = '-infinity' where state = 'pending'`);
  for (;;) {
    // On a loaded machine, a consumer can be registered after the crashes.
    const [left] = await db.query<{ known: number; open: number; behind: number }>(
      `select (select count(*) from event_consumer where name in ('proof', 'copies')) as known,
        (select count(*) from event_delivery where consumer in ('proof', 'copies')) as open,
        (select count(*) from event, event_consumer as c where (event.tx, event.id) > (c.tx, c.id)) as behind`,
    );
    if (left?.known === 2 && left.open === 0 && left.behind === 0) break;
    stage.requireWorking();
    await pause(100);
  }
  const [now] = await db.query<{ at: Date }>('select store_now() as at');
  for (;;) {
    // A sync that began after all changes has copied them.
    await db.run(
      `update fleet_task set due_at = '-infinity', attempts = 0 where lease_until < store_now() and problem is not null`,
    );
    const [left] = await db.query<{ open: number }>(
      `select count(*) as open from fleet_task where done_at is null or done_at < $1::timestamptz + interval '1 second'`,
      [now?.at ?? null],
    );
    if (left?.open === 0) return;
    stage.requireWorking();
    await pause(100);
  }
}

/** Sends events again a day later by the clock of the store, and after the duplicate window of the streams. */
async function retries(stage: EngineStage, wanted: Wanted, sent: Both): Promise<Result> {
  const { db, client, balancers } = stage.parts;
  const before = await countsOf(stage);
  await db.script(
    `create or replace function store_now() returns timestamptz language sql volatile as 'select clock_timestamp() + interval ''${day} milliseconds'''`,
  );
  // When the server accepts an ID again, the window has ended.
  await client.publish(`ucctl.${streams[2]}.1`, 'known');
  for (let number = 2; await client.publish(`ucctl.${streams[2]}.${number}`, 'known'); number += 1)
    await pause(20);
  let accepted = 0;
  for (const sink of ['store', 'stream'] as const) {
    const again = newSent(wanted.rest);
    const uuids = [...sent[sink].acknowledged].slice(-wanted.retries);
    for (const uuid of uuids)
      await sendEvent({ address: `${balancers[sink].url}/hook`, token: '' }, uuid, again);
    accepted += again.acknowledged.size;
  }
  // An event after all retries shows that the consumers have passed them.
  await sendEvent({ address: `${balancers.store.url}/hook`, token: '' }, '99-0', sent.store);
  await finishAll(stage);
  const after = await countsOf(stage);
  const more = after.map((count, index) => count - (before[index] ?? 0));
  return {
    promise: 'events that are sent again after 24 hours of the clock of the store are recognized',
    figure: `${accepted} retries acknowledged; new events of the store, the stream, the copies and the program: ${more.join(', ')}, of 1, 0, 1 and 1 that are new`,
    holds: accepted > 0 && more.join() === '1,0,1,1',
  };
}

async function countsOf(stage: EngineStage): Promise<readonly number[]> {
  const [row] = await stage.parts.db.query<{ events: number; processed: number }>(
    `select (select count(*) from event) as events, (select count(*) from processed where consumer = 'proof') as processed`,
  );
  const [direct, copies] = [await stage.streamed('EVENTS'), await stage.streamed('COPIES')];
  return [row?.events ?? -1, direct.length, copies.length, row?.processed ?? -1];
}

/** Events are acknowledged while the store is stopped. */
async function acknowledgedFirst(stage: EngineStage, rest: number): Promise<Result> {
  const { db, server, balancers } = stage.parts;
  balancers.store.acknowledgesFirst = true;
  try {
    const sent = newSent(rest);
    const sending = sendEvents(
      { address: `${balancers.store.url}/hook`, token: '', sender: Date.now() },
      sent,
    );
    const lost = async (): Promise<number> => {
      const stored = await db.query<{ key: string }>('select key from event');
      return compareKeys(
        stored.map(({ key }) => key),
        sent.acknowledged,
      ).lost;
    };
    while (sent.acknowledged.size - (await lost()) < 10) await pause(100);
    await server.kill();
    const reached = sent.acknowledged.size + 10;
    while (sent.acknowledged.size < reached) await pause(20);
    await server.start();
    sent.isOver = true;
    await sending;
    await finishAll(stage);
    const missing = await lost();
    return {
      promise:
        'control, which must fail: a load balancer that acknowledges before a receiver does loses events',
      figure: `1 crash of PostgreSQL; ${sent.acknowledged.size} events acknowledged: ${missing} lost`,
      holds: missing > 0,
    };
  } finally {
    balancers.store.acknowledgesFirst = false;
  }
}
