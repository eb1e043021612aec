import { expect, it } from 'vitest';
import { openOffice } from '../commands/office.ts';

const message = '9007199254740993';
const conversation = '1690988542342339073';
const recording = '9007199254740997';

/** The office, whose replies have a message, a conversation and a recording with ids beyond 2^53. */
function largeOffice() {
  return openOffice('administrator', (send) => async (request) => {
    const { pathname } = request.url;
    const reply = await send(request);
    const text =
      (/message-store\/\d+$/.test(pathname) && oneMessage) ||
      (pathname.endsWith('/message-store') && `{"records":[${oneMessage}]}`) ||
      (pathname.endsWith('/call-log') && `{"records":[${oneCall}]}`);
    if (text === false) return reply;
    const headers = { 'content-type': 'application/json' };
    return {
      ...reply,
      status: 200,
      headers,
      header: (name: string) => ({ ...headers })[name as 'content-type'],
      text: () => Promise.resolve(text),
    };
  });
}

const party = '{"phoneNumber":"+16505550112"}';
const oneMessage = `{"id":${message},"uri":"https://x.example/m","to":[${party}],"from":${party},"type":"SMS","creationTime":"2026-01-05T08:00:00.000Z","lastModifiedTime":"2026-01-05T08:00:00.000Z","readStatus":"Read","priority":"Normal","attachments":[],"direction":"Inbound","availability":"Alive","subject":"hi","messageStatus":"Received","conversationId":${conversation},"conversation":{"id":"${conversation}","uri":"https://x.example/c"}}`;
const oneCall = `{"id":"AbC","uri":"https://x.example/r","sessionId":"1","startTime":"2026-01-05T08:00:00.000Z","duration":5,"type":"Voice","direction":"Inbound","action":"Phone Call","result":"Accepted","from":${party},"to":${party},"recording":{"id":${recording},"uri":"https://x.example/rec","type":"Automatic","contentUri":"https://x.example/content"}}`;

it.each([
  ['message list -o json', [message, conversation]],
  ['message list -o ndjson', [message, conversation]],
  ['message list -o yaml', [message, conversation]],
  ['message list -o csv', [message]],
  ['message list -o csv --fields id,conversationId', [message, conversation]],
  ['message list -o tsv', [message]],
  ['message list -o table', [message]],
  [`message show ${message} -o json`, [message, conversation]],
  [`message show ${message} -o yaml`, [message, conversation]],
  ['message list -o json --jq .[].id', [message]],
  ['message list -o json --jq .[].conversationId', [conversation]],
  ['calllog list -o json', [recording]],
  ['calllog list -o yaml', [recording]],
  ['calllog list -o json --jq .[].recording.id', [recording]],
  ['api GET /restapi/v1.0/account/~/extension/~/message-store', [message, conversation]],
] as const)('spec:BASE-18 %s shows ids beyond 2^53 with all digits', async (words, ids) => {
  const { run } = await largeOffice();
  const { exit, stdout, stderr } = await run(words);
  expect([exit, stderr]).toEqual([0, expect.any(String)]);
  for (const id of ids) expect(stdout).toContain(id);
});
