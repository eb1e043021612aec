import type { NounSpec } from '../../runtime/define.ts';
import { sandboxAssertion } from './assertion.command.ts';
import { sandboxClock } from './clock.command.ts';
import { sandboxDelivery } from './delivery.command.ts';
import { sandboxEnv } from './env.command.ts';
import { sandboxExec } from './exec.command.ts';
import { sandboxFault } from './fault.command.ts';
import { sandboxLog } from './log.command.ts';
import { sandboxPhone } from './phone.command.ts';
import { sandboxPosts } from './posts.command.ts';
import { sandboxReset } from './reset.command.ts';
import { sandboxSettings } from './settings.command.ts';
import { sandboxSnapshot } from './snapshot.command.ts';
import { sandboxStart } from './start.command.ts';
import { sandboxStatus } from './status.command.ts';
import { sandboxStop } from './stop.command.ts';
import { sandboxToken } from './token.command.ts';
import { sandboxTraffic } from './traffic.command.ts';
import { sandboxTrigger } from './trigger.command.ts';
import { sandboxUser } from './user.command.ts';

export const sandboxNoun: NounSpec = {
  name: 'sandbox',
  summary: 'Local sandbox of the whole service, without an account',
  section: 'Account and setup',
  commands: [
    sandboxStart,
    sandboxEnv,
    sandboxExec,
    sandboxStatus,
    sandboxStop,
    sandboxReset,
    sandboxClock,
    sandboxTrigger,
    sandboxTraffic,
    sandboxPhone,
    sandboxFault,
    sandboxSnapshot,
    sandboxSettings,
    sandboxLog,
    sandboxPosts,
    sandboxDelivery,
    sandboxUser,
    sandboxAssertion,
    sandboxToken,
  ],
};
