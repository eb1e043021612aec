import {
  addCounts,
  runOrigin,
  type BulkWork,
  type Journal,
  type JournalItem,
  type Receipt,
  type RequestCounts,
  type RunDetail,
  type RunInput,
  serviceOf,
} from '../bulk/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { PresentResource, ResourceChange, ResourceKind, Value, Values } from './change.ts';
import { findDrift } from './compare.ts';
import type { ResourceLimits } from './limits.ts';
import { inSteps } from './numbers.ts';
import { isAsDesired, isInEffect, isSameValue, restoring } from './same-value.ts';

/** The detail of a run, as stored in the journal. */
export interface ResourceRunDetail extends RunDetail {
  /** Number of resources in the file that were already up to date. */
  readonly unchanged: number;
  /** Safety limits of the run; they also apply when the run is resumed. */
  readonly limits?: readonly ResourceLimits[];
  /** Plan of the changes that follow this run, as JSON, for resuming both. */
  readonly following?: unknown;
}

/** The data that the journal records about a new run in addition to its changes. */
export interface NewResourceRun {
  readonly title: string;
  readonly unchanged?: number;
  readonly limits?: readonly ResourceLimits[];
  readonly undoes?: string;
  /** Whether the run undoes only a part of `undoes`. */
  readonly undoesPart?: boolean;
  /** ID of the first run of the same command. */
  readonly partOf?: string | undefined;
  readonly results?: string | undefined;
  /** The rows of the list that the changes come from, for the results file. */
  readonly input?: RunInput | undefined;
  /** Plan of the changes that follow this run, as JSON, for resuming both. */
  readonly following?: unknown;
}

/** The input of a run without a table. The results file has a row for each change, with the resource and its settings. */
export function noRows(noun: string): RunInput {
  return { headings: [noun, 'settings'], rows: [] };
}

/** Writes changes into the journal, creations first. Returns the ID of the run. */
export function journalResources(
  ctx: Pick<Context, 'settings' | 'cwd' | 'now'>,
  journal: Journal,
  { run: kind, noun, unique }: Pick<ResourceKind, 'run' | 'noun' | 'unique'>,
  changes: readonly ResourceChange[],
  { title, unchanged = 0, limits, undoes, partOf, results, input, following, undoesPart }: NewResourceRun,
): string {
  const detail: ResourceRunDetail = {
    input: input ?? noRows(noun),
    unchanged,
    ...runOrigin(ctx, results === undefined ? {} : { results }),
    ...(limits !== undefined && { limits }),
    ...(undoes !== undefined && { undoes }),
    ...(undoesPart && { undoesPart }),
    ...(partOf !== undefined && { partOf }),
    ...(following !== undefined && { following }),
  };
  return journal.create<ResourceChange>({
    kind,
    title,
    baseUrl: serviceOf(ctx),
    now: ctx.now(),
    detail,
    items: inSteps(changes, unique).map((change) => ({
      action: change.action,
      subject: `${noun} ${change.title}: ${Object.keys(change.after).join(', ')}`,
      payload: change,
    })),
  });
}

/**
 * Sends changes and reads them back. Each creation is a separate request.
 * @param created receives the IDs of created resources by key
 */
export function resourceWork(
  kind: ResourceKind,
  created = new Map<string, string>(),
): BulkWork<ResourceChange> {
  return {
    groupOf: ({ payload }) =>
      payload.action === 'create' ? `create ${payload.key}` : `update ${payload.step ?? 0}`,
    async send(items) {
      const { rejected, ...receipt } = await kind.send(items.map(({ payload }) => payload));
      if (rejected === undefined) return receipt;
      const bySeq = new Map<number, Receipt>();
      for (const [index, why] of rejected) {
        const item = items[index];
        if (item) bySeq.set(item.seq, why);
      }
      return { ...receipt, rejected: bySeq };
    },
    async observe(items) {
      const present = await kind.read(
        items.map(({ payload }) => payload),
        undefined,
      );
      const made = items.filter(({ payload }) => isInEffect(payload, present.get(payload.key), kind));
      for (const { payload } of made) {
        const found = present.get(payload.key);
        if (payload.action === 'create' && found) created.set(payload.key, found.id);
      }
      return new Set(made.map(({ seq }) => seq));
    },
  };
}

/** Returns the requests of changes, not sent yet. */
export function resourceSends(
  kind: ResourceKind,
  changes: readonly ResourceChange[],
): readonly (() => Promise<unknown>)[] {
  return chunksOf(kind, changes).map((chunk) => () => kind.send(chunk));
}

