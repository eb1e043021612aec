/** Values of the service's enumerations, as listed in docs/spec. This module must not import anything. */

export const dndStatuses = [
  'TakeAllCalls',
  'DoNotAcceptAnyCalls',
  'DoNotAcceptDepartmentCalls',
  'TakeDepartmentCallsOnly',
] as const;
export type DndStatus = (typeof dndStatuses)[number];

/** Modes for calls that are not calls of a queue, in dialect `current` (PRESENCE-21). */
export const personalDndStatuses = ['TakeAllCalls', 'DoNotAcceptAnyCalls'] as const;
/** Users who see the number of a caller, in dialect `current` (PRESENCE-21). */
export const callerIdVisibilities = ['All', 'None', 'PermittedUsers'] as const;

export const userStatuses = ['Available', 'Busy', 'Offline'] as const;
export type UserStatus = (typeof userStatuses)[number];

export const telephonyStatuses = ['NoCall', 'CallConnected', 'Ringing', 'OnHold', 'ParkedCall'] as const;
export const meetingStatuses = ['Connected', 'Disconnected'] as const;

/** Values of the unified presence, in dialect `current` (PRESENCE-24). */
export const unifiedStatuses = ['Available', 'Offline', 'DND', 'Busy'] as const;
export const chatStatuses = ['Offline', 'Online'] as const;
export const visibilities = ['Visible', 'Invisible'] as const;
export const chatAvailabilities = ['Available', 'DND'] as const;
export const telephonyAvailabilities = [
  'TakeAllCalls',
  'DoNotAcceptAnyCalls',
  'DoNotAcceptQueueCalls',
] as const;
export const unifiedMeetingStatuses = ['NoMeeting', 'InMeeting'] as const;

/** Types of a line of `callInfo` (PRESENCE-23). */
export const callInfoTypes = [
  'PhoneNumberLabel',
  'PhoneNumber',
  'QueueExtension',
  'QueueName',
  'CallerIdName',
  'CallerIdNumber',
  'None',
] as const;

/** Types of extensions (EXT-6). Dialect `current` uses `Voicemail` for `Take Messages Only` (EXT-10). */
export const extensionTypes = [
  'User',
  'Department',
  'Take Messages Only',
  'Voicemail',
  'Announcement',
  'FaxUser',
  'VirtualUser',
  'DigitalUser',
  'SharedLinesGroup',
  'PagingOnly',
  'IvrMenu',
  'ApplicationExtension',
  'ParkLocation',
  'Limited',
  'Bot',
  'Room',
  'RoomConnector',
  'Site',
  'ProxyAdmin',
  'DelegatedLinesGroup',
  'GroupCallPickup',
  'FlexibleUser',
  'TieLine',
  'Unknown',
] as const;

export const extensionStatuses = ['Enabled', 'Disabled', 'Frozen', 'NotActivated', 'Unassigned'] as const;
/** Statuses of a call queue (OPERATION-3). */
export const queueStatuses = ['Enabled', 'Disabled', 'NotActivated', 'Unassigned'] as const;

export const messageTypes = ['SMS', 'Fax', 'Pager', 'VoiceMail'] as const;
/** Types of answering rules (RULE-2). */
export const ruleTypes = ['BusinessHours', 'AfterHours', 'Custom'] as const;
/** Groups of owners of messages, in dialect `current` (CURRENT-17). */
export const messageOwners = ['Any', 'Personal', 'Shared'] as const;
export const directions = ['Inbound', 'Outbound'] as const;
export const readStatuses = ['Read', 'Unread'] as const;
export const availabilities = ['Alive', 'Deleted', 'Purged'] as const;
export const priorities = ['Normal', 'High'] as const;
export const messageStatuses = [
  'Received',
  'Queued',
  'Sent',
  'SendingFailed',
  'Delivered',
  'DeliveryFailed',
] as const;
export const attachmentTypes = [
  'AudioRecording',
  'AudioTranscription',
  'Text',
  'SourceDocument',
  'RenderedDocument',
  'MmsAttachment',
] as const;

