import { address, flag, id, integer, list, moment, record, text, words } from '../shape.ts';

const contact = record({
  firstName: text,
  lastName: text,
  company: text,
  jobTitle: text,
  email: text,
  businessPhone: text,
  department: text,
  mobilePhone: text,
});
const status = words('Enabled', 'Disabled', 'Frozen', 'NotActivated', 'Unassigned');

/** Extension: `id` identifies it. */
export const extension = record(
  {
    uri: address,
    id,
    extensionNumber: text,
    contact,
    name: text,
    type: words('User', 'Department', 'Announcement', 'Voicemail', 'FaxUser', 'Limited', 'ParkLocation'),
    status,
    statusInfo: record({ comment: text, reason: words('Voluntarily', 'Involuntarily') }),
    permissions: record({
      admin: record({ enabled: flag }),
      internationalCalling: record({ enabled: flag }),
    }),
    profileImage: record({ uri: address, etag: text, contentType: text }),
    hidden: flag,
    site: record({ id, name: text, code: text }),
    setupWizardState: words('NotStarted', 'Incomplete', 'Completed'),
  },
  'id',
);

const taskErrors = list(record({ errorCode: text, message: text, parameterName: text }));

/** Task that changes extensions: `id` and `status` prove that it was accepted. */
export const extensionTask = record(
  {
    uri: address,
    id: text,
    status: text,
    creationTime: moment,
    lastModifiedTime: moment,
    result: record({
      affectedItems: record({
        result: list(record({ extensionId: id, status: words('Success', 'Fail'), errors: taskErrors })),
      }),
      errors: taskErrors,
    }),
  },
  'id',
  'status',
);

/** Member of a queue, in department/{id}/members and in call-queues/{id}/members. */
export const queueMember = record({ uri: address, id, extensionNumber: text }, 'id');

/** Queue as call-queues lists it. */
export const callQueue = record(
  {
    uri: address,
    id,
    extensionNumber: text,
    name: text,
    status,
    subType: words('Emergency', 'Unknown'),
    site: record({ id, name: text }),
    serviceLevelSettings: record({
      slaGoal: integer,
      slaThresholdSeconds: integer,
      includeAbandonedCalls: flag,
    }),
    editableMemberStatus: flag,
    alertTimer: integer,
  },
  'id',
);

/** Number that belongs to an extension. */
export const phoneNumber = record(
  {
    id,
    uri: address,
    phoneNumber: text,
    label: text,
    location: text,
    primary: flag,
    paymentType: words('External', 'TollFree', 'Local'),
    type: words('VoiceFax', 'VoiceOnly', 'FaxOnly'),
    usageType: words('MainCompanyNumber', 'CompanyNumber', 'DirectNumber', 'ConferencingNumber'),
    features: list(words('CallerId', 'SmsSender', 'A2PSmsSender', 'MmsSender', 'Delegated')),
    status: words('Normal', 'Pending', 'PortedIn', 'Temporary'),
    country: record({ id, uri: address, name: text, isoCode: text, callingCode: text }),
    extension: record({ id, uri: address }),
  },
  'id',
);

/** Number that may ring first in a RingOut call. */
export const forwardingNumber = record(
  {
    id,
    uri: address,
    phoneNumber: text,
    label: text,
    features: list(words('CallFlip', 'CallForwarding')),
    flipNumber: text,
    type: words('Home', 'Mobile', 'Work', 'PhoneLine', 'Outage', 'Other', 'BusinessMobilePhone'),
    device: record({ id }),
    extension: record({ id, uri: address, name: text }),
  },
  'id',
);

export const feature = record(
  { id: text, available: flag, reason: record({ code: text, message: text, permission: text }) },
  'id',
  'available',
);

/** Country, state, location and time zone of the dictionaries. */
export const dictionaryEntry = record(
  { id, uri: address, name: text, isoCode: text, callingCode: text },
  'id',
);
export const versions = record({
  uri: address,
  apiVersions: list(record({ uri: address, versionString: text, releaseDate: text, uriString: text })),
  serverVersion: text,
  serverRevision: text,
});
