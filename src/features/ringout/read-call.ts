import type { Client, RequestOptions } from '../../client/index.ts';
import type { RingOut } from '../../contract/ringout.ts';
import { isMissingResource } from '../../errors/service-codes.ts';

/** Pause in milliseconds between two reads of a call that was canceled. */
const pauseMilliseconds = 1000;
const maxReads = 3;

/**
 * Returns the current state of a call. A call that is not found has ended, because some services delete a call at its
 * end.
 */
export async function readCall(
  api: Pick<Client, 'ringOuts'>,
  before: RingOut,
  options: RequestOptions,
): Promise<RingOut> {
  try {
    return await api.ringOuts.get(before.id, options);
  } catch (error) {
    if (!isMissingResource(error)) throw error;
    const { callStatus } = before.status;
    return {
      ...before,
      status: { callStatus, callerStatus: 'NoSessionFound', calleeStatus: 'NoSessionFound' },
    };
  }
}

/** Returns a call whose only known member is the ID. */
export function unreadCall(id: string): RingOut {
  return { id, uri: '', status: { callStatus: 'Unknown', callerStatus: 'Unknown', calleeStatus: 'Unknown' } };
}

/**
 * Reads the call after its cancellation. A service may take a moment to end the call, so a call that still rings is
 * read several times.
 */
export async function readCancelled(
  api: Pick<Client, 'ringOuts'>,
  before: RingOut,
  { sleep, ...options }: RequestOptions & { readonly sleep: (milliseconds: number) => Promise<void> },
): Promise<RingOut> {
  let call = await readCall(api, before, options);
  for (let reads = 1; reads < maxReads && isUncancelled(call); reads += 1) {
    await sleep(pauseMilliseconds);
    call = await readCall(api, before, options);
  }
  return call;
}

/** Whether the callee's phone still rings or the parties were connected, so that the call was not canceled. */
export function isUncancelled({ status }: Pick<RingOut, 'status'>): boolean {
  const { callStatus, calleeStatus } = status;
  return callStatus === 'Success' || calleeStatus === 'InProgress' || calleeStatus === 'Success';
}