export const phoneUsageTypes = [
  'MainCompanyNumber',
  'AdditionalCompanyNumber',
  'CompanyNumber',
  'DirectNumber',
  'CompanyFaxNumber',
  'ForwardedNumber',
  'ForwardedCompanyNumber',
] as const;
export const phoneTypes = ['VoiceFax', 'VoiceOnly', 'FaxOnly'] as const;
export const paymentTypes = ['External', 'TollFree', 'Local'] as const;
export const phoneStatuses = ['Normal', 'Pending', 'PortedIn', 'Temporary'] as const;
export const forwardingFeatures = ['CallFlip', 'CallForwarding'] as const;
export const forwardingTypes = ['Home', 'Mobile', 'Work', 'PhoneLine', 'Outage', 'Other'] as const;

/**
 * Transports of a subscription. `PubNub` is another name of the hosted channel (CHANNEL-4). Only dialect `current` has
 * `WebSocket`, and only through a WebSocket (SOCKET-5).
 */
export const transportTypes = ['WebHook', 'ChannelService', 'PubNub', 'WebSocket'] as const;
export const subscriptionStatuses = ['Active', 'Suspended', 'Blacklisted'] as const;

/** Permitted values of a queue's `alertTimer`, in seconds (OPERATION-3). */
export const alertTimers = [5, 10, 15, 20, 30, 45, 60, 120, 180, 240, 300, 360, 420, 480, 540, 600] as const;

export const rateGroups = ['Light', 'Medium', 'Heavy', 'Auth'] as const;
export type RateGroup = (typeof rateGroups)[number];

/**
 * The permissions of an application, each with the permissions that it includes directly (PERMISSION-3 to
 * PERMISSION-29).
 */
export const permissionIncludes = {
  Accounts: ['EditAccounts'],
  Contacts: ['ReadContacts'],
  DirectRingOut: [],
  EditAccounts: ['ReadAccounts', 'EditExtensions'],
  EditCallLog: ['ReadCallLog'],
  EditCustomData: [],
  EditExtensions: [],
  EditMessages: ['ReadMessages'],
  EditPaymentInfo: [],
  EditPresence: ['ReadPresence'],
  EditReportingSettings: [],
  Faxes: ['ReadMessages'],
  InternalMessages: ['ReadMessages'],
  Interoperability: [],
  Meetings: [],
  NumberLookup: [],
  ReadAccounts: [],
  ReadCallLog: [],
  ReadCallRecording: ['ReadCallLog'],
  ReadClientInfo: [],
  ReadContacts: [],
  ReadMessages: [],
  ReadPresence: [],
  // The permission for RingOut calls; older descriptions of the interface do not name it (PERMISSION-26).
  RingOut: [],
  RoleManagement: [],
  SMS: ['ReadMessages'],
  VoipCalling: [],
} as const satisfies Record<string, readonly string[]>;
export type Permission = keyof typeof permissionIncludes;

/** The permissions of an application in dialect `current`, in the form of `permissionIncludes` (PERMISSION-30). */
export const currentPermissionIncludes = {
  ...permissionIncludes,
  A2PSMS: [],
  ReadAuditTrail: [],
  TeamMessaging: [],
  WebSocket: [],
} as const satisfies Record<string, readonly string[]>;
export type CurrentPermission = keyof typeof currentPermissionIncludes;

/** The permissions of each dialect, with the permissions that they include. */
export const permissionsByDialect: Readonly<
  Record<'spec' | 'current', Readonly<Record<string, readonly string[]>>>
> = { spec: permissionIncludes, current: currentPermissionIncludes };

export const callStatuses = ['InProgress', 'Success', 'CannotReach', 'NoAnsweringMachine'] as const;
export type CallStatus = (typeof callStatuses)[number];
/** Statuses of the caller's and the callee's leg of a RingOut call (RINGOUT-19 to RINGOUT-28). */
export const legStatuses = [
  'InProgress',
  'Busy',
  'NoAnswer',
  'Rejected',
  'Success',
  'Finished',
  'GenericError',
  'InternationalDisabled',
  'NoSessionFound',
  'Invalid',
] as const;
export type LegStatus = (typeof legStatuses)[number];

