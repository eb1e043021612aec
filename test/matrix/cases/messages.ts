import type { Desk } from '../desk.ts';
import type { NounCases } from '../cases.ts';

const oneThing = { none: 'it shows one thing' };
const to = '+16505550112';
const missing = { words: '999999', exit: 3, code: 'not_found' };
/** A command for several items reports the result of each, also when all failed. */
const allMissing = { ...missing, saysWhat: true };

/** Sends a text and returns its id. */
async function text(desk: Desk): Promise<string> {
  const { id } = (await desk.json(['sms', 'send', '--to', to, 'hello', '--yes'])) as { id: number };
  return String(id);
}

async function deleted(desk: Desk): Promise<string> {
  const id = await text(desk);
  await desk.json(`message delete ${id} --yes`);
  return id;
}

async function voicemail(desk: Desk): Promise<void> {
  await desk.sandbox.control('POST', '/triggers/voicemail', { to: '100' });
}

async function fax(desk: Desk, more = ''): Promise<string> {
  const { id } = (await desk.json(`fax send --to +14155550100 a.txt --yes ${more}`)) as { id: number };
  return String(id);
}

/** Sends a batch; returns no words. */
async function batch(desk: Desk): Promise<string> {
  await desk.run('sms send --high-volume -f list.csv --template hello --new-run --yes');
  return '';
}

export const sms: NounCases = {
  desk: {
    sandbox: { dialect: 'current' },
    prepare: text,
    files: { 'list.csv': `to,name\n${to},Ada\n`, 'none.csv': 'to,name\n' },
  },
  commands: {
    'sms send': {
      success: { words: ['--to', to, 'Your parcel', '--yes'] },
      empty: { none: 'there is always a text' },
      error: { words: '--to 12 hello --yes', exit: 2, code: 'usage' },
    },
    'sms batches': {
      success: { words: (desk) => batch(desk) },
      empty: { words: '--from +16505550101' },
      error: { words: '--since never', exit: 2, code: 'usage' },
    },
    'sms batch': {
      success: {
        words: async (desk) => {
          await batch(desk);
          return '1';
        },
      },
      empty: { words: '1', blank: /a2p-sms\/messages$/ },
      error: missing,
    },
    'sms list': {
      success: { words: '' },
      empty: { words: '--phone +19995550100' },
      error: { words: '--since never', exit: 2, code: 'usage' },
    },
    'sms thread': {
      success: { words: to },
      empty: { words: '+19995550100' },
      error: { words: 'nobody', exit: 2, code: 'usage' },
    },
    'sms numbers': {
      success: { words: '' },
      empty: { words: '', blank: /phone-number/ },
      error: { words: 'unexpected', exit: 2, code: 'usage' },
    },
    'sms resolve': {
      success: { words: '--all' },
      empty: { words: '--all' },
      error: missing,
    },
  },
};

export const pager: NounCases = {
  desk: {},
  commands: {
    'pager send': {
      success: { words: '--to 102 hello --yes' },
      empty: { none: 'there is always a text' },
      error: { words: '--to 999 hello --yes', exit: 3, code: 'not_found' },
    },
    'pager reply': {
      success: {
        words: async (desk) => {
          const { id } = (await desk.json('pager send --to 102,103 hello --yes')) as { id: number };
          return `${id} back --yes`;
        },
      },
      empty: { none: 'there is always a text' },
      error: { words: '999999 hello --yes', exit: 3, code: 'not_found' },
    },
  },
};

export const faxes: NounCases = {
  desk: { files: { 'a.txt': 'hello\n' }, prepare: (desk) => fax(desk) },
  commands: {
    'fax send': {
      success: { words: '--to +14155550100 a.txt --yes' },
      empty: { none: 'there is always a document' },
      error: { words: '--to +14155550100 none.pdf --yes', exit: 2, code: 'unreadable_file' },
    },
    'fax list': {
      success: { words: '' },
      empty: { words: '--direction Inbound' },
      error: { words: '--since never', exit: 2, code: 'usage' },
    },
    'fax status': { success: { words: (desk) => fax(desk) }, empty: oneThing, error: missing },
    'fax resend': {
      success: { words: async (desk) => `${await sentFax(desk)} --yes` },
      empty: { none: 'there is always a document' },
      error: { ...missing, words: '999999 --yes' },
    },
    'fax cancel': {
      success: { words: (desk) => fax(desk, '--at 2h') },
      empty: oneThing,
      error: missing,
    },
  },
};

