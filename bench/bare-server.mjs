// A bare node:http server in a separate process that answers every request with the same bytes. argv[2]: JSON { body,
// headers }.
import { createServer } from 'node:http';

const { body, headers } = JSON.parse(process.argv[2]);
const server = createServer((_request, response) => {
  response.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
