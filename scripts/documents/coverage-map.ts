import type { OperationId } from '../../src/contract/operations.ts';

/**
 * Describes how users set a parameter or see a field: with the flag or argument of a command, not at all
 * because `ucctl` itself chooses the value (with its source), or only with `ucctl api` (with the reason why
 * no flag exists).
 */
export type Reach = { readonly flag: string } | { readonly itself: string } | { readonly apiOnly: string };

export interface OperationReach {
  /** Commands that send the request; empty if only `api` sends it. */
  readonly commands: readonly string[];
  /** The reason why no command has a flag for the parameter. */
  readonly apiOnly?: string;
  readonly parameters?: Readonly<Record<string, Reach>>;
}

const flag = (words: string): Reach => ({ flag: words });
const itself = (how: string): Reach => ({ itself: how });
const apiOnly = (why: string): Reach => ({ apiOnly: why });

const paging = {
  page: itself('lists are read whole, page by page; single pages: api'),
  perPage: itself('the largest page'),
} as const;
const media = {
  contentDisposition: itself('the name of the file is chosen here'),
  contentDispositionFilename: flag('download --name-template'),
} as const;
const callLog = {
  page: itself('lists are read whole, page by page'),
  perPage: flag('calllog list --per-page'),
  extensionNumber: flag('calllog list --extension-number'),
  phoneNumber: flag('calllog list --phone-number'),
  showBlocked: flag('calllog list --show-blocked'),
  direction: flag('calllog list --direction'),
  sessionId: flag('calllog list --session'),
  telephonySessionId: flag('calllog list --telephony-session'),
  type: flag('calllog list --type'),
  transport: flag('calllog list --transport'),
  view: flag('calllog list --view'),
  withRecording: flag('calllog list --with-recording'),
  recordingType: flag('calllog list --recording-type'),
  dateFrom: flag('calllog list --since'),
  dateTo: flag('calllog list --until'),
  showDeleted: flag('calllog list --show-deleted'),
} as const;
/** The contract gives a record the query parameters of its list; for a single record only the view has a meaning. */
const callRecord = Object.fromEntries(
  Object.keys(callLog).map((name) => [
    name,
    name === 'view' ? itself('always Detailed: one record is shown whole') : apiOnly('a filter of lists'),
  ]),
);
const activeCalls = {
  ...paging,
  direction: flag('calllog active --direction'),
  type: flag('calllog active --type'),
  transport: apiOnly('not every service reads it, and records in the Simple view do not show it'),
  view: apiOnly('not every service has another view than Simple'),
} as const;
const ruleParameters = Object.fromEntries(
  [
    'name',
    'type',
    'enabled',
    'callers',
    'calledNumbers',
    'schedule',
    'callHandlingAction',
    'forwarding',
    'unconditionalForwarding',
    'queue',
    'transfer',
    'voicemail',
    'missedCall',
    'greetings',
    'screening',
  ].map((name) => [name, flag('rule apply --file')]),
);
const dictionary = 'a dictionary for forms of sign-up; no command needs it';

/**
 * Coverage of each operation of the contract. A test fails for an operation without an entry, and for a flag that
 * does not exist.
 */
