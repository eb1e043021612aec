/** IDs that earlier replies contained, by the name of the path parameter. */
export type FoundIds = Map<string, string>;

/** One read of the walk. */
export interface ReadStep {
  /** Name in `read-operations.json`. */
  readonly operation: string;
  /** Query of the read; `{name}` stands for an ID that an earlier reply contained, or for the start of the period. */
  readonly query?: Readonly<Record<string, string>>;
  /** The IDs that the reply provides for later reads: the member of each path parameter. */
  readonly learns?: Readonly<Record<string, string>>;
}

const periodStart = '{periodStart}';

const one = { perPage: '1' } as const;
const oneOfPeriod = { ...one, dateFrom: periodStart } as const;
const detailed = { ...oneOfPeriod, view: 'Detailed' } as const;

/** The reads of the walk in their order, each with the smallest page. */
export const readSteps: readonly ReadStep[] = [
  { operation: 'readApiVersions' },
  { operation: 'readExtension' },
  { operation: 'listExtensions', query: one },
  {
    operation: 'listExtensions',
    query: { ...one, type: 'Department' },
    learns: { departmentId: 'records[].id' },
  },
  { operation: 'listDepartmentMembers', query: one },
  { operation: 'listCallQueues', query: one, learns: { groupId: 'records[].id' } },
  { operation: 'readCallQueue' },
  { operation: 'listCallQueueMembers', query: one },
  { operation: 'readCallQueuePresence' },
  { operation: 'readExtensionQueuePresence' },
  { operation: 'readExtensionFeatures', query: { featureId: 'NewCallHandlingAndForwarding' } },
  { operation: 'listPresences', query: one },
  { operation: 'readPresence', query: { detailedTelephonyState: 'true' } },
  { operation: 'readUnifiedPresence' },
  { operation: 'listPhoneNumbers', query: one },
  { operation: 'listForwardingNumbers', query: one },
  ...['SMS', 'Fax', 'VoiceMail', 'Pager'].map((messageType): ReadStep => ({
    operation: 'listMessages',
    query: { ...oneOfPeriod, messageType },
    learns: { messageId: 'records[].id' },
  })),
  { operation: 'readMessage' },
  {
    operation: 'syncMessages',
    query: { syncType: 'FSync', recordCount: '1', dateFrom: periodStart },
  },
  { operation: 'listSubscriptions', learns: { subscriptionId: 'records[].id' } },
  { operation: 'readSubscription' },
  { operation: 'listCallLog', query: detailed, learns: { callRecordId: 'records[].id' } },
  { operation: 'readCallLogRecord', query: { view: 'Detailed' } },
  { operation: 'syncCallLog', query: { syncType: 'FSync', recordCount: '1', dateFrom: periodStart } },
  { operation: 'listAccountCallLog', query: detailed, learns: { callRecordId: 'records[].id' } },
  {
    operation: 'listAccountCallLog',
    query: { ...detailed, withRecording: 'true' },
    learns: { recordingId: 'records[].recording.id' },
  },
  { operation: 'readAccountCallLogRecord', query: { view: 'Detailed' } },
  { operation: 'listActiveCalls', query: one },
  { operation: 'listAccountActiveCalls', query: one },
  { operation: 'readCompanyHours' },
  { operation: 'readHours' },
  { operation: 'listAnsweringRules', query: one, learns: { ruleId: 'records[].id' } },
  { operation: 'readAnsweringRule' },
  { operation: 'listSmsBatches', query: one, learns: { batchId: 'records[].id' } },
  { operation: 'readSmsBatch' },
  { operation: 'listSmsBatchMessages', query: one },
  { operation: 'readRecording' },
  {
    operation: 'listChatWebhooks',
    learns: { webhookId: 'records[].id', groupId: 'records[].groupIds[]' },
  },
  { operation: 'readChatWebhook' },
  { operation: 'listGroupChatWebhooks' },
  { operation: 'listCountries', query: one, learns: { countryId: 'records[].id' } },
  { operation: 'readCountry' },
  {
    operation: 'listStates',
    query: { ...one, countryId: '{countryId}' },
    learns: { stateId: 'records[].id' },
  },
  { operation: 'listLocations', query: { ...one, stateId: '{stateId}' } },
  { operation: 'listTimezones', query: one },
];

/** Reads that the walk does not make, with the reason. */
export const otherReads: Readonly<Record<string, string>> = {
  readRingOut: 'no operation lists RingOut calls',
  readExtensionUpdateTask: 'no operation lists tasks',
  readMessageReport: 'no operation lists reports',
  listMessageReportFiles: 'no operation lists reports',
};

/**
 * Returns the first text or number at a path such as `records[].recording.id`; undefined if the reply has no such
 * value.
 */
export function textAt(value: unknown, path: string): string | undefined {
  if (path === '') {
    const text = ['string', 'number', 'bigint'].includes(typeof value) ? String(value) : '';
    return text === '' ? undefined : text;
  }
  const [, head = path, rest = ''] = /^(\[\]|[^.[]+)\.?(.*)$/.exec(path) ?? [];
  if (head === '[]') {
    if (!Array.isArray(value)) return undefined;
    return value.map((item: unknown) => textAt(item, rest)).find((text) => text !== undefined);
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, head)) return undefined;
  return textAt((value as Readonly<Record<string, unknown>>)[head], rest);
}

/** Returns the ID at such a path; undefined for a text that could change the path of a request. */
export function idAt(value: unknown, path: string): string | undefined {
  const text = textAt(value, path);
  return text !== undefined && /^\w[\w.:@-]{0,127}$/.test(text) ? text : undefined;
}
