import { BusinessHours, BusinessHoursUpdate, CompanyHoursUpdate } from '../business-hours.ts';
import type { Operation } from './operation.ts';
import { account, extension } from './paths.ts';

/** Business hours of the company and of extensions. */
export const hours = {
  readCompanyHours: {
    method: 'GET',
    path: `${account}/business-hours`,
    dialects: ['current'],
    section: 'Business Hours',
    summary: 'Reads the business hours of the company',
    authorization: 'bearer',
    permission: 'ReadAccounts',
    group: 'Light',
    status: 200,
    reply: BusinessHours,
  },
  updateCompanyHours: {
    method: 'PUT',
    path: `${account}/business-hours`,
    dialects: ['current'],
    section: 'Business Hours',
    summary: 'Changes the business hours of the company',
    authorization: 'bearer',
    permission: 'EditExtensions',
    group: 'Medium',
    body: CompanyHoursUpdate,
    status: 200,
    reply: BusinessHours,
  },
  readHours: {
    method: 'GET',
    path: `${extension}/business-hours`,
    dialects: ['current'],
    section: 'Business Hours',
    summary: 'Reads the business hours of an extension',
    authorization: 'bearer',
    permission: 'ReadAccounts',
    group: 'Light',
    status: 200,
    reply: BusinessHours,
  },
  updateHours: {
    method: 'PUT',
    path: `${extension}/business-hours`,
    dialects: ['current'],
    section: 'Business Hours',
    summary: 'Changes the business hours of an extension',
    authorization: 'bearer',
    permission: 'EditExtensions',
    group: 'Medium',
    body: BusinessHoursUpdate,
    status: 200,
    reply: BusinessHours,
  },
} as const satisfies Record<string, Operation>;
