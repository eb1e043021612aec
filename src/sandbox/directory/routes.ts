import type { Routes } from '../request/call.ts';
import { listExtensions, readExtension } from './extension-routes.ts';
import {
  changeExtension,
  mayUpdateExtensions,
  readExtensionUpdateTask,
  updateExtensions,
} from './update-routes.ts';
import { listForwardingNumbers, listPhoneNumbers } from './number-routes.ts';

/** Routes of extensions and their numbers. */
export const directoryRoutes = {
  listExtensions,
  readExtension,
  updateExtension: { guard: mayUpdateExtensions, handler: changeExtension },
  updateExtensions: { guard: mayUpdateExtensions, handler: updateExtensions },
  readExtensionUpdateTask: { guard: mayUpdateExtensions, handler: readExtensionUpdateTask },
  listPhoneNumbers,
  listForwardingNumbers,
} satisfies Routes;
