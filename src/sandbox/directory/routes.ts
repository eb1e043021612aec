import { requireAdministrator } from '../request/access.ts';
import type { Routes } from '../request/call.ts';
import { listExtensions, readExtension } from './extension-routes.ts';
import { changeExtension, readExtensionUpdateTask, updateExtensions } from './update-routes.ts';
import { listForwardingNumbers, listPhoneNumbers } from './number-routes.ts';

/** Routes of extensions and their numbers. */
export const directoryRoutes = {
  listExtensions,
  readExtension,
  updateExtension: { guard: requireAdministrator, handler: changeExtension },
  updateExtensions: { guard: requireAdministrator, handler: updateExtensions },
  readExtensionUpdateTask: { guard: requireAdministrator, handler: readExtensionUpdateTask },
  listPhoneNumbers,
  listForwardingNumbers,
} satisfies Routes;
