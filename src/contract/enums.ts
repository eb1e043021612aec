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

export const TRANSPORT_TYPES = ['WebHook', 'ChannelService'] as const;
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
