/** Values of the service's enumerations (specification, Resources and States; facts 1.1). Imports nothing. */

export const DND_STATUSES = [
  'TakeAllCalls',
  'DoNotAcceptAnyCalls',
  'DoNotAcceptDepartmentCalls',
  'TakeDepartmentCallsOnly',
] as const;
export type DndStatus = (typeof DND_STATUSES)[number];

export const USER_STATUSES = ['Available', 'Busy', 'Offline'] as const;
export type UserStatus = (typeof USER_STATUSES)[number];

export const TELEPHONY_STATUSES = ['NoCall', 'CallConnected', 'Ringing', 'OnHold', 'ParkedCall'] as const;
export const MEETING_STATUSES = ['Connected', 'Disconnected'] as const;

/** As the specification writes them; other deployments say `Voicemail` for `Take Messages Only`. */
export const EXTENSION_TYPES = [
  'User',
  'Department',
  'Take Messages Only',
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
  'Site',
] as const;
export type ExtensionType = (typeof EXTENSION_TYPES)[number];

export const EXTENSION_STATUSES = ['Enabled', 'Disabled', 'Frozen', 'NotActivated', 'Unassigned'] as const;
export type ExtensionStatus = (typeof EXTENSION_STATUSES)[number];

export const MESSAGE_TYPES = ['SMS', 'Fax', 'Pager', 'VoiceMail'] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];
export const DIRECTIONS = ['Inbound', 'Outbound'] as const;
export const READ_STATUSES = ['Read', 'Unread'] as const;
export const AVAILABILITIES = ['Alive', 'Deleted', 'Purged'] as const;
export const PRIORITIES = ['Normal', 'High'] as const;
export const MESSAGE_STATUSES = [
  'Received',
  'Queued',
  'Sent',
  'SendingFailed',
  'Delivered',
  'DeliveryFailed',
] as const;
export const ATTACHMENT_TYPES = [
  'AudioRecording',
  'AudioTranscription',
  'Text',
  'SourceDocument',
  'RenderedDocument',
  'MmsAttachment',
] as const;

export const PHONE_USAGE_TYPES = [
  'MainCompanyNumber',
  'AdditionalCompanyNumber',
  'CompanyNumber',
  'DirectNumber',
  'CompanyFaxNumber',
  'ForwardedNumber',
  'ForwardedCompanyNumber',
] as const;
export const PHONE_TYPES = ['VoiceFax', 'VoiceOnly', 'FaxOnly'] as const;
export const PAYMENT_TYPES = ['External', 'TollFree', 'Local'] as const;
export const PHONE_STATUSES = ['Normal', 'Pending', 'PortedIn', 'Temporary'] as const;
export const FORWARDING_FEATURES = ['CallFlip', 'CallForwarding'] as const;
export const FORWARDING_TYPES = ['Home', 'Mobile', 'Work', 'PhoneLine', 'Outage', 'Other'] as const;

/** `PubNub` is what other deployments call the hosted channel. */
export const TRANSPORT_TYPES = ['WebHook', 'ChannelService', 'PubNub'] as const;
export const SUBSCRIPTION_STATUSES = ['Active', 'Suspended', 'Blacklisted'] as const;

export const RATE_GROUPS = ['Light', 'Medium', 'Heavy', 'Auth'] as const;
export type RateGroup = (typeof RATE_GROUPS)[number];

/** Permissions of the specification, with what each includes directly. */
export const PERMISSION_INCLUDES = {
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
  // The specification writes "the service" here: its neutral word for the two-legged call's permission (docs/service-gaps.md).
  RingOut: [],
  RoleManagement: [],
  SMS: ['ReadMessages'],
  VoipCalling: [],
} as const satisfies Record<string, readonly string[]>;
export type Permission = keyof typeof PERMISSION_INCLUDES;

export const CALL_STATUSES = ['InProgress', 'Success', 'CannotReach', 'NoAnsweringMachine'] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];
/** Of the caller's and of the callee's leg (specification, Outbound call statuses). */
export const LEG_STATUSES = [
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
export type LegStatus = (typeof LEG_STATUSES)[number];

export const SYNC_TYPES = ['FSync', 'ISync'] as const;
export const FAX_RESOLUTIONS = ['High', 'Low'] as const;
export const FAX_ERROR_CODES = [
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
export const TRANSCRIPTION_STATUSES = [
  'NotAvailable',
  'InProgress',
  'TimedOut',
  'Completed',
  'CompletedPartially',
  'Failed',
  'Unknown',
] as const;

/** Call log (facts 1.5). The specification also names SMS as a type; no published enumeration has it. */
export const CALL_TYPES = ['Voice', 'Fax', 'SMS'] as const;
export const CALL_TRANSPORTS = ['PSTN', 'VoIP'] as const;
export const CALL_LOG_VIEWS = ['Simple', 'Detailed'] as const;
export const RECORDING_TYPES = ['Automatic', 'OnDemand'] as const;
export const CALL_ACTIONS = [
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
export const CALL_RESULTS = [
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
export const LEG_TYPES = [
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
export const CHAT_WEBHOOK_STATUSES = ['Active', 'Suspended', 'Deleted'] as const;
