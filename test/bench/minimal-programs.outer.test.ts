import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bareHttp, bareUndici } from '../../bench/limits.ts';
import { startProcess } from '../support/process.ts';
import { temporaryFolder } from '../support/temporary.ts';

describe('the minimal programs that a request of ucctl is compared with', () => {
  it.each([
    ['node:http', bareHttp],
    ['undici', bareUndici],
  ] as const)('print the reply, with %s', async (_, argvOf) => {
    const requests: unknown[] = [];
    const service = createServer(({ url, headers }, response) => {
      requests.push({ url, authorization: headers.authorization });
      response.end('{"records":[{"id":1}]}');
    });
    await new Promise<void>((resolve) => {
      service.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => void service.close());
    const { port } = service.address() as AddressInfo;
    const argv = await argvOf({ url: `http://127.0.0.1:${port}`, token: 'made-up' }, temporaryFolder());
    // The second run of the program with undici has cached code.
    for (let run = 1; run <= 2; run += 1) {
      const { exit, stdout, stderr } = await startProcess(process.execPath, argv.slice(1)).ended;
      expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
      expect(JSON.parse(stdout)).toEqual([{ id: 1 }]);
    }
    const request = {
      url: '/restapi/v1.0/account/~/extension?type=Department&page=1&perPage=1000',
      authorization: 'Bearer made-up',
    };
    expect(requests).toEqual([request, request]);
  });
});
