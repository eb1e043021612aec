import type { Desk } from '../desk.ts';
import type { NounCases } from '../cases.ts';

const oneThing = { none: 'it shows one thing' };
const missing = { words: '999999', exit: 3, code: 'not_found' };
const answers = '+16505550112';

async function call(desk: Desk): Promise<string> {
  const { id } = (await desk.json(`ringout start --to ${answers} --yes`)) as { id: number };
  return String(id);
}

export const ringout: NounCases = {
  desk: {},
  commands: {
    'ringout start': {
      success: { words: `--to ${answers} --yes` },
      empty: { none: 'there is always a call' },
      error: { words: '--to 12 --yes', exit: 2, code: 'usage' },
    },
    'ringout status': { success: { words: call }, empty: oneThing, error: missing },
    'ringout cancel': { success: { words: call }, empty: oneThing, error: missing },
    'ringout numbers': {
      success: { words: '' },
      empty: { words: '', blank: /forwarding-number/ },
      error: { words: 'unexpected', exit: 2, code: 'usage' },
    },
    'ringout caller-ids': {
      success: { words: '' },
      empty: { words: '', blank: /phone-number/ },
      error: { words: 'unexpected', exit: 2, code: 'usage' },
    },
  },
};

async function ids(desk: Desk): Promise<readonly { readonly id: string; readonly sessionId: string }[]> {
  return desk.json('calllog list --since 30d -L 5');
}

export const callLog: NounCases = {
  desk: { sandbox: { fixture: 'call-center' } },
  commands: {
    'calllog list': {
      success: { words: '--since 30d -L 3 --view Detailed' },
      empty: { words: '--since 1m -L 3' },
      error: { words: '--since never', exit: 2, code: 'usage' },
    },
    'calllog show': {
      success: { words: async (desk) => (await ids(desk))[0]?.sessionId ?? '', table: 'text' },
      empty: oneThing,
      error: missing,
    },
    'calllog active': {
      success: {
        words: async (desk) => {
          await desk.sandbox.control('POST', '/triggers/call', { to: '102', from: '+14155550142' });
          await desk.sandbox.clock.advance(20_000);
          return '';
        },
      },
      empty: { words: '--phone +19995550100' },
      error: { words: '--direction Sideways', exit: 2, code: 'usage' },
    },
    'calllog sync': {
      success: { words: '--since 2d' },
      empty: { none: 'it tells what it did' },
      error: { words: '--since never', exit: 2, code: 'usage' },
    },
    'calllog stats': {
      success: { words: '--since 1d', table: 'text' },
      empty: { words: '--since 1m', table: 'text' },
      error: { words: '--since never', exit: 2, code: 'usage' },
    },
  },
};

export const download: NounCases = {
  desk: { files: { 'none.csv': 'message\n' } },
  commands: {
    download: {
      success: {
        words: async (desk) =>
          `--uri ${desk.sandbox.url}/restapi/v1.0/account/~/extension/171857102/profile-image/content/171857102 --dir out --clobber`,
      },
      empty: { words: '--fax --since 1h --dir out' },
      error: { words: '', exit: 2, code: 'usage' },
    },
  },
};