export const reaches: Readonly<Record<OperationId, OperationReach>> = {
  listExtensions: {
    commands: ['queue list', 'agent list', 'agent export'],
    parameters: {
      ...paging,
      type: itself('queues by queue list, people by agent list'),
      extensionNumber: apiOnly('numbers and names are looked up in the whole list, which is read once'),
      email: apiOnly('as extensionNumber'),
      status: apiOnly('the whole list is read, and --jq filters it'),
    },
  },
  readExtension: { commands: ['outcome resolve', 'audit list'] },
  updateExtensions: {
    commands: ['agent apply', 'history undo'],
    parameters: { records: flag('agent apply --file') },
  },
  readExtensionUpdateTask: { commands: ['agent apply'] },
  listDepartmentMembers: { commands: ['queue members', 'queue show'], parameters: paging },
  bulkAssignDepartmentMembers: {
    commands: ['queue assign', 'queue apply', 'queue unassign', 'history undo'],
    parameters: { items: flag('queue assign --file') },
  },
  listCallQueues: {
    commands: ['agent show', 'queue apply'],
    parameters: { ...paging, memberExtensionId: itself('the queues of an agent by agent show') },
  },
  readCallQueue: { commands: ['queue export', 'queue diff', 'queue plan', 'queue apply'] },
  updateCallQueue: {
    commands: ['queue apply', 'history undo'],
    parameters: {
      extensionNumber: flag('queue apply --file'),
      name: flag('queue apply --file'),
      status: flag('queue apply --file'),
      serviceLevelSettings: flag('queue apply --file'),
      editableMemberStatus: flag('queue apply --file'),
      alertTimer: flag('queue apply --file'),
    },
  },
  listCallQueueMembers: { commands: ['queue members', 'queue show'], parameters: paging },
  assignCallQueueMembers: {
    commands: ['queue assign', 'queue apply', 'queue unassign', 'history undo'],
    parameters: {
      addedExtensionIds: flag('queue assign --add'),
      removedExtensionIds: flag('queue assign --remove'),
    },
  },
  createExtension: {
    commands: ['queue apply'],
    parameters: {
      type: itself('a call queue'),
      name: flag('queue apply --file'),
      contact: itself('the name of the queue'),
      extensionNumber: flag('queue apply --file'),
      status: flag('queue apply --file'),
    },
  },
  readExtensionFeatures: {
    commands: ['presence set'],
    parameters: {
      featureId: itself('NewCallHandlingAndForwarding'),
      availableOnly: apiOnly('a missing feature has a reason'),
    },
  },
  readCallQueuePresence: { commands: ['queue availability'] },
  updateCallQueuePresence: {
    commands: ['queue availability'],
    parameters: { records: flag('queue availability --agent') },
  },
  readExtensionQueuePresence: {
    commands: ['agent availability', 'presence set'],
    parameters: { editableMemberStatus: apiOnly('the column EDITABLE shows it, and --jq filters it') },
  },
  updateExtensionQueuePresence: {
    commands: ['presence set'],
    parameters: { records: flag('presence set --queue-calls') },
  },
  listPresences: {
    commands: ['presence watch', 'agent list'],
    parameters: {
      ...paging,
      detailedTelephonyState: itself('the boards read active calls'),
      sipData: apiOnly('signalling data of no use without a telephone'),
    },
  },
  readPresence: {
    commands: ['presence get', 'agent show', 'presence watch'],
    parameters: {
      detailedTelephonyState: flag('presence get --detailed'),
      sipData: apiOnly('signalling data of no use without a telephone'),
    },
  },
  updatePresence: {
    commands: ['presence set'],
    parameters: {
      userStatus: flag('presence set --user-status'),
      dndStatus: flag('presence set --dnd-status'),
      message: flag('presence set --message'),
      allowSeeMyPresence: flag('presence set --allow-see-my-presence'),
      ringOnMonitoredCall: flag('presence set --ring-on-monitored-call'),
      pickUpCallsOnHold: flag('presence set --pick-up-calls-on-hold'),
    },
  },
  listPhoneNumbers: { commands: ['sms numbers'], parameters: paging },
  listForwardingNumbers: { commands: ['ringout numbers'], parameters: paging },
  sendSms: {
    commands: ['sms send'],
    parameters: {
      from: flag('sms send --from'),
      to: flag('sms send --to'),
      text: flag('sms send TEXT'),
    },
  },
  listMessages: {
    commands: ['message list', 'sms list', 'fax list', 'voicemail list'],
    parameters: {
      ...paging,
      availability: flag('message list --availability'),
      conversationId: flag('message list --conversation'),
      dateFrom: flag('message list --since'),
      dateTo: flag('message list --until'),
      direction: flag('message list --direction'),
      distinctConversations: flag('message list --distinct'),
      messageType: flag('message list --type'),
      readStatus: flag('message list --unread'),
      phoneNumber: flag('message list --phone'),
    },
  },
  readMessage: {
    commands: ['message show', 'fax status'],
    parameters: { availability: flag('message show --availability') },
  },
  createSubscription: {
    commands: ['subscribe create', 'subscribe tail', 'webhook listen'],
    parameters: {
      eventFilters: flag('subscribe create --events'),
      deliveryMode: flag('subscribe create --transport'),
      expiresIn: flag('subscribe create --expires-in'),
    },
  },
  listSubscriptions: { commands: ['subscribe list'] },
  readSubscription: { commands: ['subscribe show'] },
  updateSubscription: {
    commands: ['subscribe update'],
    parameters: {
      eventFilters: flag('subscribe update --events'),
      expiresIn: flag('subscribe update --expires-in'),
    },
  },
  renewSubscription: { commands: ['subscribe renew'] },
  deleteSubscription: { commands: ['subscribe delete'] },
  createWebSocketToken: { commands: ['subscribe tail'] },
  readChannel: {
    commands: ['subscribe tail'],
    parameters: { tt: itself('the place that was reached in the channel') },
  },
  startRingOut: {
    commands: ['ringout start'],
    parameters: {
      from: flag('ringout start --from'),
      to: flag('ringout start --to'),
      playPrompt: flag('ringout start --prompt'),
    },
  },
  readRingOut: { commands: ['ringout status', 'ringout start'] },
  cancelRingOut: { commands: ['ringout cancel'] },
  sendPager: {
    commands: ['pager send', 'pager reply'],
    parameters: {
      from: itself('the signed-in user'),
      to: flag('pager send --to'),
      text: flag('pager send TEXT'),
      replyOn: flag('pager reply MESSAGE'),
    },
  },
  sendFax: { commands: ['fax send', 'fax resend'] },
  updateMessage: {
    commands: ['message read', 'message unread'],
    parameters: { readStatus: flag('message read IDS') },
  },
  patchMessage: {
    commands: ['message restore'],
    parameters: {
      availability: flag('message restore IDS'),
      readStatus: apiOnly('message read and unread do it by PUT'),
    },
  },
  deleteMessage: {
    commands: ['message delete', 'message purge'],
    parameters: { purge: flag('message purge IDS'), type: flag('message delete --type') },
  },
  deleteMessages: {
    commands: ['message delete', 'message purge'],
    parameters: {
      conversationId: flag('message delete --conversation'),
      dateTo: flag('message delete --before'),
      type: flag('message delete --type'),
      purge: flag('message purge --conversation'),
    },
  },
  readMessageContent: { commands: ['download', 'sync'], parameters: media },
  syncMessages: {
    commands: ['sync'],
    parameters: {
      syncType: flag('sync --full'),
      syncToken: itself('kept in the copy'),
      messageType: flag('sync --types'),
      direction: flag('sync --direction'),
      conversationId: apiOnly('a copy of one conversation would be no copy of a mailbox'),
      distinctConversations: apiOnly('a copy has every message'),
      owner: itself('always Any in dialect current'),
      dateFrom: flag('sync --since'),
      dateTo: apiOnly('a copy goes on to now'),
      recordCount: flag('sync --max-records'),
    },
  },
  listAccountCallLog: { commands: ['calllog list', 'calllog stats'], parameters: callLog },
  readAccountCallLogRecord: { commands: ['calllog show'], parameters: callRecord },
  listCallLog: { commands: ['calllog list', 'calllog stats'], parameters: callLog },
  readCallLogRecord: { commands: ['calllog show'], parameters: callRecord },
  listAccountActiveCalls: { commands: ['calllog active'], parameters: activeCalls },
  listActiveCalls: { commands: ['calllog active'], parameters: activeCalls },
  readRecording: { commands: ['download'] },
  readRecordingContent: { commands: ['download'], parameters: media },
  readGreetingContent: { commands: ['download'], parameters: media },
  readProfileImageContent: { commands: ['download'], parameters: media },
  createChatWebhook: { commands: ['webhook create'] },
  listGroupChatWebhooks: { commands: ['webhook list'] },
  listChatWebhooks: { commands: ['webhook list'] },
  readChatWebhook: { commands: [], apiOnly: 'webhook list shows each of them' },
  deleteChatWebhook: { commands: ['webhook delete'] },
  activateChatWebhook: { commands: ['webhook activate'] },
  suspendChatWebhook: { commands: ['webhook suspend'] },
  postToChat: {
    commands: ['webhook post'],
    parameters: {
      icon: flag('webhook post --icon'),
      title: flag('webhook post --title'),
      body: flag('webhook post --body'),
      attachments: flag('webhook post --file'),
    },
  },
  listCountries: { commands: [], apiOnly: dictionary, parameters: paging },
  readCountry: { commands: [], apiOnly: dictionary },
  listStates: {
    commands: [],
    apiOnly: dictionary,
    parameters: { ...paging, countryId: apiOnly('see the operation') },
  },
  listLocations: {
    commands: [],
    apiOnly: dictionary,
    parameters: { ...paging, stateId: apiOnly('see the operation') },
  },
  listTimezones: { commands: [], apiOnly: dictionary, parameters: paging },
  readCompanyHours: { commands: ['hours list', 'hours export'] },
  updateCompanyHours: {
    commands: ['hours apply', 'history undo'],
    parameters: { schedule: flag('hours apply --file') },
  },
  readHours: { commands: ['hours list', 'hours export'] },
  updateHours: {
    commands: ['hours apply', 'history undo'],
    parameters: { schedule: flag('hours apply --file') },
  },
  listAnsweringRules: {
    commands: ['rule list', 'rule export'],
    parameters: {
      ...paging,
      view: itself('always Detailed: rules are shown whole'),
      type: apiOnly('the whole list is read, and --jq filters it'),
      enabledOnly: apiOnly('as type'),
      internalIds: apiOnly('changes only the form of ids'),
    },
  },
  createAnsweringRule: { commands: ['rule apply'], parameters: ruleParameters },
  readAnsweringRule: { commands: [], apiOnly: 'the list has all members of a rule' },
  updateAnsweringRule: {
    commands: ['rule apply', 'history undo'],
    parameters: { ...ruleParameters, id: itself('the id in the path') },
  },
  deleteAnsweringRule: { commands: [], apiOnly: 'a file never deletes a rule; undo disables a created one' },
  searchAuditTrail: {
    commands: ['audit list'],
    parameters: {
      eventTimeFrom: flag('audit list --since'),
      eventTimeTo: flag('audit list --until'),
      initiatorIds: flag('audit list --by'),
      targetIds: flag('audit list --target'),
      actionIds: flag('audit list --action'),
      excludeActionIds: flag('audit list --exclude-action'),
      searchString: flag('audit list --search'),
      siteId: flag('audit list --site'),
      page: itself('lists are read whole, page by page'),
      perPage: flag('audit list --per-page'),
    },
  },
  createSmsBatch: {
    commands: ['sms send'],
    parameters: {
      from: flag('sms send --from'),
      messages: flag('sms send --file'),
      text: itself('each message has its own text, made from the template'),
    },
  },
  listSmsBatches: {
    commands: ['sms batches', 'outcome resolve'],
    parameters: {
      dateFrom: flag('sms batches --since'),
      dateTo: flag('sms batches --until'),
      from: flag('sms batches --from'),
      status: apiOnly('--jq filters the list'),
      pageToken: itself('lists are read whole, page by page'),
      perPage: itself('the largest page'),
    },
  },
  readSmsBatch: { commands: ['sms batch'] },
  listSmsBatchMessages: {
    commands: ['sms batch', 'outcome resolve'],
    parameters: {
      batchId: flag('sms batch BATCH'),
      direction: apiOnly('a batch has outbound texts only'),
      dateFrom: apiOnly('a batch has one time'),
      dateTo: apiOnly('a batch has one time'),
      phoneNumber: apiOnly('--jq filters the list'),
      view: itself('Detailed for a comparison of texts'),
      pageToken: itself('lists are read whole, page by page'),
      perPage: itself('the largest page'),
    },
  },
  readApiVersions: { commands: ['doctor'] },
  authorize: {
    commands: ['login'],
    parameters: {
      response_type: itself('code'),
      client_id: flag('login --client-id'),
      redirect_uri: flag('login --redirect-uri'),
      state: itself('random, checked on return'),
      code_challenge: flag('login --no-pkce'),
      code_challenge_method: itself('S256'),
      prompt: apiOnly('the service decides whom it asks'),
      login_hint: apiOnly('the service decides whom it asks'),
      display: apiOnly('how a page looks in a browser window of an app'),
      ui_locales: apiOnly("the browser's own language counts"),
      localeId: apiOnly("the browser's own language counts"),
      ui_options: apiOnly('how a page looks in a browser window of an app'),
      brand_id: apiOnly('the page of the base URL has a brand already'),
      scope: apiOnly('the app is registered with its permissions'),
      nonce: apiOnly('there is no identity token'),
    },
  },
  issueToken: {
    commands: ['login'],
    parameters: {
      grant_type: flag('login --flow'),
      code: itself('from the redirect'),
      redirect_uri: flag('login --redirect-uri'),
      code_verifier: flag('login --no-pkce'),
      username: flag('login --username'),
      extension: flag('login --extension'),
      password: flag('login --password-stdin'),
      refresh_token: itself('from the session'),
      assertion: flag('login --assertion-file'),
      brand_id: flag('login --brand-id'),
      account_id: flag('login --account-id'),
      partner_account_id: flag('login --partner-account-id'),
      client_id: flag('login --client-id'),
      access_token_ttl: flag('login --access-token-ttl'),
      refresh_token_ttl: flag('login --refresh-token-ttl'),
      endpoint_id: apiOnly('names a device; there is none'),
    },
  },
  revokeToken: { commands: ['logout'] },
};

/** Event filters without a short name: users give their path. */
export const rawFilters: Readonly<Record<string, string>> = {
  instant: 'only texts: messages has them, and --where picks them',
  voicemail: 'messages has them, and --where picks them',
  fax: 'messages has them, and --where picks them',
  linePresence: 'the same body as presence, for lines',
  dnd: 'presence has the field',
  queuePresence: 'presence --extension QUEUE',
  accountPresence: 'needs one filter for all; agents one by one: presence --extension',
  extension: 'extensions has it',
};
