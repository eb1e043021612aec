import type { NounSpec } from '../../runtime/define.ts';
import { eventsConsume } from './consume.command.ts';
import { eventsConsumers } from './consumers.command.ts';
import { eventsDlq } from './dlq.command.ts';
import { eventsExport } from './export.command.ts';
import { eventsImport } from './import.command.ts';
import { eventsList } from './list.command.ts';
import { eventsReceivers } from './receivers.command.ts';
import { eventsReplay } from './replay.command.ts';
import { eventsShow } from './show.command.ts';

export const eventsNoun: NounSpec = {
  name: 'events',
  summary: 'List, replay, export and import received events',
  section: 'Live events',
  commands: [
    eventsList,
    eventsShow,
    eventsReplay,
    eventsExport,
    eventsImport,
    eventsDlq,
    eventsReceivers,
    eventsConsume,
    eventsConsumers,
  ],
};
