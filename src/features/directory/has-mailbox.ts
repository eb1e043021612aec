import type { Extension } from '../../contract/extension.ts';

/** Extensions without a mailbox of their own. */
const withoutMailbox = new Set([
  'IvrMenu',
  'ParkLocation',
  'PagingOnly',
  'Announcement',
  'ApplicationExtension',
]);

/** Whether an extension has a mailbox, by its type. */
export function hasMailbox({ type }: Pick<Extension, 'type'>): boolean {
  return !withoutMailbox.has(type);
}