async function sentFax(desk: Desk): Promise<string> {
  return fax(desk, '--wait');
}

export const message: NounCases = {
  desk: { sandbox: { dialect: 'current' }, prepare: text },
  commands: {
    'message list': {
      success: { words: '' },
      empty: { words: '--type Fax' },
      error: { words: '--type Letter', exit: 2, code: 'usage' },
    },
    'message show': { success: { words: text }, empty: oneThing, error: missing },
    'message thread': { success: { words: text }, empty: oneThing, error: missing },
    'message read': { success: { words: text }, empty: { none: 'ids are needed' }, error: allMissing },
    'message unread': { success: { words: text }, empty: { none: 'ids are needed' }, error: allMissing },
    'message delete': {
      success: { words: async (desk) => `${await text(desk)} --yes` },
      empty: { words: '--type Fax --before 30d --yes' },
      error: { ...allMissing, words: '999999 --yes' },
    },
    'message restore': { success: { words: deleted }, empty: { none: 'ids are needed' }, error: allMissing },
    'message purge': {
      success: { words: async (desk) => `${await text(desk)} --yes` },
      empty: { words: '--type Fax --before 30d --yes' },
      error: { ...allMissing, words: '999999 --yes' },
    },
    'message report': {
      success: { words: '' },
      empty: { words: '--since 2000-01-01 --until 2000-01-02' },
      error: { ...missing, words: '--id 999999' },
    },
  },
};

export const voicemails: NounCases = {
  desk: { prepare: voicemail },
  commands: {
    'voicemail list': {
      success: { words: '' },
      empty: { words: '--until 2020-01-01 --since 2019-01-01' },
      error: { words: '--since never', exit: 2, code: 'usage' },
    },
  },
};

export const outcome: NounCases = {
  desk: { prepare: text },
  commands: {
    'outcome list': {
      success: { words: '' },
      empty: { words: '--state failed' },
      error: { words: '--state odd', exit: 2, code: 'usage' },
    },
    'outcome resolve': { success: { words: '--all' }, empty: { words: '--all' }, error: missing },
  },
};

export const sync: NounCases = {
  desk: {
    prepare: async (desk) => {
      await text(desk);
      await desk.run('sync');
    },
  },
  commands: {
    sync: {
      success: {
        words: async (desk) => {
          await text(desk);
          return '';
        },
      },
      empty: { words: '' },
      error: { words: '--extension 999', exit: 3, code: 'not_found' },
    },
    'sync status': {
      success: { words: '' },
      empty: { none: 'without a copy it is an error' },
      error: { words: '--database none.sqlite', exit: 3, code: 'not_found' },
    },
    'sync search': {
      success: { words: 'hello' },
      empty: { words: 'nothing-like-it' },
      error: { words: 'hello --database none.sqlite', exit: 3, code: 'not_found' },
    },
    'sync sql': {
      success: { words: ['select id, text from v_message'] },
      empty: { words: ['select id from v_message where id = 0'] },
      error: { words: ['select nonsense from'], exit: 2, code: 'usage' },
    },
    'sync export': {
      success: { words: '--format ndjson --to out.ndjson --fresh' },
      empty: { words: '--format csv --to again.csv' },
      error: { words: '--format csv --to out.csv --database none.sqlite', exit: 3, code: 'not_found' },
    },
    'sync verify': {
      success: {
        words: async (desk) => {
          await desk.run('sync');
          return '';
        },
      },
      empty: { words: '--sample 0' },
      error: { words: '--database none.sqlite', exit: 3, code: 'not_found' },
    },
    'sync retry': {
      success: { words: '' },
      empty: { words: '' },
      error: { words: '--database none.sqlite', exit: 3, code: 'not_found' },
    },
    'sync erase': {
      success: { words: '--phone +19995550100 --yes' },
      empty: oneThing,
      error: { words: '--phone 12 --yes', exit: 2, code: 'usage' },
    },
  },
};
