// Makes the requests of `sync --extension all` and stores nothing, so its time is that of the service. Usage: node bare-sync.mjs ORIGIN
// TOKEN CONCURRENCY; fails unless every reply has status 200.
import { Agent, get } from 'node:http';

const [, , origin, token, concurrency] = process.argv;
const pageSize = 1000;
/** Types of extensions without a mailbox. */
const others = new Set(['IvrMenu', 'ParkLocation', 'PagingOnly', 'Announcement', 'ApplicationExtension']);
const agent = new Agent({ keepAlive: true, maxSockets: Number(concurrency) });
const options = { agent, headers: { authorization: `Bearer ${token}` } };

function read(path) {
  return new Promise((resolve, reject) => {
    get(`${origin}/restapi/v1.0/account/~/extension${path}`, options, (reply) => {
      const pieces = [];
      reply.on('data', (piece) => pieces.push(piece));
      reply.on('error', reject);
      reply.on('end', () => {
        if (reply.statusCode === 200) resolve(Buffer.concat(pieces));
        else reject(new Error(`${path}: ${reply.statusCode}`));
      });
    }).on('error', reject);
  });
}

const ids = [];
for (let page = 1, pages = 1; page <= pages; page += 1) {
  const { records, paging } = JSON.parse(await read(`?page=${page}&perPage=${pageSize}`));
  pages = paging.totalPages;
  ids.push(...records.filter(({ type }) => !others.has(type)).map(({ id }) => id));
}
const next = ids.values();
async function work() {
  for (const id of next)
    await read(`/${id}/message-sync?syncType=FSync&dateFrom=2000-01-01T00%3A00%3A00.000Z`);
}
await Promise.all(Array.from({ length: Number(concurrency) }, work));
agent.destroy();
