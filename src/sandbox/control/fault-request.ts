import { z } from 'zod';
import { operations, type Operation } from '../../contract/operations.ts';
import { lookupTable } from '../../platform/lookup-table.ts';

/** Kinds of faults for requests. */
export const requestFaults = [
  'status',
  'latency',
  'reset-before',
  'reset-after',
  'cut-body',
  'bad-json',
  'expired-token',
  'invalid-sync-token',
] as const;
/** Kinds of faults for the PUT and renew operations of subscriptions. */
const renewalFaults = ['renew-changes'] as const;
/** Operations that renew a subscription. */
export const renewals = ['renewSubscription', 'updateSubscription'] as const;
/** Faults of events that a WebSocket sends. */
export const socketEventFaults = [
  'socket-drop',
  'socket-delay',
  'socket-split',
  'socket-duplicate',
  'socket-idle',
  'socket-absolute',
] as const;
/** Other faults of a WebSocket: no reply to pings and heartbeats, a failed recovery, a rejected upgrade. */
const socketFaults = ['socket-no-pong', 'socket-no-recovery', 'socket-reject'] as const;
const webhookFaults = ['webhook-duplicate', 'webhook-drop', 'webhook-delay', 'webhook-reorder'] as const;

/** All kinds of faults. */
export const faultKinds = [
  ...requestFaults,
  ...renewalFaults,
  ...webhookFaults,
  ...socketEventFaults,
  ...socketFaults,
] as const;

/** Operations that accept a sync token. */
export const syncs = Object.entries(operations).flatMap(([id, { query }]: [string, Operation]) =>
  query instanceof z.ZodObject && 'syncToken' in query.shape ? [id] : [],
);

/** The operations to which a kind of fault is limited. */
const operationsOf: Readonly<Record<string, readonly string[]>> = lookupTable({
  'invalid-sync-token': syncs,
  'renew-changes': renewals,
});

/** The kinds of faults that use a member of the request; with any other kind, it would have no effect. */
const kindsOf: Readonly<
  Record<
    'operation' | 'extension' | 'status' | 'milliseconds' | 'retryAfter',
    readonly (typeof faultKinds)[number][]
  >
> = {
  operation: [...requestFaults, ...renewalFaults],
  extension: requestFaults,
  status: ['status', 'socket-reject'],
  milliseconds: ['latency', 'webhook-delay', 'webhook-reorder', 'socket-delay'],
  retryAfter: ['status'],
};

/** The input of a new fault. */
export const FaultRequest = z
  .strictObject({
    kind: z.enum(faultKinds),
    /**
     * ID of an operation of the contract; without an ID, the fault applies to all operations. Faults of webhooks and
     * WebSockets have no operation.
     */
    operation: z
      .string()
      .refine((id) => Object.hasOwn(operations, id), {
        error: ({ input }) =>
          `"${String(input)}" is not a valid operation ID; /openapi.json lists all operation IDs`,
      })
      .optional(),
    /**
     * Number, ID or e-mail address of the extension in the path of the requests, for example the owner of a mailbox; without
     * it, the fault applies to all extensions. `~` in a path is the user of the token.
     */
    extension: z.string().min(1).optional(),
    /** HTTP status to return; only for the kinds `status` and `socket-reject`. */
    status: z.int().min(400).max(599).optional(),
    /** Delay of the kinds `latency`, `webhook-delay` and `socket-delay`, or longest wait of `webhook-reorder`. */
    milliseconds: z.int().min(0).max(600_000).optional(),
    /** Value of the header Retry-After in seconds; only for the kind `status`. */
    retryAfter: z.int().min(0).max(3600).optional(),
    /** Number of matching requests that succeed before the first request fails. */
    after: z.int().min(0).default(0),
    /** Number of requests that fail; 0 means all requests. */
    times: z.int().min(0).default(1),
    /** Share of the matching requests that fail, chosen by the seed. */
    probability: z.number().min(0).max(1).default(1),
  })
  .superRefine((request, context) => {
    const reject = (path: string, message: string): void =>
      context.addIssue({ code: 'custom', path: [path], message });
    const { kind, operation, extension } = request;
    for (const [name, kinds] of Object.entries(kindsOf)) {
      const isIgnored = request[name as keyof typeof kindsOf] !== undefined && !kinds.includes(kind);
      if (isIgnored) reject(name, `${kind} does not use ${name}, which applies only to ${kinds.join(', ')}`);
    }
    if (extension !== undefined && operation !== undefined && !hasExtension(operation))
      reject('extension', `the path of ${operation} has no extension`);
    const allowed = operationsOf[kind];
    if (operation === undefined || !allowed || allowed.includes(operation)) return;
    reject('operation', `${kind} applies only to ${allowed.join(', ')}`);
  });
export type FaultRequest = z.infer<typeof FaultRequest>;

/** Whether the path of an operation has an extension. */
function hasExtension(id: string): boolean {
  return Object.entries(operations).some(([name, { path }]) => name === id && path.includes('{extensionId}'));
}
