import type { NounSpec } from '../../runtime/define.ts';
import { fleetBudget } from './budget.command.ts';
import { fleetDrain } from './drain.command.ts';
import { fleetEnroll } from './enroll.command.ts';
import { fleetPause } from './pause.command.ts';
import { fleetResume } from './resume.command.ts';
import { fleetRetry } from './retry.command.ts';
import { fleetSession } from './session.command.ts';
import { fleetStatus } from './status.command.ts';
import { fleetWorker } from './worker.command.ts';

export const fleetNoun: NounSpec = {
  name: 'fleet',
  summary: 'Copy mailboxes and calls with workers on several machines',
  section: 'Account and setup',
  commands: [
    fleetEnroll,
    fleetWorker,
    fleetStatus,
    fleetBudget,
    fleetSession,
    fleetPause,
    fleetResume,
    fleetRetry,
    fleetDrain,
  ],
};
