import type { ExtensionUpdate } from '../../contract/extension-bulk-update.ts';
import { auditActions, detailsOf, noteChange } from '../audit/note.ts';
import { invalidParameter, notFound } from '../request/errors.ts';
import type { World } from '../world/world.ts';
import { mainSiteId } from './detail-store.ts';
import { extensionsChanged } from './events.ts';
import type { ExtensionRow } from './extension-store.ts';
import { toExtension } from './extension-routes.ts';
import { changeStatus, requiredRole } from './user-lifecycle.ts';

/**
 * Applies the change of one extension (EXT-18). Members that the change does not name stay unchanged; an empty text
 * removes a value.
 * @throws {ServiceError} if the extension is not found, or a value is invalid or used by another extension.
 */
export function updateExtension(world: World, by: ExtensionRow, change: ExtensionUpdate): void {
  const target = /^\d+$/.test(change.id) ? world.extensions.byId(Number(change.id)) : undefined;
  if (target?.accountId !== by.accountId) throw notFound('id', 400);
  checkNumber(world, target, change.extensionNumber);
  checkEmail(world, target, change.contact?.email);
  if (change.site && world.details.site(change.site.id)?.accountId !== by.accountId)
    throw notFound('site.id', 400);
  if (change.status !== undefined) checkStatus(world, target, change.status);
  const before = JSON.stringify(toExtension(world, target));
  world.extensions.update(withChange(target, change));
  saveDetails(world, target, change);
  setStatus(world, target, change);
  noteChange(world, by, auditActions.extension, target, changeDetails(change));
  const after = JSON.stringify(toExtension(world, world.extensions.byId(target.id) ?? target));
  if (after !== before) extensionsChanged(world, target.accountId, [target.id], 'ExtensionInfo');
}

function checkNumber(world: World, { id, accountId, extensionNumber }: ExtensionRow, wanted?: string): void {
  if (wanted === undefined || wanted === extensionNumber) return;
  if (!/^[1-9]\d{1,7}$/.test(wanted))
    throw invalidParameter(
      'extensionNumber',
      'an extension number has 2 to 8 digits and does not begin with 0',
    );
  const owner = world.extensions.byNumber(accountId, wanted);
  if (owner && owner.id !== id)
    throw invalidParameter('extensionNumber', `extension ${owner.name} already has this number`);
}

function checkEmail(world: World, { id }: ExtensionRow, wanted?: string): void {
  if (!wanted) return;
  if (!/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(wanted))
    throw invalidParameter('contact.email', 'the value is not a valid e-mail address');
  const owner = world.extensions.byEmail(wanted);
  if (owner && owner.id !== id)
    throw invalidParameter('contact.email', `extension ${owner.name} already has this e-mail address`);
}

function checkStatus(world: World, target: ExtensionRow, status: string): void {
  const role = status === 'Enabled' ? undefined : requiredRole(world, target);
  if (role !== undefined)
    throw invalidParameter('status', `the extension must stay Enabled, because it is ${role}`);
}

function withChange(row: ExtensionRow, { extensionNumber, contact = {} }: ExtensionUpdate): ExtensionRow {
  const firstName = textOr(contact.firstName, row.firstName);
  const lastName = textOr(contact.lastName, row.lastName);
  const isRenamed = firstName !== row.firstName || lastName !== row.lastName;
  return {
    ...row,
    extensionNumber: textOr(extensionNumber, row.extensionNumber),
    firstName,
    lastName,
    name: isRenamed ? [firstName, lastName].filter(Boolean).join(' ') : row.name,
    email: textOr(contact.email, row.email),
  };
}

function saveDetails(world: World, { id }: ExtensionRow, { contact = {}, site }: ExtensionUpdate): void {
  const before = world.details.of(id);
  world.details.save({
    extensionId: id,
    company: textOr(contact.company, before.company),
    jobTitle: textOr(contact.jobTitle, before.jobTitle),
    department: textOr(contact.department, before.department),
    businessPhone: textOr(contact.businessPhone, before.businessPhone),
    mobilePhone: textOr(contact.mobilePhone, before.mobilePhone),
    siteId: site ? site.id : (before.siteId ?? mainSiteId),
  });
}

/** Returns the new value; an empty text removes the value, undefined leaves it unchanged. */
function textOr(wanted: string | undefined, before: string | null): string | null {
  return wanted === undefined ? before : wanted.trim() || null;
}

/** Only an extension that is not Enabled has a statusInfo. A change without status changes only the named members. */
function setStatus(world: World, target: ExtensionRow, { status, statusInfo }: ExtensionUpdate): void {
  const { id, statusReason: reason, statusComment: comment } = target;
  const isChanged = status !== undefined && status !== target.status;
  if (isChanged) changeStatus(world, target, status, status === 'Enabled' ? {} : statusInfo);
  else if (target.status !== 'Enabled' && statusInfo)
    world.extensions.setStatus(id, target.status, {
      reason: statusInfo.reason ?? reason,
      comment: statusInfo.comment ?? comment,
    });
}

/** Returns the new values, for the audit trail. */
function changeDetails({
  contact,
  site,
  status,
  extensionNumber,
}: ExtensionUpdate): Readonly<Record<string, string>> {
  return detailsOf({ status, extensionNumber, ...contact, site: site?.id });
}