function chunksOf(
  { maxItems, unique }: Pick<ResourceKind, 'maxItems' | 'unique'>,
  changes: readonly ResourceChange[],
): readonly (readonly ResourceChange[])[] {
  const chunks: ResourceChange[][] = [];
  for (const change of inSteps(changes, unique)) {
    const last = chunks.at(-1);
    const isFull = last === undefined || last.length >= maxItems;
    const fits = !isFull && change.action !== 'create' && last[0]?.action !== 'create';
    if (fits && last[0]?.step === change.step) last.push(change);
    else chunks.push([change]);
  }
  return chunks;
}

/** Returns the number of requests for changes in each usage group, including the requests that read back. */
export function countResourceRequests(
  kind: Pick<ResourceKind, 'maxItems' | 'groups' | 'unique'>,
  changes: readonly ResourceChange[],
): RequestCounts {
  const { groups } = kind;
  const { read, readItems, update, create = update } = groups;
  return chunksOf(kind, changes)
    .map((chunk): RequestCounts => {
      const reads = { [read]: Math.ceil(chunk.length / readItems) };
      const [first] = chunk;
      if (first?.action !== 'create') return addCounts(reads, { [update]: 1 });
      return groups.creation?.(first) ?? addCounts(reads, { [create]: 1 });
    })
    .reduce<RequestCounts>(addCounts, {});
}

/** Error code of a failed creation after which the resource exists, without some of its settings. */
export const partlyCreated = 'partly_created';

/** The changes that undo a run, based on the current settings. */
export interface InverseChanges {
  readonly changes: readonly ResourceChange[];
  /** The changes of other users since the run, as texts. */
  readonly changedSince: readonly string[];
  /** Titles of created resources that the undo cannot remove. */
  readonly remaining: readonly string[];
  /** Settings that the undo does not change, because the service cannot remove their values. */
  readonly unrestored: readonly string[];
}

/** Plans the opposite of every change that the run made and that is still in effect. */
export async function invertResources(
  kind: ResourceKind,
  items: readonly JournalItem<ResourceChange>[],
  signal: AbortSignal,
): Promise<InverseChanges> {
  const candidates = items.filter(
    ({ status, code }) =>
      status === 'ok' || status === 'unknown' || (status === 'failed' && code === partlyCreated),
  );
  const present = await kind.read(
    candidates.map(({ payload }) => payload),
    signal,
  );
  const effects = candidates.map((item) => [item.payload, effectOf(kind, item, present)] as const);
  const made = effects.flatMap(([change, effect]) => (effect === 'whole' ? [change] : []));
  const partly = effects.flatMap(([change, effect]) => (effect === 'part' ? [change] : []));
  const drift = findDrift(made, present, 'after', kind);
  const unrestored: string[] = [];
  const changes = [...made, ...partly].flatMap((change): readonly ResourceChange[] => {
    const found = present.get(change.key);
    const isCreated = change.action === 'create';
    const desired = isCreated ? kind.undoCreation : restored(change);
    if (!found || desired === undefined) return [];
    const has = (name: string, value: Value | undefined): boolean =>
      isAsDesired(found.values[name], value, kind.defaults?.[name]);
    const differing = Object.keys(desired).filter(
      (name) => !has(name, desired[name]) && (isCreated || has(name, change.after[name])),
    );
    const removed = differing.filter((name) => isSameValue(desired[name], null));
    const stays = (name: string): boolean =>
      removed.includes(name) && kind.canRemove?.(name, removed) === false;
    const { key, title } = change;
    unrestored.push(...differing.filter(stays).map((name) => `${kind.noun} ${title}: ${name}`));
    const names = differing.filter((name) => !stays(name));
    if (names.length === 0) return [];
    const pick = (from: Values): Values =>
      Object.fromEntries(names.map((name) => [name, from[name] ?? null]));
    return [{ id: found.id, key, title, action: 'update', before: pick(found.values), after: pick(desired) }];
  });
  return {
    changes,
    changedSince: drift.map(({ ref, texts }) => `${kind.noun} ${ref.title}: ${texts.join('; ')}`),
    remaining: [...made, ...partly].filter(({ action }) => action === 'create').map(({ title }) => title),
    unrestored,
  };
}

/** Returns how much of a change was made; undefined if none of it was. */
function effectOf(
  kind: Pick<ResourceKind, 'isPartlyCreated' | 'defaults'>,
  { status, payload }: JournalItem<ResourceChange>,
  present: ReadonlyMap<string, PresentResource>,
): 'whole' | 'part' | undefined {
  if (status === 'failed') return 'part';
  const found = present.get(payload.key);
  if (status === 'ok' || isInEffect(payload, found, kind)) return 'whole';
  const isPart = payload.action === 'create' && found && kind.isPartlyCreated?.(payload, found);
  return isPart ? 'part' : undefined;
}

/** Returns the settings that undo an update. */
function restored({ before, after }: ResourceChange): Values {
  return Object.fromEntries(
    Object.entries(before).map(([name, value]): readonly [string, Value] => [
      name,
      restoring(value, after[name]),
    ]),
  );
}
