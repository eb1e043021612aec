import type { NounSpec } from '../../runtime/define.ts';
import { faxCancel } from './cancel.command.ts';
import { faxList } from './list.command.ts';
import { faxResend } from './resend.command.ts';
import { faxSend } from './send.command.ts';
import { faxStatus } from './status.command.ts';

export const faxNoun: NounSpec = {
  name: 'fax',
  summary: 'Faxes',
  section: 'Messages',
  commands: [faxSend, faxList, faxStatus, faxResend, faxCancel],
};
