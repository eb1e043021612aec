// A webhook that a user could write in a few lines, as the peer of `ucctl webhook listen`: it parses and prints every notification, and
// stores nothing.
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  const pieces = [];
  request.on('data', (piece) => pieces.push(piece));
  request.on('end', () => {
    response.end();
    process.stdout.write(`${JSON.stringify(JSON.parse(Buffer.concat(pieces)))}\n`);
  });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
