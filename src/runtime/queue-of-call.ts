/** The queue of a call. At least one of the members is present. */
export interface QueueOfCall {
  readonly name?: string | undefined;
  readonly extensionNumber?: string | undefined;
}

/**
 * Returns the queue that the service names in the `callInfo` of an active call (PRESENCE-23); undefined if it names none.
 * The bodies of events are not validated, so the call may have any members.
 */
export function queueOfCall(call: object): QueueOfCall | undefined {
  const info = membersOf(membersOf(call)['callInfo']);
  const lines = [membersOf(info['primary']), membersOf(info['additional'])];
  const valueOf = (wanted: string): string | undefined => {
    const value = lines.find(({ type }) => type === wanted)?.['value'];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const queue = { name: valueOf('QueueName'), extensionNumber: valueOf('QueueExtension') };
  return queue.name === undefined && queue.extensionNumber === undefined ? undefined : queue;
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
