import type { NounSpec } from '../../runtime/define.ts';
import { hoursApply } from './apply.command.ts';
import { hoursExport } from './export.command.ts';
import { hoursList } from './list.command.ts';
import { hoursPlan } from './plan.command.ts';

export const hoursNoun: NounSpec = {
  name: 'hours',
  summary: 'Show and change business hours',
  section: 'Phones and people',
  commands: [hoursList, hoursExport, hoursPlan, hoursApply],
};
