// A webhook that answers validation requests and counts notifications. GET returns the count.
import { createServer } from 'node:http';

let count = 0;
const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.end(String(count));
    return;
  }
  const token = request.headers['validation-token'];
  response.setHeader('content-type', 'application/json');
  if (token !== undefined) response.setHeader('validation-token', token);
  else count += 1;
  request.resume();
  request.on('end', () => response.end());
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
