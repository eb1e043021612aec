import type { SyncRequest } from './reply.ts';

/** What one sync covers: one type, one direction, from one date. Each frame has a token of its own; tokens are never mixed. */
export interface Frame {
  readonly messageType?: string | undefined;
  readonly direction?: string | undefined;
  /** As asked for, so that `30d` names the same frame tomorrow; the date it meant at first is kept with the stream. */
  readonly since?: string | undefined;
  readonly maxRecords?: number | undefined;
}

/**
 * Where a full sync begins unless told otherwise: before anything that the service still keeps. Left out, the service would give one week.
 */
export const retentionStart = '2000-01-01T00:00:00.000Z';

/** The same for the same frame. */
export function frameKey({ messageType, direction, since, maxRecords }: Frame): string {
  return JSON.stringify([messageType ?? null, direction ?? null, since ?? null, maxRecords ?? null]);
}

/** A full sync of the frame. */
export function fullSync(frame: Frame, dateFrom: string): SyncRequest {
  return {
    syncType: 'FSync',
    dateFrom,
    messageType: frame.messageType,
    direction: frame.direction,
    recordCount: frame.maxRecords,
  };
}

/** Dates or a count would change the frame: only the token goes. */
export function incrementalSync(syncToken: string): SyncRequest {
  return { syncType: 'ISync', syncToken };
}

/** One frame for each combination: the service takes one type and one direction a request. */
export function framesOf(wanted: {
  readonly types: readonly string[];
  readonly direction?: string | undefined;
  readonly since?: string | undefined;
  readonly maxRecords?: number | undefined;
}): readonly Frame[] {
  const { types, ...rest } = wanted;
  if (types.length === 0) return [rest];
  return [...new Set(types)].map((messageType) => Object.assign({ messageType }, rest));
}