export const syncTypes = ['FSync', 'ISync'] as const;
export const faxResolutions = ['High', 'Low'] as const;
export const faxErrorCodes = [
  'AllLinesInUse',
  'Undefined',
  'NoFaxSendPermission',
  'NoInternationalPermission',
  'NoFaxMachine',
  'NoAnswer',
  'LineBusy',
  'CallerHungUp',
  'NotEnoughCredits',
  'SentPartially',
  'InternationalCallingDisabled',
  'DestinationCountryDisabled',
  'UnknownCountryCode',
  'NotAccepted',
  'InvalidNumber',
  'CallDeclined',
  'TooManyCallsPerLine',
  'CallFailed',
  'RenderingFailed',
  'TooManyPages',
  'NoCallTime',
  'WrongNumber',
  'ProhibitedNumber',
  'InternalError',
  'FaxSendingProhibited',
  'UserNotFound',
  'ConvertError',
  'AccountSuspended',
  'ProhibitedDestination',
  'InternationalDisabled',
] as const;
export const transcriptionStatuses = [
  'NotAvailable',
  'InProgress',
  'TimedOut',
  'Completed',
  'CompletedPartially',
  'Failed',
  'Unknown',
] as const;

/** Types of calls in the call log. Only dialect `spec` has the type SMS (CALL-11, CURRENT-13). */
export const callTypes = ['Voice', 'Fax', 'SMS'] as const;
/** Types of conferences of active calls; dialect `current` only (ACTIVE-3). */
export const conferenceTypes = ['AudioConferencing', 'Meetings'] as const;
export const callTransports = ['PSTN', 'VoIP'] as const;
export const callLogViews = ['Simple', 'Detailed'] as const;
export const recordingTypes = ['Automatic', 'OnDemand'] as const;
export const callActions = [
  'Unknown',
  'Phone Call',
  'Phone Login',
  'Calling Card',
  'VoIP Call',
  'Paging',
  'Hunting',
  'Call Park',
  'Monitoring',
  'Text Relay',
  'External Application',
  'Park Location',
  'CallOut-CallMe',
  'Conference Call',
  'Move',
  'Meetings',
  'Accept Call',
  'FindMe',
  'FollowMe',
  'RingMe',
  'Transfer',
  'Call Return',
  'Ring Directly',
  'RingOut Web',
  'RingOut PC',
  'RingOut Mobile',
  'Emergency',
  'E911 Update',
  'Support',
  'Incoming Fax',
  'Outgoing Fax',
] as const;
export const callResults = [
  'Unknown',
  'Accepted',
  'Call connected',
  'In Progress',
  'Voicemail',
  'Reply',
  'Missed',
  'Busy',
  'Rejected',
  'No Answer',
  'Hang Up',
  'Blocked',
  'Suspended account',
  'Call Failed',
  'Call Failure',
  'Internal Error',
  'IP Phone Offline',
  'No Calling Credit',
  'Not Allowed',
  'Restricted Number',
  'Wrong Number',
  'Answered Not Accepted',
  'Stopped',
  'International Disabled',
  'International Restricted',
  'Abandoned',
  'Declined',
  'Received',
  'Fax on Demand',
  'Partial Receive',
  'Receive Error',
  'Fax Receipt Error',
  'Sent',
  'Fax Partially Sent',
  'Send Error',
  'Fax Not Sent',
  'Fax Poor Line',
] as const;
/** Results of calls that are still in progress (CALL-21). */
export const unfinishedCallResults: readonly string[] = [
  'In Progress',
  'Unknown',
] satisfies (typeof callResults)[number][];
export const legTypes = [
  'SipForwarding',
  'ServiceMinus2',
  'ServiceMinus3',
  'PstnToSip',
  'Accept',
  'FindMe',
  'FollowMe',
  'TestCall',
  'FaxSent',
  'CallBack',
  'CallingCard',
  'RingDirectly',
  'RingOutWebToSubscriber',
  'RingOutWebToCaller',
  'SipToPstnMetered',
  'RingOutClientToSubscriber',
  'RingOutClientToCaller',
  'RingMe',
  'TransferCall',
  'SipToPstnUnmetered',
  'RingOutDeviceToSubscriber',
  'RingOutDeviceToCaller',
  'RingOutOneLegToCaller',
  'ExtensionToExtension',
  'CallPark',
  'PagingServer',
  'Hunting',
  'OutgoingFreeSpDl',
  'ParkLocation',
  'ConferenceCall',
  'MobileApp',
  'Monitoring',
  'MoveToConference',
  'Unknown',
] as const;
export const chatWebhookStatuses = ['Active', 'Suspended', 'Deleted'] as const;
