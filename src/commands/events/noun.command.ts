import type { NounSpec } from '../../runtime/define.ts';
import { eventsDlq } from './dlq.command.ts';
import { eventsExport } from './export.command.ts';
import { eventsImport } from './import.command.ts';
import { eventsList } from './list.command.ts';
import { eventsReplay } from './replay.command.ts';
import { eventsShow } from './show.command.ts';

export const eventsNoun: NounSpec = {
  name: 'events',
  summary: 'List, replay, export and import received events',
  section: 'Live events',
  commands: [eventsList, eventsShow, eventsReplay, eventsExport, eventsImport, eventsDlq],
};
