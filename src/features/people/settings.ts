import type { Extension } from '../../contract/extension.ts';
import type { ExtensionUpdate } from '../../contract/extension-bulk-update.ts';
import { extensionNumberForm, type SettingSpec, type Value, type Values } from '../resource-plan/index.ts';

/** Statuses that a file can set. */
const statuses = ['Enabled', 'Disabled', 'Frozen', 'NotActivated'];
/** Members of the contact, which are settings of the same name. */
const contactNames = [
  'firstName',
  'lastName',
  'email',
  'company',
  'jobTitle',
  'department',
  'businessPhone',
  'mobilePhone',
] as const;

/**
 * The settings of a person (EXT-18). A person needs a first name, an e-mail address, a number and a status, and no request
 * removes the site (docs/adr/0099-removing-values-of-settings.md).
 */
export const personSettings = [
  { name: 'extensionNumber', type: 'text', ...extensionNumberForm },
  { name: 'firstName', type: 'text', maxLength: 64 },
  { name: 'lastName', type: 'text', maxLength: 64, removable: true },
  {
    name: 'email',
    type: 'text',
    maxLength: 254,
    pattern: /^[^@\s]+@[^@\s]+\.[^@\s]+$/,
    expected: 'an e-mail address of at most 254 characters',
  },
  { name: 'status', type: 'text', values: statuses },
  { name: 'company', type: 'text', maxLength: 64, removable: true },
  { name: 'jobTitle', type: 'text', maxLength: 64, removable: true },
  { name: 'department', type: 'text', maxLength: 64, removable: true },
  { name: 'businessPhone', type: 'text', removable: true },
  { name: 'mobilePhone', type: 'text', removable: true },
  { name: 'site', type: 'text' },
] as const satisfies readonly SettingSpec[];
export type PersonSetting = (typeof personSettings)[number]['name'];

/** Types of extensions that are people; the other types are queues, menus and devices. */
const personTypes = new Set(['User', 'DigitalUser', 'VirtualUser', 'FaxUser', 'FlexibleUser', 'Limited']);

export function isPerson({ type }: Pick<Extension, 'type'>): boolean {
  return personTypes.has(type);
}

/** Returns the current settings of a person. The site is represented by its name. */
export function valuesOf({ extensionNumber, contact, status, site }: Extension): Values {
  const own = Object.fromEntries(contactNames.map((name) => [name, contact?.[name] ?? null]));
  return {
    ...own,
    extensionNumber: extensionNumber ?? null,
    // The service ignores the case of e-mail addresses.
    email: contact?.email?.toLowerCase() ?? null,
    status,
    site: site?.name ?? site?.id ?? null,
  };
}

/** Whether the service can remove the value of a setting. */
export function canRemove(setting: string): boolean {
  return personSettings.some((spec) => spec.name === setting && 'removable' in spec);
}

/**
 * Returns the request that sets these values. An empty text removes an absent value. @param siteId the ID of a site, by
 * its name
 */
export function updateOf(id: string, values: Values, siteId: (name: string) => string): ExtensionUpdate {
  const text = (value: Value | undefined): string => (typeof value === 'string' ? value : '');
  const contact = Object.fromEntries(
    contactNames.filter((name) => name in values).map((name) => [name, text(values[name])]),
  );
  const { status, extensionNumber, site } = values;
  return {
    id,
    ...(typeof status === 'string' && { status: status as NonNullable<ExtensionUpdate['status']> }),
    ...(extensionNumber !== undefined && { extensionNumber: text(extensionNumber) }),
    ...(Object.keys(contact).length > 0 && { contact }),
    ...(typeof site === 'string' && { site: { id: siteId(site) } }),
  };
}
