import type { NounSpec } from '../../runtime/define.ts';
import { eventsDlq } from './dlq.command.ts';
import { eventsExport } from './export.command.ts';
import { eventsImport } from './import.command.ts';
import { eventsList } from './list.command.ts';
import { eventsReplay } from './replay.command.ts';
import { eventsShow } from './show.command.ts';

export const eventsNoun: NounSpec = {
  name: 'events',
  summary: 'Events that were received',
  section: 'Live events',
  commands: [eventsList, eventsShow, eventsReplay, eventsExport, eventsImport, eventsDlq],
  outputs: async () => (await import('./outputs.command.ts')).eventsOutputs,
};
