import { requireAdministrator } from '../request/access.ts';
import type { Routes } from '../request/call.ts';
import {
  mayChangeExtension,
  readCompanyHours,
  readHours,
  updateCompanyHours,
  updateHours,
} from './hours-routes.ts';
import {
  createAnsweringRule,
  deleteAnsweringRule,
  listAnsweringRules,
  mayChangeRules,
  readAnsweringRule,
  updateAnsweringRule,
} from './rule-routes.ts';

/** Routes of business hours and answering rules. */
export const hoursRoutes = {
  readCompanyHours,
  updateCompanyHours: { guard: requireAdministrator, handler: updateCompanyHours },
  readHours,
  updateHours: { guard: mayChangeExtension, handler: updateHours },
  listAnsweringRules,
  createAnsweringRule: { guard: mayChangeRules, handler: createAnsweringRule },
  readAnsweringRule,
  updateAnsweringRule: { guard: mayChangeRules, handler: updateAnsweringRule },
  deleteAnsweringRule: { guard: mayChangeRules, handler: deleteAnsweringRule },
} satisfies Routes;
